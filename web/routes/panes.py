"""What the playground asks for beside the result: panels that are opened, and the timeline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import Conflict

from engine.errors import EngineError
from web.compare import compared
from web.config import Config
from web.contexts import Draft
from web.doctor import diagnosis
from web.exports import exported
from web.formats import change_in_formats
from web.forms import Unusable, read_draft
from web.json_fields import json_in
from web.rendering import page
from web.scenario import render_scenario
from web.schema_view import redefined_draft
from web.timeline import MOST_STEPS, played
from web.ways import ways_of_one
from web.why import line_reasons


def create_blueprint(config: Config, clock: Callable[[], datetime]) -> Blueprint:
    """Return the routes. Each takes the playground's form, or a history as JSON; 409 tells that it holds no write."""
    blueprint = Blueprint("panes", __name__)
    limits = config.limits
    for error in (Unusable, EngineError):
        blueprint.register_error_handler(error, _no_write)

    @blueprint.post("/schema")
    def schema() -> Response:
        """Return the definitions with a list or map of theirs owned in another way; 409 if that cannot be."""
        draft = read_draft(request.form)
        changed = redefined_draft(draft, draft.redefine, limits)
        if changed is None:
            abort(409)
        return jsonify(crds=changed.crds)

    @blueprint.post("/formats")
    def formats() -> Response:
        """Return the change that the write makes, in every format, as a part of the page; 409 if there is no write."""
        return page(change_in_formats(read_draft(request.form), limits, clock()))

    @blueprint.post("/doctor")
    def doctor() -> Response:
        """Return what ails the managedFields of what the write leaves, as a part of the page; 409 if it is no write."""
        return page(diagnosis(read_draft(request.form), limits, clock()))

    @blueprint.post("/ways/<int:number>")
    def ways(number: int) -> Response:
        """Return the ways out of one conflict, counted from 0, as a part of the page; 409 if there is none."""
        found = ways_of_one(read_draft(request.form), number, limits, clock())
        if found is None:
            abort(409)
        return page(found)

    @blueprint.post("/reasons")
    def reasons() -> Response:
        """Return why each field of the result is as it is, for the lines of the page; 409 if there is no write."""
        return jsonify(line_reasons(read_draft(request.form), limits, clock()))

    @blueprint.post("/export")
    def export() -> Response:
        """Return the write as commands and as a report, by the name of each form; 409 if there is no write."""
        return jsonify(exported(read_draft(request.form), limits, clock()))

    @blueprint.post("/compare")
    def compare() -> Response:
        """Return two states of an object, `live` and `body`, held against each other, as a part of the page."""
        draft = read_draft(request.form)
        return page(compared(draft.live, draft.body, draft.crds, limits, request.form.get("shown", "")))

    @blueprint.post("/timeline")
    def timeline() -> Response:
        """Return what comes of a history: {live, steps: [fields of the form]} -> [{code, sentence, live}], as JSON."""
        asked: Any = json_in(request.get_data(as_text=True)) if request.is_json else None
        drafts = _drafts(asked)
        if drafts is None:
            abort(400)
        return jsonify([asdict(step) for step in played(str(asked.get("live", "")), drafts, limits, clock())])

    @blueprint.post("/scenario")
    def scenario() -> Response:
        """Return a history, asked for as at /timeline, as a file for `patchyard replay`; 409 if it has no write."""
        asked: Any = json_in(request.get_data(as_text=True)) if request.is_json else None
        drafts = _drafts(asked)
        if drafts is None:
            abort(400)
        if not drafts:
            abort(409)
        text = render_scenario(str(asked.get("live", "")), drafts, limits, clock())
        name = 'attachment; filename="scenario.yaml"'
        return Response(text, mimetype="application/yaml", headers={"Content-Disposition": name})

    return blueprint


def _no_write(_: Exception) -> ResponseReturnValue:
    return current_app.handle_http_exception(Conflict())


def _drafts(asked: Any) -> list[Draft] | None:
    """Return the drafts that a timeline's JSON asks to be played; None if it is of another form."""
    steps = asked.get("steps") if isinstance(asked, dict) else None
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        return None
    if not all(isinstance(step, dict) and all(isinstance(text, str) for text in step.values()) for step in steps):
        return None
    return [read_draft(step) for step in steps]
