"""Reasons -> what the page shows of them: a list, and a sentence at each line of the result."""

from __future__ import annotations

from collections.abc import Sequence

from engine.explain.reason import GONE, Reason, Why
from engine.explain.wording import RULES, sentence
from web.contexts import WhyRow
from web.lines import LineReasons, path_text
from web.owners import Legend
from web.translation import gettext, translated

_QUIET = (Why.IDENTITY, Why.UNOWNED, Why.DEFAULTED)
"""What the write and its rivals have no part in."""
_ORDER = (Why.REFUSED, Why.HELD, Why.LEFT, Why.REMOVED, Why.TAKEN, Why.SET, Why.WHOLE, Why.SHARED, Why.KEPT)
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


def line_reasons(reasons: Sequence[Reason]) -> LineReasons:
    """Return the sentence for each line of the result that shows a leaf."""
    return {(each.why in GONE, path_text(each.steps)): translated(sentence(each)) for each in reasons}
