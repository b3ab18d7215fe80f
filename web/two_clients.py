"""Two clients of one object: what each request gets, what is lost in the end, and what a lock would have done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.errors import EngineError
from engine.evaluation import WriteKind
from engine.racing import Act, Client, Event, Manner, Move, Race, locked, race
from engine.value.codec import render_yaml
from engine.value.document import read_document
from engine.value.limits import Limits
from engine.value.model import Object
from web import messages
from web.contexts import Choice, ClientForm, Draft, EventRow, Outcome, Problem, RaceAnswer
from web.evaluating import uid_of
from web.forms import Unusable, read_write
from web.translation import gettext as _
from web.translation import marked

MANNERS = {
    Manner.PUT: marked("PUT with the resourceVersion it read"),
    Manner.BLIND_PUT: marked("PUT without resourceVersion"),
    Manner.PATCH: marked("PATCH of its change alone"),
}
NAMES = ("anna", "ben")
PLACES = ("change_a", "change_b")
MOST_MOVES = 24
FOUR_STEPS = "anna get, ben get, anna write, ben write"
PRESETS = {
    "lost": (marked("Lost update: two GETs, two PUTs without resourceVersion"), Manner.BLIND_PUT, False),
    "refused": (marked("The same with resourceVersion: 409"), Manner.PUT, False),
    "retried": (marked("With resourceVersion, and trying again"), Manner.PUT, True),
    "patched": (marked("Patches instead of PUTs"), Manner.PATCH, False),
}
LIVE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: limits
  namespace: shop
  resourceVersion: "100"
data:
  cpu: "1"
  memory: 1Gi
"""
CHANGES = ('data:\n  cpu: "2"\n', "data:\n  memory: 2Gi\n")


@dataclass(frozen=True, slots=True)
class RaceDraft:
    """What a person typed and chose: the object, and of each client its change, its manner and whether it retries.

    order is the text of the moves, `anna get, ben write`.
    """

    live: str = LIVE
    changes: tuple[str, str] = CHANGES
    manners: tuple[Manner, Manner] = (Manner.BLIND_PUT, Manner.BLIND_PUT)
    retries: tuple[bool, bool] = (False, False)
    order: str = FOUR_STEPS


def read_race(fields: Mapping[str, str]) -> RaceDraft:
    """Return what the form holds, after what a button of it does: a ready example, a move more, one less."""
    order = fields.get("order", FOUR_STEPS)
    manners = (_manner(fields.get("manner_a", "")), _manner(fields.get("manner_b", "")))
    retries = ("retries_a" in fields, "retries_b" in fields)
    ready = PRESETS.get(fields.get("preset", ""))
    if ready is not None:
        order, manners, retries = FOUR_STEPS, (ready[1], ready[1]), (ready[2], ready[2])
    moves = [each.strip() for each in order.split(",") if each.strip()]
    if fields.get("add"):
        moves.append(fields["add"])
    if "back" in fields:
        moves = moves[:-1]
    if "clear" in fields:
        moves = []
    live, first, second = (fields.get(name, "").replace("\r\n", "\n") for name in ("live", *PLACES))
    return RaceDraft(live, (first, second), manners, retries, ", ".join(moves))


def client_forms(draft: RaceDraft) -> tuple[ClientForm, ...]:
    """Return the clients as the form shows them."""
    return tuple(
        ClientForm(
            name,
            draft.changes[at],
            tuple(Choice(each.value, _(label), each is draft.manners[at]) for each, label in MANNERS.items()),
            draft.retries[at],
        )
        for at, name in enumerate(NAMES)
    )


def presets() -> tuple[Choice, ...]:
    """Return the ready examples."""
    return tuple(Choice(name, _(label), False) for name, (label, _manner, _retries) in PRESETS.items())


def raced(draft: RaceDraft, limits: Limits, now: datetime) -> RaceAnswer:
    """Return what comes of the order, or what is wrong with what was typed."""
    problems: list[Problem] = []
    live = _live(draft.live, limits, problems)
    changes = [_change(text, place, limits, problems) for text, place in zip(draft.changes, PLACES, strict=True)]
    moves = _moves(draft.order, problems)
    if problems:
        return RaceAnswer(_stale(problems), draft.order, _choices(), problems=tuple(problems))
    if live is None:
        idle = Outcome("idle", "", _("Paste the object that the two clients work on."))
        return RaceAnswer(idle, draft.order, _choices())
    clients = [Client(name, changes[at], draft.manners[at], draft.retries[at]) for at, name in enumerate(NAMES)]
    try:
        found = race(live, (), clients, moves, now, lambda: uid_of(live))
        under_lock = locked(live, (), clients, moves, now, lambda: uid_of(live))
    except EngineError as error:
        wrong = (Problem("live", messages.sentence(error, "live")),)
        return RaceAnswer(_stale(list(wrong)), draft.order, _choices(), problems=wrong)
    return RaceAnswer(
        outcome=_outcome(found),
        order=draft.order,
        moves=_choices(),
        events=tuple(_row(each) for each in found.events),
        end=render_yaml(found.end),
        lock_sentence=_under_lock(under_lock),
        lock_events=tuple(_row(each) for each in under_lock.events),
    )


