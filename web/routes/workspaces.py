"""Workspaces themselves: making one at `/w/`, and the file that leads kubectl to it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from web.kubeapi.exchange import HttpAnswer, spelled, unavailable
from web.kubeapi.kubeconfig import kubeconfig
from web.kubeapi.responses import entered_or_refused, refused_as_foreign, response_of
from web.rendering import asset_version, nonce, page
from web.storage.failure import StoreFailed
from web.storage.quota import QuotaExceeded
from web.workspace_page import workspace_page
from web.workspaces import Entrance, Workspaces


def create_blueprint(workspaces: Workspaces) -> Blueprint:
    """Return the routes of workspaces themselves."""
    blueprint = Blueprint("workspaces", __name__)

    @blueprint.post("/w/")
    def create() -> Response:
        foreign = refused_as_foreign(request)
        if foreign is not None:
            return response_of(foreign)
        try:
            name = workspaces.create()[0].key
        except (QuotaExceeded, StoreFailed) as error:
            return response_of(unavailable(error))
        server = _address(name)
        told = {
            "id": name,
            "server": server,
            "kubeconfig": f"{server}/kubeconfig",
            "kubectl": f"kubectl --server {server}",
        }
        return response_of(HttpAnswer(201, spelled(told), headers={"Location": f"{server}/"}))

    @blueprint.get("/w/<workspace>/kubeconfig")
    def config(workspace: str) -> Response:
        entrance = entered_or_refused(workspaces, workspace, request)
        if isinstance(entrance, HttpAnswer):
            return response_of(entrance)
        text = kubeconfig(entrance.key, _address(entrance.key)).encode()
        headers = {"Content-Disposition": f'attachment; filename="kubeconfig-{entrance.key}.yaml"'}
        return response_of(HttpAnswer(200, text, "application/yaml", headers))

    return blueprint


def show(entrance: Entrance) -> Response:
    """Return the page of a workspace: what came to its API, and its objects."""
    try:
        return page(workspace_page(entrance.workspace, _address(entrance.key), nonce(), asset_version()))
    except StoreFailed as error:
        return response_of(unavailable(error))


def _address(name: str) -> str:
    return f"{request.host_url}w/{name}"
