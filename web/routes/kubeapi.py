"""The Kubernetes API of each workspace, below `/w/<workspace>/`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime

from flask import Blueprint, Response, request

from web.kubeapi.api import Api
from web.kubeapi.exchange import HttpAnswer, HttpRequest, plain_status
from web.storage.sqlite import StoreFailed
from web.workspaces import BadWorkspaceId, Workspaces

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_RESERVED_THREADS = 8
"""Threads that watches may never take, so that other requests are still answered."""


def create_blueprint(workspaces: Workspaces, now: Callable[[], datetime], threads: int) -> Blueprint:
    """Return the routes of the workspaces' APIs; threads is how many requests the server answers at a time."""
    blueprint = Blueprint("kubeapi", __name__)
    watches = threading.BoundedSemaphore(max(1, threads - _RESERVED_THREADS))

    @blueprint.route("/w/<workspace>/", defaults={"path": ""}, methods=METHODS, provide_automatic_options=False)
    @blueprint.route("/w/<workspace>/<path:path>", methods=METHODS, provide_automatic_options=False)
    def api(workspace: str, path: str) -> Response:
        try:
            opened = workspaces.open(workspace)
        except BadWorkspaceId as error:
            return _response(plain_status(404, "NotFound", str(error)))
        except StoreFailed as error:
            return _response(plain_status(503, "ServiceUnavailable", str(error)))
        told = Api(opened, f"/w/{workspace}", now).handle(_http(path))
        if isinstance(told, HttpAnswer):
            return _response(told)
        if not watches.acquire(blocking=False):
            text = "this server watches as much as it can; try again when another watch has ended"
            return _response(plain_status(429, "TooManyRequests", text))
        return Response(_released(told, watches), content_type="application/json", direct_passthrough=True)

    return blueprint


def _http(path: str) -> HttpRequest:
    return HttpRequest(
        method=request.method,
        path=path,
        query=request.query_string.decode("utf-8", "replace"),
        content_type=request.headers.get("Content-Type", ""),
        accept=request.headers.get("Accept", ""),
        user_agent=request.headers.get("User-Agent", ""),
        body=request.get_data(cache=False),
    )


def _response(answer: HttpAnswer) -> Response:
    response = Response(answer.body, answer.code, content_type=answer.content_type)
    for name, value in answer.headers.items():
        response.headers[name] = value
    for text in answer.warnings:
        quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        response.headers.add("Warning", f'299 - "{quoted}"')
    return response


def _released(lines: Iterator[bytes], watches: threading.BoundedSemaphore) -> Iterator[bytes]:
    try:
        yield from lines
    finally:
        watches.release()
