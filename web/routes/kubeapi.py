"""The Kubernetes API of each workspace, below `/w/<workspace>/`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, Response, request

from web.kubeapi.api import Api
from web.kubeapi.exchange import HttpAnswer, HttpRequest, plain_status
from web.kubeapi.responses import Held, opened_or_refused, response_of
from web.workspaces import Workspaces

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
        opened = opened_or_refused(workspaces, workspace)
        if isinstance(opened, HttpAnswer):
            return response_of(opened)
        told = Api(opened, f"/w/{workspace}", now).handle(_http(path))
        if isinstance(told, HttpAnswer):
            return response_of(told)
        held = Held.of(told, (opened.watches, watches))
        if held is None:
            text = f"this workspace has {opened.most_watches:,} watches, or this server as many as it can serve; "
            return response_of(plain_status(429, "TooManyRequests", text + "try again when one of them has ended"))
        return Response(held, content_type="application/json", direct_passthrough=True)

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
