"""The tools: field sets in both spellings, migration to server-side apply, two clients of one object."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from flask import Blueprint, Response, request

from web.config import Config
from web.contexts import (
    FieldsPage,
    FieldsPartial,
    MigrationDraft,
    MigrationPage,
    MigrationPartial,
    RacePage,
    RacePartial,
    ToolsPage,
)
from web.field_sets import SAMPLE, both_ways
from web.migration import migration, sample
from web.rendering import asset_version, nonce, page, partial, wants_partial
from web.two_clients import RaceDraft, client_forms, presets, raced, read_race


def create_blueprint(config: Config, clock: Callable[[], datetime]) -> Blueprint:
    """Return the routes of the tools. Each answers a GET with an example and a POST with what was typed."""
    blueprint = Blueprint("tools", __name__)
    limits = config.limits

    @blueprint.get("/tools")
    def show() -> Response:
        return page(ToolsPage(nonce(), asset_version()))

    @blueprint.get("/fields")
    def fields() -> Response:
        return page(FieldsPage(nonce(), asset_version(), both_ways(SAMPLE, "", from_paths=False, limits=limits)))

    @blueprint.post("/fields")
    def turn_fields() -> Response:
        form = request.form
        from_paths = (form.get("turned") or form.get("turn")) == "paths"
        texts = [form.get(name, "").replace("\r\n", "\n") for name in ("fields", "paths")]
        answer = both_ways(texts[0], texts[1], from_paths=from_paths, limits=limits)
        if wants_partial():
            return partial(FieldsPartial(answer), replaces=True)
        return page(FieldsPage(nonce(), asset_version(), answer))

    @blueprint.get("/migration")
    def migrate() -> Response:
        return _migration(sample())

    @blueprint.post("/migration")
    def follow_migration() -> Response:
        names = ("live", "body", "crds")
        live, body, crds = (request.form.get(name, "").replace("\r\n", "\n") for name in names)
        return _migration(MigrationDraft(live, body, crds, request.form.get("manager", "").strip()))

    def _migration(draft: MigrationDraft) -> Response:
        answer = migration(draft, limits, clock())
        if wants_partial():
            return partial(MigrationPartial(answer), replaces=not answer.problems)
        return page(MigrationPage(nonce(), asset_version(), draft, answer))

    @blueprint.get("/race")
    def two_clients() -> Response:
        return _race(RaceDraft())

    @blueprint.post("/race")
    def follow_race() -> Response:
        return _race(read_race(request.form))

    def _race(draft: RaceDraft) -> Response:
        answer = raced(draft, limits, clock())
        if wants_partial():
            clients = client_forms(draft) if "preset" in request.form else ()
            return partial(RacePartial(answer, clients), replaces=not answer.problems)
        return page(RacePage(nonce(), asset_version(), draft.live, client_forms(draft), presets(), answer))

    return blueprint
