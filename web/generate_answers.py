"""A draft of /generate -> everything that the page shows about it."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.generate.exact import identical, render_exactly
from engine.generate.generate import generate
from engine.generate.model import Answer, Format, Generated, Order
from engine.value.codec import render_yaml
from engine.value.failures import render_path
from engine.value.limits import Limits
from web import messages
from web.contexts import DiffGroup, FormatRow, GenerateAnswer, GenerateDraft, GenerateResult, MadePatch, Outcome
from web.generate_diff import diff_groups
from web.generate_forms import FORMATS, Unreadable, order_of, read_documents
from web.translation import gettext, marked, ngettext, translated

IDLE = marked("Paste two documents: what turns the first into the second follows as you type.")

MOST_LINES = 3_000
"""Lines of the visual diff that a page holds. All of two lists of 10,000 items would be 10 MB."""
NOT_ASKED = MadePatch("", "", "", (), "", "")


def answer_for(draft: GenerateDraft, limits: Limits) -> GenerateAnswer:
    """Return what follows from `draft`: the change in every format, or why a document cannot be read."""
    try:
        before, after = read_documents(draft, limits)
    except Unreadable as unreadable:
        told = messages.stale(len(unreadable.problems))
        return GenerateAnswer(Outcome("stale", "", told), None, unreadable.problems)
    if before is None or after is None:
        return GenerateAnswer(Outcome("idle", "", gettext(IDLE)), GenerateResult((), 0, 0, ()))
    order = order_of(draft, before.value, after.value)
    rows = tuple(_row(order, Format(value), label, draft.format) for value, label in FORMATS.items())
    groups = diff_groups(before, after)
    changes = [line.change for group in groups for line in group.lines]
    result = GenerateResult(within(groups, MOST_LINES), changes.count("added"), changes.count("removed"), rows)
    return GenerateAnswer(_outcome(order, rows), result)


def within(groups: tuple[DiffGroup, ...], most: int) -> tuple[DiffGroup, ...]:
    """Return the groups with at most `most` lines in all; what comes after is counted, and not there."""
    kept: list[DiffGroup] = []
    for group in groups:
        sent = group.lines[:most]
        most -= len(sent)
        if not sent and kept and kept[-1].unsent:
            kept[-1] = replace(kept[-1], unsent=kept[-1].unsent + len(group.lines))
        else:
            kept.append(replace(group, lines=sent, unsent=len(group.lines) - len(sent)))
    return tuple(kept)


def _outcome(order: Order, rows: tuple[FormatRow, ...]) -> Outcome:
    if identical(order.before, order.after):
        return Outcome("same", "=", gettext("The two documents are the same: there is nothing to patch."))
    chosen = next(row for row in rows if row.chosen)
    if chosen.there.reason:
        return Outcome("refused", gettext("no"), chosen.there.reason)
    told = gettext("%(format)s: %(facts)s.", format=chosen.label, facts=chosen.there.facts)
    return Outcome("done", gettext("proved"), told)


def _row(order: Order, wanted: Format, label: str, chosen: str) -> FormatRow:
    asked = replace(order, format=wanted)
    there = generate(asked)
    shown = wanted.value == chosen
    back = made_patch(generate(replace(asked, before=order.after, after=order.before))) if shown else NOT_ASKED
    short = f"{there.size:,} B" if isinstance(there, Generated) else gettext("cannot")
    return FormatRow(wanted.value, gettext(label), shown, short, made_patch(there), back)


def made_patch(answer: Answer) -> MadePatch:
    """Return a generator's answer as the page shows it."""
    if not isinstance(answer, Generated):
        place = render_path(answer.path) if answer.path else ""
        return MadePatch("", "", "", (), translated(answer.reason), place)
    by = translated(answer.proved_by)
    proof = gettext("Proved: applied with %(by)s, it gives the wanted document.", by=by)
    if answer.format is not Format.JSON_PATCH:
        proof = gettext("Proved: %(by)s, gives the wanted document.", by=by)
    return MadePatch(_text(answer), _facts(answer), proof, tuple(map(translated, answer.notes)), "", "")


def _text(answer: Generated) -> str:
    if answer.format is Format.JSON_PATCH and isinstance(answer.patch, list):
        # With blanks after colons and commas, so that a long operation wraps where a person would break it.
        lines = ",\n".join(f"  {json.dumps(operation, ensure_ascii=False)}" for operation in answer.patch)
        return f"[\n{lines}\n]" if lines else "[]"
    if answer.format is Format.APPLY:
        return render_yaml(answer.patch)
    return render_exactly(answer.patch, 2)


def _facts(answer: Generated) -> str:
    number, count = f"{answer.operations:,}", answer.operations
    size = gettext("%(number)s bytes", number=f"{answer.size:,}")
    if answer.format is not Format.JSON_PATCH:
        return gettext(", ").join([ngettext("%(number)s value", "%(number)s values", count, number=number), size])
    facts = [ngettext("%(number)s operation", "%(number)s operations", count, number=number)]
    tests = len(answer.patch) - count if isinstance(answer.patch, list) else 0
    if tests:
        facts += [ngettext("%(number)s test", "%(number)s tests", tests, number=f"{tests:,}")]
    return gettext(", ").join([*facts, size])
