"""A draft -> everything the page shows about it."""

from __future__ import annotations

from datetime import datetime
from functools import reduce

from engine.errors import EngineError
from engine.evaluation import ConflictView, Evaluation, Write, WriteKind
from engine.explain.conflicts import classify
from engine.explanation import explain
from engine.meta.gvk import gvk_of
from engine.ownership.blame import Blame, blame
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import MalformedDefinition, kinds_of_definition
from engine.value.codec import render_json, render_yaml
from engine.value.limits import Limits
from engine.value.model import Missing, Object, Value
from web import messages
from web.contexts import Answer, Conflict, Draft, Operation, Outcome, Problem, Result
from web.entries import entries, entry_owners, size_of
from web.evaluating import evaluated
from web.forms import Unusable, read_write
from web.lines import gutter, result_lines
from web.owners import Legend, legend
from web.schema_view import schema_view
from web.stale import stale_cards
from web.steps import dialects_of, steps_of
from web.three_lists import three_lists_of
from web.translation import gettext
from web.ways import CLASSES, contest_of, way_cards
from web.why import line_reasons, why_rows

NO_OWNERS = Blame((), ())
BOOKKEEPING = frozenset(["/metadata/resourceVersion", "/metadata/generation"])


def answer_for(draft: Draft, limits: Limits, now: datetime) -> Answer:
    """Return what follows from `draft`: the API server's answer in all its views, or why the draft is no request."""
    try:
        write = read_write(draft, limits)
        if write.body is None:
            return _idle(write, draft.schema_path)
        done = evaluated(write, now)
        return _answer(write, done, draft, now)
    except Unusable as unusable:
        return _unusable(unusable.problems)
    except MalformedDefinition as error:
        return _unusable((Problem("crds", messages.sentence(error, "crds")),))
    except EngineError as error:
        return _unusable((Problem("body", messages.sentence(error, "body")),))


def _unusable(problems: tuple[Problem, ...]) -> Answer:
    return Answer(Outcome("stale", "", messages.stale(len(problems))), None, problems=problems)


def _idle(write: Write, schema_path: str) -> Answer:
    live, catalog = write.live, _catalog(write.crds)
    if live is None:
        return Answer(Outcome("idle", "", gettext(messages.IDLE)), Result())
    held = _blame(live, catalog)
    marks = legend([held.owners, entry_owners(live)])
    lines = result_lines(held.lines, held.owners, held.lines, held.owners, marks)
    result = Result(
        lines=lines,
        gutter=gutter(lines),
        owners=marks.badges,
        entries=entries(None, live, marks),
        size=size_of(live),
        schema=schema_view(write, catalog, schema_path),
    )
    return Answer(Outcome("idle", "", gettext(messages.ONLY_LIVE)), result)


def _answer(write: Write, done: Evaluation, draft: Draft, now: datetime) -> Answer:
    catalog = _catalog(write.crds)
    before, after = _blame(done.before, catalog), _blame(done.after, catalog)
    marks = legend([before.owners, entry_owners(done.before), after.owners, entry_owners(done.after)])
    conflicts = tuple(_conflict(write, conflict, marks) for conflict in done.conflicts)
    reasons = explain(write, done)
    refused = done.after is None
    stepwise = write.kind is WriteKind.JSON_PATCH
    shown = before if refused else after
    contested = frozenset(held.path for held in conflicts)
    lines = result_lines(
        before.lines, before.owners, shown.lines, shown.owners, marks, contested, line_reasons(reasons)
    )
    result = Result(
        lines=lines,
        gutter=gutter(lines),
        owners=marks.badges,
        note=gettext(messages.REFUSED_SHOWS_LIVE) if refused and done.before is not None else "",
        operations=tuple(_operation(operation) for operation in done.json_patch),
        patch=render_json(done.json_patch, 2) if done.json_patch else "",
        entries=entries(done.before, done.before if refused else done.after, marks),
        size=size_of(done.before if refused else done.after),
        response=render_json(done.body, 2),
        warnings=done.warnings,
        request_line=_request_line(done.request_sent),
        request_body=_request_body(done.request_sent),
        dialects=dialects_of(done.before, write.body) if stepwise and done.before else (),
        steps=steps_of(done.before, write.body) if stepwise and done.before else (),
        why=why_rows(reasons, marks),
        schema=schema_view(write, catalog, draft.schema_path),
        three_lists=three_lists_of(write, done),
    )
    ways = way_cards(contest_of(write, done, draft.body, now)) or stale_cards(write, done, draft.body, now)
    return Answer(_outcome(write, done, len(conflicts)), result, conflicts, ways)


def _outcome(write: Write, done: Evaluation, conflicts: int) -> Outcome:
    code = str(done.code)
    if done.after is None:
        return Outcome("refused", code, messages.refusal(done.body, conflicts))
    if done.before is not None and done.before == done.after:
        return Outcome("same", code, messages.unchanged(len(done.warnings)))
    return Outcome(
        "done",
        code,
        messages.success(change_count(done.json_patch), done.before is None, write.dry_run, len(done.warnings)),
    )


def change_count(patch: list[Object]) -> int:
    """Return how many operations there are besides those that every write brings along."""
    return sum(operation["path"] not in BOOKKEEPING for operation in patch)


def _blame(obj: Object | None, catalog: Catalog) -> Blame:
    return NO_OWNERS if obj is None else blame(obj, catalog.type_of(gvk_of(obj)))


def _catalog(crds: tuple[Object, ...]) -> Catalog:
    """Return the catalog in which the kinds of `crds` stand beside the built-in ones."""
    return reduce(lambda catalog, crd: catalog.with_kinds(kinds_of_definition(crd)), crds, builtin_catalog())


def _conflict(write: Write, conflict: ConflictView, marks: Legend) -> Conflict:
    badge = marks.find(conflict.manager, conflict.operation, conflict.subresource, conflict.api_version)
    owner = messages.owner(conflict.manager, conflict.operation, conflict.api_version, conflict.subresource)
    kind = classify(write.writer, conflict.manager, conflict.live, conflict.intended)
    yours, live = _inline(conflict.intended), _inline(conflict.live)
    return Conflict(badge, owner, conflict.path, yours, live, conflict.message, gettext(CLASSES[kind]))


def _operation(operation: Object) -> Operation:
    value = render_json(operation["value"], 2) if "value" in operation else ""
    return Operation(str(operation["op"]), str(operation["path"]), str(operation.get("from", "")), value)


def _inline(value: Value | Missing) -> str:
    """Return a value in a form that fits a table's cell."""
    if isinstance(value, Missing):
        return gettext("nothing")
    if isinstance(value, str):
        return value if value.strip() else '""'
    return render_yaml(value).strip()


def _request_line(request: Object | None) -> str:
    if request is None:
        return ""
    return f"{request['method']} {request['contentType']}"


def _request_body(request: Object | None) -> str:
    return "" if request is None else render_json(request["body"], 2)
