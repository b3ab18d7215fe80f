"""Workspaces themselves: making one at `/w/`, its links, and the file that leads kubectl to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from engine.value.limits import Limits
from web.contexts import ErrorPage
from web.deadline import Deadline, TimeUp
from web.errors import out_of_time
from web.forms import read_draft
from web.json_fields import json_in
from web.kubeapi.exchange import HttpAnswer, plain_status, spelled, unavailable
from web.kubeapi.kubeconfig import kubeconfig
from web.kubeapi.responses import entered_or_refused, response_of, token_of
from web.rendering import asset_version, nonce, page
from web.storage.failure import StoreFailed
from web.storage.quota import QuotaExceeded
from web.storing import NotStored, store_result
from web.translation import gettext as _
from web.workspace_page import made_page, new_page, workspace_page
from web.workspaces import BadLink, BadWorkspaceId, Entrance, NoSuchWorkspace, Unauthorized, Workspaces

OWNER_ONLY = "this link opens the workspace, but only the workspace's own address may make and remove links"


def create_blueprint(
    workspaces: Workspaces, clock: Callable[[], datetime], limits: Limits, deadline: Deadline, authority: str
) -> Blueprint:
    """Return the routes of workspaces themselves; authority is what clients are to trust, empty without TLS."""
    blueprint = Blueprint("workspaces", __name__)

    @blueprint.get("/w/")
    def new() -> Response:
        return page(new_page(nonce(), asset_version(), workspaces.days))

    @blueprint.post("/w/")
    def create() -> Response:
        try:
            entrance, token = workspaces.create(with_token=_sent().get("token", "") not in ("", "0", "false"))
        except (QuotaExceeded, StoreFailed) as error:
            return _told(error)
        server = _address(entrance.key)
        config = kubeconfig(entrance.key, server, authority, token)
        if _wants_page():
            if not token:
                return _see_other(f"/w/{entrance.key}/")
            return page(made_page(nonce(), asset_version(), server, token, config), 201)
        told = {
            "id": entrance.key,
            "server": server,
            "kubeconfig": f"{server}/kubeconfig",
            "kubectl": f"kubectl --server {server}",
            **({"token": token} if token else {}),
        }
        return response_of(HttpAnswer(201, spelled(told), headers={"Location": f"{server}/"}))

    @blueprint.post("/store")
    def store() -> Response:
        """Store the playground's result in a workspace, which is named or made anew, and go there."""
        given = request.form.get("workspace", "").strip().rstrip("/").rpartition("/")[2]
        try:
            entrance = workspaces.enter(given, token_of(request)) if given else workspaces.create()[0]
            if not (entrance.rights.allows("create") and entrance.rights.allows("update")):
                return _not_stored(
                    403, _("This link may not create and update objects. Use the workspace's own address.")
                )
            store_result(entrance.workspace, read_draft(request.form), limits, deadline, clock())
            workspaces.written(entrance)
        except (BadWorkspaceId, NoSuchWorkspace) as error:
            return _not_stored(404, str(error))
        except Unauthorized as error:
            return _not_stored(403, str(error))
        except NotStored as error:
            return _not_stored(422, str(error))
        except TimeUp:
            return _not_stored(503, out_of_time(deadline))
        except (QuotaExceeded, StoreFailed) as error:
            return _not_stored(unavailable(error).code, str(error))
        return _see_other(f"/w/{entrance.key}/")

    @blueprint.get("/w/<workspace>/kubeconfig")
    def config(workspace: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        text = kubeconfig(entrance.key, _address(entrance.key), authority, entrance.token).encode()
        headers = {"Content-Disposition": f'attachment; filename="kubeconfig-{entrance.key}.yaml"'}
        return response_of(HttpAnswer(200, text, "application/yaml", headers))

    @blueprint.post("/w/<workspace>/links")
    def link(workspace: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request, owner_only=OWNER_ONLY)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        sent = _sent()
        try:
            made = workspaces.add_link(entrance, str(sent.get("name", "")).strip(), tuple(sent.getlist("verbs")))
        except BadLink as error:
            if _wants_page():
                return _page(entrance, str(error), 422)
            return response_of(plain_status(422, "Invalid", str(error)))
        except StoreFailed as error:
            return _told(error)
        if _wants_page():
            return _see_other(f"/w/{entrance.key}/#links-title")
        server = _address(made.key)
        told = {
            "id": made.key,
            "name": made.label,
            "verbs": made.verbs,
            "server": server,
            "kubeconfig": f"{server}/kubeconfig",
        }
        return response_of(HttpAnswer(201, spelled(told)))

    @blueprint.delete("/w/<workspace>/links/<key>")
    @blueprint.post("/w/<workspace>/links/<key>/remove")
    def unlink(workspace: str, key: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request, owner_only=OWNER_ONLY)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        try:
            workspaces.directory.remove_link(entrance.entry.name, key)
        except StoreFailed as error:
            return _told(error)
        if _wants_page():
            return _see_other(f"/w/{entrance.key}/#links-title")
        return response_of(HttpAnswer(200, spelled({"removed": key})))

    return blueprint


def show(entrance: Entrance) -> Response:
    """Return the page of a workspace: what came to its API, its objects, its links."""
    return _page(entrance)


def _page(entrance: Entrance, problem: str = "", code: int = 200) -> Response:
    try:
        return page(workspace_page(entrance, _address(""), nonce(), asset_version(), problem), code)
    except StoreFailed as error:
        return response_of(unavailable(error))


def _not_stored(code: int, sentence: str) -> Response:
    return page(ErrorPage(nonce(), asset_version(), _("Nothing was stored"), sentence), code)


def _sent() -> MultiDict[str, Any]:
    """What a request says, by a form or as JSON."""
    if not request.is_json:
        return request.form
    told = json_in(request.get_data(as_text=True))
    if not isinstance(told, dict):
        return MultiDict()
    pairs = ((name, value if isinstance(value, list) else [value]) for name, value in told.items())
    return MultiDict((name, str(each)) for name, values in pairs for each in values)


def _wants_page() -> bool:
    return request.headers.get("Accept", "").startswith("text/html")


def _see_other(address: str) -> Response:
    return Response(status=303, headers={"Location": address})


def _told(error: Exception) -> Response:
    return response_of(unavailable(error))


def _address(name: str) -> str:
    return f"{request.host_url}w/{name}"
