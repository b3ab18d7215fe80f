"""Answers of a workspace's API as the web framework's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import ceil

from flask import Request, Response

from web.kubeapi.exchange import HttpAnswer, plain_status, unavailable
from web.origins import is_foreign
from web.storage.failure import StoreFailed
from web.storage.quota import QuotaExceeded
from web.workspaces import BadWorkspaceId, Entrance, NoSuchWorkspace, Places, Unauthorized, Workspaces

FOREIGN = "a page of another site may not use this server; open its own page instead"


def entered_or_refused(
    workspaces: Workspaces, key: str, request: Request, owner_only: str = ""
) -> Entrance | HttpAnswer:
    """Return the workspace that a key opens, or the answer that says why none is opened.

    owner_only, if given, is what those are told who do not enter by the workspace's own id.
    """
    foreign = refused_as_foreign(request)
    if foreign is not None:
        return foreign
    try:
        entrance = workspaces.enter(key, token_of(request))
    except (BadWorkspaceId, NoSuchWorkspace) as error:
        return plain_status(404, "NotFound", str(error))
    except Unauthorized as error:
        return plain_status(401, "Unauthorized", str(error), {"WWW-Authenticate": 'Basic realm="workspace"'})
    except (QuotaExceeded, StoreFailed) as error:
        return unavailable(error)
    if owner_only and not entrance.is_owner:
        return plain_status(403, "Forbidden", owner_only)
    wait = entrance.workspace.seconds_to_wait()
    if wait:
        told = f"this workspace takes {entrance.workspace.rate:,} requests a second. Send them more slowly"
        return plain_status(429, "TooManyRequests", told, {"Retry-After": str(ceil(wait))})
    return entrance


def token_of(request: Request) -> str:
    """Return the token that a request carries: as a bearer's, or as a password, which browsers ask for; else empty."""
    given = request.authorization
    if given is None:
        return ""
    return (given.token or "") if given.type == "bearer" else (given.password or "")


def refused_as_foreign(request: Request) -> HttpAnswer | None:
    """Return the refusal of a request that a page of another site makes in somebody's browser, None for any other.

    Such a page may lead a person here by a link, and do nothing else. Programs send none of these headers.
    """
    is_navigation = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    # A frame comes by navigation, too, with nobody having followed anything.
    is_link = is_navigation and request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return None if is_link or not is_foreign(request) else plain_status(403, "Forbidden", FOREIGN)


def response_of(answer: HttpAnswer) -> Response:
    """Return an answer as a response."""
    response = Response(answer.body, answer.code, content_type=answer.content_type)
    for name, value in answer.headers.items():
        response.headers[name] = value
    for text in _bounded(answer.warnings):
        response.headers.add("Warning", f'299 - "{_header_text(text)}"')
    return response


_CONTROLS = re.compile("[\x00-\x1f\x7f]")


def _header_text(text: str) -> str:
    """Return a text as it stands in quotes in a header: in UTF-8, whose bytes WSGI wants as characters.

    Line breaks become blanks, other control characters go: a header cannot have them.
    """
    plain = _CONTROLS.sub("", text.replace("\r\n", " ").replace("\n", " "))
    quoted = plain.replace("\\", "\\\\").replace('"', '\\"')
    return quoted.encode("utf-8", "replace").decode("latin-1")


_MOST_WARNED, _MOST_OF_ONE = 4_096, 256


def _bounded(warnings: Iterable[str]) -> list[str]:
    """Return warnings of at most about 4,096 characters in all: where there are more, each is cut to 256.

    Source: the API server's warning recorder, Kubernetes 1.36.
    """
    given = list(dict.fromkeys(warnings))
    if sum(map(len, given)) <= _MOST_WARNED:
        return given
    out, length = list[str](), 0
    for text in given:
        if length >= _MOST_WARNED:
            break
        out.append(text[:_MOST_OF_ONE])
        length += len(out[-1])
    return out


class Held:
    """The lines of an answer that has no end, and the places that it takes up until it is closed."""

    def __init__(self, lines: Iterator[bytes], places: tuple[Places, ...]) -> None:
        self._lines, self._places = lines, places

    @classmethod
    def of(cls, lines: Iterator[bytes], places: tuple[Places, ...]) -> Held | None:
        """Return the lines with a place of each sort taken, or None if one has none left."""
        for number, place in enumerate(places):
            if not place.take():
                for taken in places[:number]:
                    taken.give_back()
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
            place.give_back()
