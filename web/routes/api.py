"""The JSON API below `/api/`, and its description."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version

from flask import Blueprint, Response, abort, request

from engine.value.codec import render_json
from engine.value.limits import Limits
from engine.value.model import Value
from web.jsonapi.description import description
from web.jsonapi.operations import OPERATIONS
from web.jsonapi.reading import Unusable, read_request

JSON = "application/json"


def create_blueprint(clock: Callable[[], datetime], limits: Limits) -> Blueprint:
    """Return the routes of the JSON API."""
    blueprint = Blueprint("api", __name__, url_prefix="/api")

    @blueprint.get("/openapi.json")
    def openapi() -> Response:
        return _answer(200, description(_version()))

    @blueprint.post("/<operation>")
    def operate(operation: str) -> Response:
        asked = OPERATIONS.get(operation)
        if asked is None:
            abort(404)
        if request.mimetype != JSON:
            return _answer(415, {"error": f"The content type is {request.mimetype!r}; expected {JSON}."})
        try:
            told = read_request(operation, request.get_data(cache=False), limits)
            return _answer(200, asked(told, limits, clock()))
        except Unusable as error:
            return _answer(error.code, {"error": error.sentence})

    return blueprint


def _answer(code: int, body: Value) -> Response:
    return Response(render_json(body).encode("utf-8", "surrogatepass") + b"\n", code, content_type=JSON)


def _version() -> str:
    try:
        return version("patchyard")
    except PackageNotFoundError:
        return "0"
