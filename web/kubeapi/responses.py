"""Answers of a workspace's API as the web framework's."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Request, Response

from web.kubeapi.exchange import HttpAnswer, plain_status, unavailable
from web.storage.quota import QuotaExceeded
from web.storage.sqlite import StoreFailed
from web.workspaces import BadWorkspaceId, NoSuchWorkspace, Workspace, Workspaces


def opened_or_refused(workspaces: Workspaces, name: str) -> Workspace | HttpAnswer:
    """Return the workspace of a name, or the answer that says why there is none."""
    try:
        return workspaces.open(name)
    except (BadWorkspaceId, NoSuchWorkspace) as error:
        return plain_status(404, "NotFound", str(error))
    except (QuotaExceeded, StoreFailed) as error:
        return unavailable(error)


def refused_as_foreign(request: Request) -> HttpAnswer | None:
    """Return the refusal of a request that a page of another site makes in somebody's browser, None for any other.

    Such a page may lead a person here by a link, and do nothing else. Programs send none of these headers.
    """
    foreign = request.headers.get("Sec-Fetch-Site", "none") in ("cross-site", "same-site")
    is_link = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if not foreign or is_link:
        return None
    return plain_status(403, "Forbidden", "a page of another site may not use this server; open its own page instead")


def response_of(answer: HttpAnswer) -> Response:
    """Return an answer as a response."""
    response = Response(answer.body, answer.code, content_type=answer.content_type)
    for name, value in answer.headers.items():
        response.headers[name] = value
    for text in answer.warnings:
        quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        response.headers.add("Warning", f'299 - "{quoted}"')
    return response


class Held:
    """The lines of an answer that has no end, and the places that it takes up until it is closed."""

    def __init__(self, lines: Iterator[bytes], places: tuple[threading.BoundedSemaphore, ...]) -> None:
        self._lines, self._places = lines, places

    @classmethod
    def of(cls, lines: Iterator[bytes], places: tuple[threading.BoundedSemaphore, ...]) -> Held | None:
        """Return the lines with a place of each sort taken, or None if one has none left."""
        for number, place in enumerate(places):
            if not place.acquire(blocking=False):
                for taken in places[:number]:
                    taken.release()
                return None
        return cls(lines, places)

    def __iter__(self) -> Held:
        return self

    def __next__(self) -> bytes:
        return next(self._lines)

    def close(self) -> None:
        """Give the places back."""
        places, self._places = self._places, ()
        for place in places:
            place.release()
