"""The playground: a form at `/`, and the parts of it that follow typing at `/evaluate`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from engine.errors import EngineError
from web.answers import answer_for
from web.cases import load_cases, spoken_case
from web.compare import compared
from web.config import Config
from web.contexts import (
    Answer,
    AnswerPartial,
    Draft,
    Intake,
    LessonPanel,
    LessonPartial,
    LessonsPage,
    OpenPage,
    PlaygroundPage,
)
from web.doctor import diagnosis
from web.examples import Example, menu, spoken_example
from web.exports import exported
from web.formats import change_in_formats
from web.forms import VIEWS, Unusable, choices, read_draft
from web.intake import sorted_in
from web.lesson_panel import Place, answered_panel, asked_panel, lesson_groups, place_in, place_of
from web.rendering import asset_version, nonce, page, partial
from web.scenario import render_scenario
from web.schema_view import redefined_draft
from web.stale import freshened
from web.timeline import MOST_STEPS, played
from web.ways import Chosen, resolved

DEFAULT_EXAMPLE = "conflict"


def create_blueprint(config: Config, clock: Callable[[], datetime], examples: tuple[Example, ...]) -> Blueprint:
    """Return the routes of the playground."""
    blueprint = Blueprint("playground", __name__)
    limits = config.limits
    by_slug = {example.slug: example for example in examples}

    @blueprint.get("/")
    def show() -> Response:
        if "case" in request.args:
            return _case(request.args["case"])
        example = by_slug.get(request.args.get("example", DEFAULT_EXAMPLE))
        if example is None:
            abort(404)
        view = request.args.get("view", "")
        draft = replace(example.draft, view=view) if view in VIEWS else example.draft
        return _page(draft, answer_for(draft, limits, clock()), examples, example)

    def _case(number: str) -> Response:
        case = next((each for each in load_cases() if each.number == number), None)
        if case is None or case.draft is None:
            abort(404)
        spoken = spoken_case(case)
        summary = f"{number}: {spoken.title}. {spoken.story}".replace("`", "")
        told = Example(number, "", spoken.title, summary, case.draft)
        return _page(case.draft, answer_for(case.draft, limits, clock()), examples, told)

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
        return _page(answer.draft, answer_for(answer.draft, limits, clock()), examples, None)

    @blueprint.post("/intake")
    def intake() -> Response:
        """Return the draft that a text makes as JSON, null if there is more than one way."""
        answer = sorted_in(request.form.get("text", "").replace("\r\n", "\n"), limits)
        return jsonify(draft=asdict(answer.draft) if answer.draft else None)

    @blueprint.get("/empty")
    def empty() -> Response:
        draft = Draft(manager="kubectl")
        return _page(draft, answer_for(draft, limits, clock()), examples, None)

    @blueprint.get("/lessons")
    def lessons() -> Response:
        return page(LessonsPage(nonce(), asset_version(), lesson_groups()))

    @blueprint.get("/lessons/<slug>/<number>")
    def lesson(slug: str, number: str) -> Response:
        place = place_of(slug, number, teacher=request.args.get("teacher") == "1")
        if place is None:
            abort(404)
        draft = place.step.draft
        return _page(draft, answer_for(draft, limits, clock()), examples, None, lesson=asked_panel(place))

    @blueprint.post("/lessons/check")
    def check() -> Response:
        """Return a lesson's step with what is to be said about the answer, as a part of the page."""
        place = place_in(request.form)
        if place is None:
            abort(404)
        return partial(LessonPartial(_answered(place)), replaces=True)

    @blueprint.get("/lessons/<slug>/<number>/answer.json")
    def lesson_answer(slug: str, number: str) -> Response:
        place = place_of(slug, number, teacher=False)
        if place is None or place.step.options:
            abort(404)
        return jsonify(asdict(place.step.answer))

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
        return _page(draft, answer, examples, None, good, panel)

    @blueprint.post("/evaluate")
    def evaluate() -> Response:
        draft = read_draft(request.form)
        answer = answer_for(draft, limits, clock(), (draft.view,))
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
        try:
            return page(change_in_formats(read_draft(request.form), limits, clock()))
        except (Unusable, EngineError):
            abort(409)

    @blueprint.post("/doctor")
    def doctor() -> Response:
        """Return what ails the managedFields of what the write leaves, as a part of the page; 409 if it is no write."""
        try:
            return page(diagnosis(read_draft(request.form), limits, clock()))
        except (Unusable, EngineError):
            abort(409)

    @blueprint.post("/export")
    def export() -> Response:
        """Return the write as commands and as a report, by the name of each form; 409 if there is no write."""
        try:
            return jsonify(exported(read_draft(request.form), limits, clock()))
        except (Unusable, EngineError):
            abort(409)

    @blueprint.post("/compare")
    def compare() -> Response:
        """Return two states of an object, `live` and `body`, held against each other, as a part of the page."""
        draft = read_draft(request.form)
        return page(compared(draft.live, draft.body, draft.crds, limits))

    @blueprint.post("/timeline")
    def timeline() -> Response:
        """Return what comes of a history: {live, steps: [fields of the form]} -> [{code, sentence, live}], as JSON."""
        asked: Any = request.get_json(silent=True)
        drafts = _drafts(asked)
        if drafts is None:
            abort(400)
        return jsonify([asdict(step) for step in played(str(asked.get("live", "")), drafts, limits, clock())])

    @blueprint.post("/scenario")
    def scenario() -> Response:
        """Return a history, asked for as at /timeline, as a file for `patchyard replay`; 409 if it has no write."""
        asked: Any = request.get_json(silent=True)
        drafts = _drafts(asked)
        if drafts is None:
            abort(400)
        try:
            text = render_scenario(str(asked.get("live", "")), drafts, limits, clock()) if drafts else ""
        except (Unusable, EngineError):
            text = ""
        if not text:
            abort(409)
        name = 'attachment; filename="scenario.yaml"'
        return Response(text, mimetype="application/yaml", headers={"Content-Disposition": name})

    @blueprint.get("/examples/<slug>.json")
    def example_data(slug: str) -> Response:
        example = by_slug.get(slug)
        if example is None:
            abort(404)
        example = spoken_example(example)
        return jsonify(slug=slug, title=example.title, summary=example.summary, draft=asdict(example.draft))

    return blueprint


