"""The Kubernetes API of each workspace, below `/w/<workspace>/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from flask import Blueprint, Response, request

from web.config import Config
from web.deadline import Deadline
from web.kubeapi.api import Api
from web.kubeapi.events import told_events
from web.kubeapi.exchange import HttpAnswer, HttpRequest, plain_status
from web.kubeapi.responses import Held, entered_or_refused, response_of
from web.serving.hangup import STREAM, Hangup
from web.workspaces import Entrance, Places, Workspace, Workspaces

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_NO_METHOD = "the server does not allow this method on the requested resource"
_RESERVED_THREADS = 8
"""Threads that watches may never take, so that other requests are still answered."""


def create_blueprint(
    workspaces: Workspaces,
    now: Callable[[], datetime],
    config: Config,
    deadline: Deadline,
    show: Callable[[Entrance], Response],
) -> Blueprint:
    """Return the routes of the workspaces' APIs; show makes the page that a browser gets instead of the API's root."""
    blueprint = Blueprint("kubeapi", __name__)
    watches = Places(max(1, config.threads - _RESERVED_THREADS))

    @blueprint.route("/w/<workspace>/", defaults={"path": ""}, methods=METHODS, provide_automatic_options=False)
    @blueprint.route("/w/<workspace>/<path:path>", methods=METHODS, provide_automatic_options=False)
    def api(workspace: str, path: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        if not path and request.method == "GET" and request.headers.get("Accept", "").startswith("text/html"):
            return show(entrance)
        if request.method not in METHODS:  # HEAD comes along with GET
            return response_of(plain_status(405, "MethodNotAllowed", _NO_METHOD))
        kubernetes = Api(
            entrance.workspace, f"/w/{workspace}", now, entrance.rights, entrance.warning, config.limits, deadline
        )
        hangup = Hangup(entrance.workspace.wake)
        told = kubernetes.handle(_http(path), lambda: hangup.is_gone)
        if isinstance(told, HttpAnswer):
            if told.revisions:
                workspaces.written(entrance)
            return response_of(told)
        return endless(told, "application/json", entrance.workspace, hangup)

    @blueprint.get("/w/<workspace>/events")
    def events(workspace: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        if not entrance.rights.allows("watch"):
            return response_of(plain_status(403, "Forbidden", "this link may not read, and so not listen either"))
        opened = entrance.workspace
        hangup = Hangup(opened.wake)
        lines = told_events(opened.journal, _last_seen(), lambda: hangup.is_gone)
        return endless(lines, "text/event-stream", opened, hangup)

    def endless(lines: Iterator[bytes], content_type: str, opened: Workspace, hangup: Hangup) -> Response:
        held = Held.of(lines, (opened.watches, watches))
        if held is None:
            text = f"this workspace has {opened.most_watches:,} watches, or this server as many as it can serve; "
            return response_of(plain_status(429, "TooManyRequests", text + "try again when one of them has ended"))
        request.environ[STREAM] = hangup
        return Response(held, content_type=content_type, direct_passthrough=True)

    return blueprint


def _last_seen() -> int:
    """The number of the request that a listener has seen last: 0 if it has seen none."""
    text = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0


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
