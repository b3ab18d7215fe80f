"""The ways out of a conflict -> what the page shows of them, and what choosing one does to the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher

from engine.errors import EngineError
from engine.evaluation import Evaluation, Write, WriteKind
from engine.explain.conflicts import ConflictClass
from engine.fieldpath.element import render_path
from engine.meta.manager import ManagerIdentifier
from engine.resolution import Contest, Way, WayOut, ways_out
from engine.value.limits import Limits
from web.contexts import Draft, TextChange, WayCard, WaysPartial
from web.evaluating import evaluated, uid_of
from web.forms import Unusable, read_write
from web.translation import gettext, marked, translated

TITLES = {Way.TAKE: marked("Take it"), Way.GIVE_UP: marked("Give it up"), Way.SHARE: marked("Share it")}
SUMMARIES = {
    Way.TAKE: marked("Force: your values win, and the others lose the contested fields."),
    Way.GIVE_UP: marked("Leave the contested fields out of your intent: the others keep them."),
    Way.SHARE: marked("Say what the live object says: nobody loses anything, and you own it together."),
}
ALONE = marked(
    "Force for this field alone: the other contested fields are left out of your intent, and to their owners."
)
CLASSES = {
    ConflictClass.SELF: marked("You yourself, by another operation: your update owns what you now apply."),
    ConflictClass.ATOMIC: marked("It is owned as a whole: any difference inside it is a conflict."),
    ConflictClass.EMPTY: marked("Null and empty are values, too: leaving the field out would be no opinion."),
    ConflictClass.QUANTITY: marked("The same amount, written differently; the server compares what is written."),
    ConflictClass.VALUE: marked("You want another value than its owner."),
}
MOST_FIELDS = 8
"""More fields than this are counted, not listed, in a way's outcome."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A way as a form names it: `share`, or `share 2` for the third of the conflicts alone."""

    way: Way
    number: int | None

    @staticmethod
    def read(text: str) -> Chosen | None:
        """Return the way that a form's field names, None if it names none."""
        name, _, number = text.partition(" ")
        if name not in {way.value for way in Way} or (number and not (number.isascii() and number.isdigit())):
            return None
        return Chosen(Way(name), int(number[:9]) if number else None)


def contest_of(write: Write, done: Evaluation, text: str, now: datetime) -> Contest:
    """Return the contest of a refused apply."""
    return Contest(write, done, text, now, lambda: uid_of(write.body))


def way_cards(contest: Contest) -> tuple[WayCard, ...]:
    """Return a card for each way out of all conflicts at once; none if there are no conflicts."""
    if not contest.done.conflicts:
        return ()
    fields = list(dict.fromkeys(each.field for each in contest.done.conflicts))
    return tuple(_card(each, contest.text, [render_path(field) for field in fields]) for each in ways_out(contest))


def ways_of_one(draft: Draft, number: int, limits: Limits, now: datetime) -> WaysPartial | None:
    """Return the ways out of one conflict of a draft, counted from 0; None if it has no such conflict.

    Raises:
        Unusable, EngineError: the draft is no request.
    """
    write = read_write(draft, limits)
    done = evaluated(write, now)
    if write.kind is not WriteKind.APPLY or number >= len(done.conflicts):
        return None
    field = done.conflicts[number].field
    found = ways_out(contest_of(write, done, draft.body, now), [field])
    cards = [_card(each, draft.body, [render_path(field)]) for each in found]
    alone = len({each.field for each in done.conflicts}) > 1
    return WaysPartial(
        tuple(
            replace(
                card,
                way=f"{card.way} {number}",
                summary=gettext(ALONE) if alone and each.way is Way.TAKE else card.summary,
            )
            for card, each in zip(cards, found, strict=True)
        )
    )


def _card(way: WayOut, text: str, fields: Sequence[str]) -> WayCard:
    outcome = [_owned(field, owners) for field, owners in zip(fields, way.owners, strict=False)]
    if len(outcome) > MOST_FIELDS:
        more = gettext("and %(number)s more", number=len(outcome) - MOST_FIELDS)
        outcome = [*outcome[:MOST_FIELDS], more]
    answer = "" if way.code < 300 else gettext("It would still be refused with %(code)s.", code=way.code)
    return WayCard(
        way=way.way.value,
        title=gettext(TITLES[way.way]),
        summary=gettext(SUMMARIES[way.way]),
        answer=answer,
        outcome=tuple(outcome),
        command=way.command,
        changes=text_changes(text, way.text),
        closed=translated(way.closed),
    )


def _owned(field: str, owners: Sequence[ManagerIdentifier]) -> str:
    names = [f"{owner.manager} ({owner.operation})" for owner in owners]
    if not names:
        return gettext("%(field)s: gone from the object", field=field)
    return gettext("%(field)s: owned by %(owners)s", field=field, owners=gettext(" and ").join(names))


def text_changes(before: str, after: str) -> tuple[TextChange, ...]:
    """Return the lines of a text that go and come, with their numbers before and after."""
    old, new = before.splitlines(), after.splitlines()
    out: list[TextChange] = []
    for tag, first, last, to_first, to_last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            out += [TextChange("removed", number + 1, old[number]) for number in range(first, last)]
            out += [TextChange("added", number + 1, new[number]) for number in range(to_first, to_last)]
    return tuple(out)


def resolved(draft: Draft, chosen: Chosen, limits: Limits, now: datetime) -> Draft | None:
    """Return the draft after a way was chosen; None if it has no such conflict, or the way is closed."""
    try:
        write = read_write(draft, limits)
        if write.kind is not WriteKind.APPLY:
            return None
        done = evaluated(write, now)
    except (Unusable, EngineError):
        return None
    fields = [each.field for each in done.conflicts]
    if chosen.number is not None:
        fields = fields[chosen.number : chosen.number + 1]
    if not fields:
        return None
    found = next(each for each in ways_out(contest_of(write, done, draft.body, now), fields) if each.way is chosen.way)
    return None if found.closed else replace(draft, body=found.text, force=found.force)
