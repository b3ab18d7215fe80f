"""A draft -> everything the page shows about it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from engine.errors import EngineError
from engine.evaluation import ConflictView, Evaluation, Write
from engine.explain.conflicts import classify
from engine.schema.structural import MalformedDefinition
from engine.value.codec import render_yaml
from engine.value.limits import Limits
from engine.value.model import Missing, Object, Value
from web import messages
from web.contexts import Answer, Conflict, Draft, Outcome, Problem, Result
from web.evaluating import evaluated
from web.forms import VIEWS, Unusable, read_write
from web.owners import Legend
from web.stale import stale_cards
from web.translation import gettext
from web.views import Subject, shown
from web.ways import CLASSES, contest_of, way_cards

BOOKKEEPING = frozenset(["/metadata/resourceVersion", "/metadata/generation"])


def answer_for(draft: Draft, limits: Limits, now: datetime, views: Collection[str] = tuple(VIEWS)) -> Answer:
    """Return what follows from `draft`: the API server's answer in the views that are asked for (by default in all),
    or why the draft is no request.
    """
    try:
        write = read_write(draft, limits)
        if write.body is None:
            return _idle(write, draft, now, views)
        done = evaluated(write, now)
        return _answer(Subject(write, done, draft, now), views)
    except Unusable as unusable:
        return _unusable(unusable.problems)
    except MalformedDefinition as error:
        return _unusable((Problem("crds", messages.sentence(error, "crds")),))
    except EngineError as error:
        return _unusable((Problem("body", messages.sentence(error, "body")),))


def _unusable(problems: tuple[Problem, ...]) -> Answer:
    return Answer(Outcome("stale", "", messages.stale(len(problems))), None, problems=problems)


def _idle(write: Write, draft: Draft, now: datetime, views: Collection[str]) -> Answer:
    if write.live is None:
        return Answer(Outcome("idle", "", gettext(messages.IDLE)), Result(views=frozenset(views)))
    subject = Subject(write, None, draft, now)
    return Answer(Outcome("idle", "", gettext(messages.ONLY_LIVE)), shown(subject, views))


def _answer(subject: Subject, views: Collection[str]) -> Answer:
    write, done = subject.write, subject.done
    assert done is not None
    conflicts = tuple(_conflict(write, conflict, subject.legend) for conflict in done.conflicts)
    text, now = subject.draft.body, subject.now
    ways = way_cards(contest_of(write, done, text, now)) or stale_cards(write, done, text, now)
    contested = len({conflict.field for conflict in done.conflicts})
    return Answer(_outcome(write, done, contested), shown(subject, views), conflicts, ways)


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


def _conflict(write: Write, conflict: ConflictView, marks: Legend) -> Conflict:
    badge = marks.find(conflict.manager, conflict.operation, conflict.subresource, conflict.api_version)
    owner = messages.owner(conflict.manager, conflict.operation, conflict.api_version, conflict.subresource)
    kind = classify(write.writer, conflict.manager, conflict.live, conflict.intended)
    yours, live = _inline(conflict.intended), _inline(conflict.live)
    return Conflict(badge, owner, conflict.path, yours, live, conflict.message, gettext(CLASSES[kind]))


def _inline(value: Value | Missing) -> str:
    """Return a value in a form that fits a table's cell."""
    if isinstance(value, Missing):
        return gettext("nothing")
    if isinstance(value, str):
        return value if value.strip() else '""'
    return render_yaml(value).strip()
