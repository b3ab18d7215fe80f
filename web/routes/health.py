"""How the server is, for those who watch over it: whether it is there, whether it can serve, and what it does."""

from __future__ import annotations

from flask import Blueprint, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from web.storage.failure import StoreFailed
from web.workspaces import Workspaces


def create_blueprint(workspaces: Workspaces, registry: CollectorRegistry) -> Blueprint:
    """Return the routes that tell how the server is."""
    blueprint = Blueprint("health", __name__)

    @blueprint.get("/healthz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @blueprint.get("/readyz")
    def readyz() -> Response:
        """Tell whether requests can be answered now: whether the store can be read, and the server is not ending."""
        if workspaces.closed:
            return Response("the server is ending\n", 503, mimetype="text/plain")
        try:
            workspaces.check()
        except StoreFailed as error:
            return Response(f"{error}\n", 503, mimetype="text/plain")
        return Response("ok\n", mimetype="text/plain")

    @blueprint.get("/metrics")
    def metrics() -> Response:
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    return blueprint
