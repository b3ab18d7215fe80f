"""A history of drafts, each written to what the one before it left: committed one by one, or played over again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine.errors import EngineError
from engine.evaluation import Evaluation
from engine.value.codec import render_yaml
from engine.value.limits import Limits
from web import messages
from web.answers import change_count
from web.contexts import Draft
from web.evaluating import evaluated
from web.forms import Unusable, read_write
from web.schema_view import redefinition
from web.translation import gettext

MOST_STEPS = 100
"""More than this is refused: each step is a whole evaluation."""


@dataclass(frozen=True, slots=True)
class Step:
    """What came of one write of a history.

    code is empty if the draft was no request; sentence says what happened; live is the object after it as text, with
    its managedFields, and empty if there is none.
    """

    code: str
    sentence: str
    live: str


def played(live: str, drafts: Sequence[Draft], limits: Limits, now: datetime) -> tuple[Step, ...]:
    """Return what comes of some drafts, one after the other; each is written to what those before it left.

    A write that is refused, or is only a dry run, changes nothing, and the history goes on.
    """
    out: list[Step] = []
    for draft in drafts:
        step = written(replace(draft, live=live), limits, now)
        out.append(step)
        live = step.live
    return tuple(out)


def written(draft: Draft, limits: Limits, now: datetime) -> Step:
    """Return what comes of one draft; one that changes the schema writes nothing."""
    try:
        write = read_write(draft, limits)
        if draft.redefine:
            return Step("schema", redefinition(draft.redefine), draft.live)
        if write.body is None:
            return Step("", gettext("There is nothing to write."), draft.live)
        done = evaluated(write, now)
    except Unusable as unusable:
        return Step("", messages.stale(len(unusable.problems)), draft.live)
    except EngineError as error:
        return Step("", messages.sentence(error, "body"), draft.live)
    return Step(str(done.code), _sentence(draft, done), _live(draft, done))


def _sentence(draft: Draft, done: Evaluation) -> str:
    if done.after is None:
        return messages.refusal(done.body, len(done.conflicts))
    if done.before is not None and done.before == done.after:
        return messages.unchanged(len(done.warnings))
    return messages.success(change_count(done.json_patch), done.before is None, draft.dry_run, len(done.warnings))


def _live(draft: Draft, done: Evaluation) -> str:
    if done.after is None or draft.dry_run:
        return draft.live
    return render_yaml(done.after)
