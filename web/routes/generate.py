"""Patches from two documents: a form at `/generate`, and the parts of it that follow typing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace

from flask import Blueprint, Response, request

from web.config import Config
from web.contexts import GenerateAnswer, GenerateDraft, GeneratePage, GeneratePartial
from web.generate_answers import answer_for
from web.generate_forms import COLUMNS, FEWEST, GUARDS, LISTS, choices, read_draft, sample
from web.json_fields import json_in
from web.rendering import asset_version, nonce, page, partial


def create_blueprint(config: Config) -> Blueprint:
    """Return the routes of the generator."""
    blueprint = Blueprint("generate", __name__)
    limits = config.limits

    @blueprint.get("/generate")
    def show() -> Response:
        draft = sample()
        return _page(draft, answer_for(draft, limits), draft)

    @blueprint.get("/generate/empty")
    def empty() -> Response:
        draft = GenerateDraft()
        return _page(draft, answer_for(draft, limits), draft)

    @blueprint.post("/generate")
    def submit() -> Response:
        draft = read_draft(request.form)
        answer, good = answer_for(draft, limits), draft
        if answer.result is None:
            good = replace(_last_good(request.form), format=draft.format)
            answer = replace(answer, result=answer_for(good, limits).result)
        return _page(draft, answer, good)

    @blueprint.post("/generate/answer")
    def follow() -> Response:
        answer = answer_for(read_draft(request.form), limits)
        return partial(GeneratePartial(answer), replaces=answer.result is not None)

    return blueprint


def _last_good(form: Mapping[str, str]) -> GenerateDraft:
    """Return the draft that the page showed an answer to, which the plain form carries along; empty if it has none."""
    fields = json_in(form.get("last_good", ""))
    if not isinstance(fields, dict):
        return GenerateDraft()
    return read_draft({name: text for name, text in fields.items() if isinstance(text, str)})


def _page(draft: GenerateDraft, answer: GenerateAnswer, good: GenerateDraft) -> Response:
    kept = {name: "1" if value is True else value for name, value in asdict(good).items() if value is not False}
    return page(
        GeneratePage(
            nonce=nonce(),
            asset_version=asset_version(),
            draft=draft,
            fewest=choices(FEWEST, draft.fewest),
            guards=choices(GUARDS, draft.guard),
            lists=choices(LISTS, draft.lists),
            columns=choices(COLUMNS, draft.column),
            last_good=json.dumps(kept),
            answer=answer,
        )
    )
