"""Lessons at `/lessons`: the list, and each step as the playground with a panel above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime

from flask import Blueprint, Response, abort, jsonify, request

from web.answers import answer_for
from web.config import Config
from web.contexts import LessonPartial, LessonsPage
from web.examples import Example
from web.forms import read_draft
from web.lesson_panel import answered_panel, asked_panel, lesson_groups, place_in, place_of
from web.playground_page import playground_page
from web.rendering import asset_version, nonce, page, partial


def create_blueprint(config: Config, clock: Callable[[], datetime], examples: tuple[Example, ...]) -> Blueprint:
    """Return the routes of the lessons. A step's form is the playground's, and is sent there."""
    blueprint = Blueprint("lessons", __name__)
    limits = config.limits

    @blueprint.get("/lessons")
    def lessons() -> Response:
        return page(LessonsPage(nonce(), asset_version(), lesson_groups()))

    @blueprint.get("/lessons/<slug>/<number>")
    def lesson(slug: str, number: str) -> Response:
        place = place_of(slug, number, teacher=request.args.get("teacher") == "1")
        if place is None:
            abort(404)
        draft = place.step.draft
        answer = answer_for(draft, limits, clock())
        return page(playground_page(draft, answer, examples, None, lesson=asked_panel(place)))

    @blueprint.post("/lessons/check")
    def check() -> Response:
        """Return a lesson's step with what is to be said about the answer, as a part of the page."""
        place = place_in(request.form)
        if place is None:
            abort(404)
        choice = request.form.get("lesson_choice", "")
        panel = answered_panel(place, read_draft(request.form), choice, limits, clock())
        return partial(LessonPartial(panel), replaces=True)

    @blueprint.get("/lessons/<slug>/<number>/answer.json")
    def lesson_answer(slug: str, number: str) -> Response:
        place = place_of(slug, number, teacher=False)
        if place is None or place.step.options:
            abort(404)
        return jsonify(asdict(place.step.answer))

    return blueprint