def _drafts(asked: Any) -> list[Draft] | None:
    """Return the drafts that a timeline's JSON asks to be played; None if it is of another form."""
    steps = asked.get("steps") if isinstance(asked, dict) else None
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        return None
    if not all(isinstance(step, dict) and all(isinstance(text, str) for text in step.values()) for step in steps):
        return None
    return [read_draft(step) for step in steps]


def _last_good(form: Mapping[str, str]) -> Draft:
    """Return the draft that the page showed an answer to, which the plain form carries along; empty if it has none."""
    try:
        fields: Any = json.loads(form.get("last_good", ""))
    except ValueError:
        return Draft()
    if not isinstance(fields, dict):
        return Draft()
    return read_draft({name: text for name, text in fields.items() if isinstance(text, str)})


def _page(
    draft: Draft,
    answer: Answer,
    examples: tuple[Example, ...],
    chosen: Example | None,
    good: Draft | None = None,
    lesson: LessonPanel | None = None,
) -> Response:
    kept = {name: value for name, value in asdict(good or draft).items() if isinstance(value, str) or value}
    options = choices(draft)
    return page(
        PlaygroundPage(
            nonce=nonce(),
            asset_version=asset_version(),
            draft=draft,
            kinds=options["kind"],
            subresources=options["subresource"],
            validations=options["field_validation"],
            views=options["view"],
            columns=options["column"],
            example_groups=menu(examples, chosen.slug if chosen else ""),
            example_summary=spoken_example(chosen).summary if chosen else "",
            last_good=json.dumps({name: "1" if value is True else value for name, value in kept.items()}),
            answer=answer,
            lesson=lesson,
        )
    )
