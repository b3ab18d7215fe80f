"""Whether the server answers, for those who watch over it."""

from __future__ import annotations

from flask import Blueprint, Response

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Answer that the server is there."""
    return Response("ok\n", mimetype="text/plain")
