"""Whatever a person has, sorted into the editors: a page at `/open`, and `/intake` for the playground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

from flask import Blueprint, Response, jsonify, request

from web.answers import answer_for
from web.config import Config
from web.contexts import Intake, OpenPage
from web.examples import Example
from web.intake import sorted_in
from web.playground_page import playground_page
from web.rendering import asset_version, nonce, page


def create_blueprint(config: Config, clock: Callable[[], datetime], examples: tuple[Example, ...]) -> Blueprint:
    """Return the routes that take a text in."""
    blueprint = Blueprint("intake", __name__)
    limits = config.limits

    @blueprint.get("/open")
    def open_page() -> Response:
        return page(OpenPage(nonce(), asset_version(), "", Intake()))

    @blueprint.post("/open")
    def open_text() -> Response:
        """Sort a pasted text or a file into the editors; where there is more than one way, show what is in it."""
        file = request.files.get("file")
        pasted = request.form.get("text", "")
        text = file.read().decode("utf-8-sig", "replace") if file and file.filename else pasted
        answer = sorted_in(text.replace("\r\n", "\n"), limits)
        if answer.draft is None or "language" in request.form:
            return page(OpenPage(nonce(), asset_version(), pasted, answer))
        shown = answer_for(answer.draft, limits, clock())
        return page(playground_page(answer.draft, shown, examples, None))

    @blueprint.post("/intake")
    def intake() -> Response:
        """Return the draft that a text makes as JSON, null if there is more than one way."""
        answer = sorted_in(request.form.get("text", "").replace("\r\n", "\n"), limits)
        return jsonify(draft=asdict(answer.draft) if answer.draft else None)

    return blueprint
