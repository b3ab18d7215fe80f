"""Reasons -> what the page shows of them: a list, and a sentence for each line of the result.

The sentences are asked for when somebody points at a line: with 500 lines they are a quarter of the work of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine.explain.reason import GONE, Reason, Why
from engine.explain.wording import RULES, sentence
from engine.explanation import explain
from engine.value.limits import Limits
from web.contexts import Draft, WhyRow
from web.evaluating import evaluated
from web.forms import read_write
from web.lines import path_text
from web.owners import Legend
from web.translation import gettext, translated

_QUIET = (Why.IDENTITY, Why.UNOWNED, Why.DEFAULTED)
"""What the write and its rivals have no part in."""
_ORDER = (Why.REFUSED, Why.HELD, Why.LEFT, Why.REMOVED, Why.RESET, Why.TAKEN, Why.SET, Why.WHOLE, Why.SHARED, Why.KEPT)
"""What surprises comes first."""


def why_rows(reasons: Sequence[Reason], legend: Legend) -> tuple[WhyRow, ...]:
    """Return a row for each reason: what surprises first, what the write has no part in last and marked as quiet."""
    ranks = {why: rank for rank, why in enumerate((*_ORDER, *_QUIET))}
    return tuple(_row(each, legend) for each in sorted(reasons, key=lambda each: ranks[each.why]))


def _row(reason: Reason, legend: Legend) -> WhyRow:
    rule = RULES[reason.why]
    badges = tuple(
        badge
        for owner in reason.owners
        if (badge := legend.find(owner.manager, owner.operation, owner.subresource, owner.api_version)) is not None
    )
    path = path_text(reason.steps) or gettext("the object")
    return WhyRow(
        path,
        reason.why.value,
        translated(sentence(reason)),
        translated(rule.text),
        translated(rule.source),
        badges,
        quiet=reason.why in _QUIET,
    )


def line_reasons(draft: Draft, limits: Limits, now: datetime) -> dict[str, object]:
    """Return why each field of a write's result is as it is, for whoever points at a line of it.

    "sentences" is a list; "kept" and "gone" tell for the path of a field that is there, or was, which of them it is.

    Raises:
        Unusable, EngineError: the draft is no write.
    """
    write = read_write(draft, limits)
    reasons = explain(write, evaluated(write, now)) if write.body is not None else ()
    numbers: dict[str, int] = {}
    places: dict[bool, dict[str, int]] = {True: {}, False: {}}
    for each in reasons:
        told = translated(sentence(each))
        places[each.why in GONE][path_text(each.steps)] = numbers.setdefault(told, len(numbers))
    return {"sentences": list(numbers), "kept": places[False], "gone": places[True]}
