"""The playground: a form at `/`, and the parts of it that follow typing at `/evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime

from flask import Blueprint, Response, abort, jsonify, request

from web.answers import answer_for
from web.cases import load_cases, spoken_case
from web.config import Config
from web.contexts import Answer, AnswerPartial, Draft, LessonPanel
from web.examples import Example, spoken_example
from web.forms import VIEWS, read_draft
from web.json_fields import json_in
from web.lesson_panel import Place, answered_panel, asked_panel, place_in
from web.playground_page import playground_page
from web.rendering import page, partial
from web.stale import freshened
from web.ways import Chosen, resolved

HELD = "X-Lines"
"""The header by which a page names the list of lines that it shows."""
DEFAULT_EXAMPLE = "conflict"


def create_blueprint(config: Config, clock: Callable[[], datetime], examples: tuple[Example, ...]) -> Blueprint:
    """Return the routes of the playground."""
    blueprint = Blueprint("playground", __name__)
    limits = config.limits
    by_slug = {example.slug: example for example in examples}

    def _shown(
        draft: Draft,
        answer: Answer,
        chosen: Example | None,
        good: Draft | None = None,
        lesson: LessonPanel | None = None,
    ) -> Response:
        return page(playground_page(draft, answer, examples, chosen, good, lesson))

    @blueprint.get("/")
    def show() -> Response:
        if "case" in request.args:
            return _case(request.args["case"])
        example = by_slug.get(request.args.get("example", DEFAULT_EXAMPLE))
        if example is None:
            abort(404)
        view = request.args.get("view", "")
        draft = replace(example.draft, view=view) if view in VIEWS else example.draft
        return _shown(draft, answer_for(draft, limits, clock()), example)

    def _case(number: str) -> Response:
        case = next((each for each in load_cases() if each.number == number), None)
        if case is None or case.draft is None:
            abort(404)
        spoken = spoken_case(case)
        summary = f"{number}: {spoken.title}. {spoken.story}".replace("`", "")
        told = Example(number, "", spoken.title, summary, case.draft)
        return _shown(case.draft, answer_for(case.draft, limits, clock()), told)

    @blueprint.get("/empty")
    def empty() -> Response:
        draft = Draft(manager="kubectl")
        return _shown(draft, answer_for(draft, limits, clock()), None)

    def _answered(place: Place) -> LessonPanel:
        choice = request.form.get("lesson_choice", "")
        return answered_panel(place, read_draft(request.form), choice, limits, clock())

    @blueprint.post("/")
    def submit() -> Response:
        draft = read_draft(request.form)
        place, act = place_in(request.form), request.form.get("lesson_act", "")
        if place is not None and act == "answer":
            draft = place.step.answer
        draft = _settled(draft) or draft
        answer, good = answer_for(draft, limits, clock()), draft
        if answer.result is None:
            good = _last_good(request.form)
            shown = answer_for(good, limits, clock())
            answer = replace(answer, result=shown.result, conflicts=shown.conflicts)
        panel = None
        if place is not None:
            panel = _answered(place) if act == "check" else asked_panel(place)
        return _shown(draft, answer, None, good, panel)

    @blueprint.post("/evaluate")
    def evaluate() -> Response:
        draft = read_draft(request.form)
        answer = answer_for(draft, limits, clock(), (draft.view,))
        if answer.result is not None:
            answer = replace(answer, result=replace(answer.result, held=request.headers.get(HELD, "")))
        return partial(AnswerPartial(answer), replaces=answer.result is not None)

    def _settled(draft: Draft) -> Draft | None:
        """The draft after the way out that the form names, None if it names none that is open."""
        name = request.form.get("way", "")
        chosen = Chosen.read(name)
        return resolved(draft, chosen, limits, clock()) if chosen else freshened(draft, name, limits, clock())

    @blueprint.post("/resolve")
    def resolve() -> Response:
        """Return what choosing a way out makes of the form, for a page that changes the editors itself."""
        draft = _settled(read_draft(request.form))
        if draft is None:
            abort(409)
        return jsonify(body=draft.body, force=draft.force)

    @blueprint.get("/examples/<slug>.json")
    def example_data(slug: str) -> Response:
        example = by_slug.get(slug)
        if example is None:
            abort(404)
        example = spoken_example(example)
        return jsonify(slug=slug, title=example.title, summary=example.summary, draft=asdict(example.draft))

    return blueprint


def _last_good(form: Mapping[str, str]) -> Draft:
    """Return the draft that the page showed an answer to, which the plain form carries along; empty if it has none."""
    fields = json_in(form.get("last_good", ""))
    if not isinstance(fields, dict):
        return Draft()
    return read_draft({name: text for name, text in fields.items() if isinstance(text, str)})