def _stale(problems: list[Problem]) -> Outcome:
    return Outcome("stale", "", messages.stale(len(problems)))


def _manner(text: str) -> Manner:
    return Manner(text) if text in {each.value for each in Manner} else Manner.PUT


def _live(text: str, limits: Limits, problems: list[Problem]) -> Object | None:
    try:
        return read_write(Draft(WriteKind.UPDATE.value, live=text), limits).live
    except Unusable as unusable:
        problems.extend(unusable.problems)
        return None


def _change(text: str, place: str, limits: Limits, problems: list[Problem]) -> Object:
    if not text.strip():
        return {}
    try:
        value = read_document(text, limits).value
    except EngineError as error:
        line, column = getattr(error, "line", None) or 0, getattr(error, "column", None) or 0
        problems.append(Problem(place, messages.sentence(error, place), line, column))
        return {}
    if not isinstance(value, dict):
        problems.append(Problem(place, messages.not_a_map(value, place), 1, 1))
        return {}
    return value


def _moves(text: str, problems: list[Problem]) -> list[Move]:
    moves = []
    for each in filter(None, (part.strip() for part in text.split(","))):
        name, _space, act = each.partition(" ")
        if name not in NAMES or act not in ("get", "write"):
            told = _('"%(move)s" is no move; expected one of %(moves)s.', move=each[:60], moves=", ".join(_spelled()))
            problems.append(Problem("order", told))
            return []
        moves.append(Move(name, Act(act)))
    if len(moves) > MOST_MOVES:
        told = _("The order has %(count)s moves; at most %(most)s are played.", count=len(moves), most=MOST_MOVES)
        problems.append(Problem("order", told))
    return moves


def _spelled() -> list[str]:
    return [f"{name} {act.value}" for name in NAMES for act in Act]


def _choices() -> tuple[Choice, ...]:
    return tuple(Choice(f"{name} {act.value}", _move(name, act), False) for name in NAMES for act in Act)


def _move(name: str, act: Act) -> str:
    return _("%(name)s reads", name=name) if act is Act.GET else _("%(name)s writes", name=name)


def _outcome(found: Race) -> Outcome:
    if found.lost:
        names = ", ".join(found.lost)
        return Outcome(
            "refused",
            "",
            _(
                "Lost: the server took the write of %(names)s with a 200, and the change is not there any more.",
                names=names,
            ),
        )
    if found.refused:
        names = ", ".join(found.refused)
        return Outcome(
            "same", "", _("Nothing is lost. %(names)s was refused, knows it, and can read again.", names=names)
        )
    return Outcome("done", "", _("Nothing is lost: every change that was written is there."))


def _row(event: Event) -> EventRow:
    request = event.method
    if event.act is Act.WRITE and event.version:
        request = _("%(method)s, resourceVersion %(version)s", method=event.method, version=event.version)
    if event.waits:
        return EventRow(event.client, request, "", _("waits: the other holds the lock"), "idle")
    if not event.code:
        return EventRow(event.client, request, "", _("has read nothing yet: there is no copy to write back"), "idle")
    sentence = event.message
    if event.act is Act.GET:
        sentence = _("reads resourceVersion %(version)s", version=event.version)
    elif event.code < 300:
        after = event.after or {}
        version = (after.get("metadata") or {}).get("resourceVersion", "")
        sentence = _("the object is at resourceVersion %(version)s now", version=version)
    if event.again:
        sentence = _("tries again: %(what)s", what=sentence)
    return EventRow(event.client, request, str(event.code), sentence, "refused" if event.code >= 300 else "done")


def _under_lock(found: Race) -> str:
    waited = sum(event.waits for event in found.events)
    waiting = {event.client for event in found.events if event.waits}
    done = {event.client for event in found.events if event.act is Act.WRITE and event.code}
    if not waited:
        return _("With a lock the same happens: nobody had to wait in this order.")
    if waiting - done:
        return _(
            "With a lock %(names)s would still be waiting: who holds it has not written. A client that dies with the "
            "lock stops all others, which is why Kubernetes has none.",
            names=", ".join(sorted(waiting - done)),
        )
    return _(
        "With a lock nothing is lost either, but %(names)s would have waited until the other was done. Kubernetes lets "
        "both go on, and refuses the later write where it knows the version.",
        names=", ".join(sorted(waiting)),
    )
