"""The ways out of a conflict of owners: take the field, give it up, share it; each tried before it is chosen.

Taking keeps the intent and forces; where only some of the contested fields are to be taken, the others are given up,
since there is no force for one. Giving up takes the field out of the intent, and what held only it along with it.
Sharing writes the live value into the intent. The intent is the person's own text: all but the touched lines stay.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from functools import lru_cache

from engine.errors import EngineError
from engine.evaluation import ConflictView, Evaluation, Write, evaluate
from engine.fieldpath.element import FieldName, Path, parse_element
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.manager import ManagerIdentifier
from engine.said import said
from engine.schema.elements import TypeRef
from engine.typed.locate import Locator, steps_to
from engine.value.codec import parse_yaml
from engine.value.edit import NotInText, Steps, with_value, without
from engine.value.model import MISSING, Missing, Value


class Way(Enum):
    """The three ways, by the name that forms and commands use."""

    TAKE = "take"
    GIVE_UP = "give-up"
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class WayOut:
    """One way out of some conflicts, as it would end.

    text is the intent to apply then, and force whether to force. code is the answer that this gets. owners are those
    of each field afterwards, in the order of the fields; empty if the object does not have it any more. command is the
    kubectl line. If the way is not open, closed says why, and all else is as if nothing were done.
    """

    way: Way
    text: str
    force: bool
    code: int
    owners: tuple[tuple[ManagerIdentifier, ...], ...]
    command: str
    closed: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """A refused apply: the write, what came of it, and the intent's own text."""

    write: Write
    done: Evaluation
    text: str
    now: datetime
    new_uid: Callable[[], str]


MOST_REWRITTEN = 150
"""Fields that an intent's text is rewritten for: each takes reading and writing it anew."""


@dataclass(eq=False)
class TooManyFields(EngineError):
    """More contested fields than a text is rewritten for."""

    count: int

    def __str__(self) -> str:
        return said(
            "there are %(count)s contested fields, and at most %(most)s are changed in a text by itself; "
            "change the text, or take them all",
            count=self.count,
            most=MOST_REWRITTEN,
        )


def ways_out(contest: Contest, fields: Iterable[Path] | None = None) -> tuple[WayOut, ...]:
    """Return the three ways out of the conflicts over some fields, of all if none are named, in the order of Way."""
    wanted = set(fields) if fields is not None else {each.field for each in contest.done.conflicts}
    chosen = _once([each for each in contest.done.conflicts if each.field in wanted])
    others = _once([each for each in contest.done.conflicts if each.field not in wanted])
    return tuple(_tried(contest, way, chosen, others) for way in Way)


def _once(conflicts: list[ConflictView]) -> list[ConflictView]:
    """One conflict for each field, whoever it is with."""
    return list({each.field: each for each in conflicts}.values())


def _tried(contest: Contest, way: Way, conflicts: list[ConflictView], others: list[ConflictView]) -> WayOut:
    text, force = contest.text, way is Way.TAKE or contest.write.force
    command = _command(contest.write, force=force)
    try:
        text = _rewritten(contest, *((Way.GIVE_UP, others) if way is Way.TAKE else (way, conflicts)))
        body = contest.write.body if text == contest.text else _value_of(text)
        done = evaluate(replace(contest.write, body=body, force=force), now=contest.now, new_uid=contest.new_uid)
    except NotInText as error:
        return WayOut(way, contest.text, contest.write.force, contest.done.code, (), command, str(error))
    except EngineError as error:
        return WayOut(way, contest.text, contest.write.force, contest.done.code, (), command, str(error))
    owners = _owners(done, [each.field for each in conflicts])
    return WayOut(way, text, force, done.code, owners, command)


def _rewritten(contest: Contest, way: Way, conflicts: list[ConflictView]) -> str:
    if len(conflicts) > MOST_REWRITTEN:
        raise TooManyFields(len(conflicts))
    text = contest.text
    for each in conflicts:
        if way is Way.SHARE and not isinstance(each.live, Missing):
            text = with_value(text, _steps(text, contest.done.type, each.field), each.live)
        else:
            text = given_up(text, contest.done.type, each.field)
    return text


def _value_of(text: str) -> Value:
    """Return what a text holds, read once for all that is looked up in it. Nobody changes a value."""
    return _read(text) if len(text) <= _MOST_KEPT else parse_yaml(text)


_MOST_KEPT = 1 << 16
_read = lru_cache(maxsize=16)(parse_yaml)


def _steps(text: str, type_ref: TypeRef, field: Path) -> Steps:
    found = steps_to(_value_of(text), type_ref, field)
    if found is None:
        raise NotInText(tuple(element[2:] for element in field))
    return found


def given_up(text: str, type_ref: TypeRef, field: Path) -> str:
    """Return an intent's text without a field, and without what held nothing else.

    A list item that is left with its keys alone stays: it may be owned for its own sake.

    Raises:
        NotInText: the text does not spell the field at its place.
    """
    steps = _steps(text, type_ref, field)
    value = _value_of(text)
    while len(steps) > 1 and _holds_only(value, steps) and not _is_item(field, len(steps) - 1):
        steps = steps[:-1]
    return without(text, steps)


def _holds_only(value: Value, steps: Steps) -> bool:
    holder: Value | Missing = value
    for step in steps[:-1]:
        holder = holder[step] if isinstance(holder, dict | list) else MISSING  # type: ignore[index]
    return isinstance(holder, dict | list) and len(holder) == 1


def _is_item(field: Path, length: int) -> bool:
    """True if the holder at this length of a field's path is an item of a list."""
    return length > 0 and not isinstance(parse_element(field[length - 1]), FieldName)


def _owners(done: Evaluation, fields: Iterable[Path]) -> tuple[tuple[ManagerIdentifier, ...], ...]:
    """Who owns each field of the object as it is after a write, nobody if it is not there."""
    obj = done.after if done.after is not None else done.before
    if obj is None:
        return tuple(() for _ in fields)
    places, held = Locator(obj, done.type), decode_entries(entries_of(obj)).fields
    return tuple(
        tuple(manager for manager, owned in held.items() if field in owned.fields)
        if places.value(field) is not MISSING
        else ()
        for field in fields
    )


def _command(write: Write, *, force: bool) -> str:
    words = ["kubectl", "apply", "--server-side", f"--field-manager={shlex.quote(write.writer)}"]
    words += ["--force-conflicts"] if force else []
    words += [f"--subresource={write.subresource}"] if write.subresource else []
    return " ".join([*words, "-f", "FILE"])
