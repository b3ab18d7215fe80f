"""What came to a workspace's API, for those who look on: the last requests, and who gained or lost which fields.

It is kept in this process only, and forgets: another server process on the same store tells of its own requests.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.apiserver.storage import Change
from engine.errors import EngineError
from engine.fieldpath.element import render_path
from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.manager import ManagerIdentifier
from engine.value.model import Object

MOST_REQUESTS = 100
MOST_OWNERS = 20
MOST_PATHS = 10
MOST_LETTERS = 300
"""How much is kept: requests, owners of one request, paths of one owner, letters of one text."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """What an owner of an object gained and lost by a request; more counts the paths that are left out."""

    target: str
    manager: str
    operation: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Happening:
    """One request that came. number counts them."""

    number: int
    time: str
    method: str
    path: str
    content_type: str
    code: int
    ownership: tuple[Ownership, ...]


class Journal:
    """The last requests to a workspace, to be used by any number of threads."""

    def __init__(self) -> None:
        self._kept: deque[Happening] = deque(maxlen=MOST_REQUESTS)
        self._count = 0
        self._bell = threading.Condition()
        self.closed = False

    def add(
        self, time: str, method: str, path: str, content_type: str, code: int, changes: Iterable[Change] = ()
    ) -> None:
        """Note a request, and wake those who wait for one."""
        ownership = tuple(each for change in changes for each in ownership_of(change))[:MOST_OWNERS]
        path, content_type = path[:MOST_LETTERS], content_type[:MOST_LETTERS]
        with self._bell:
            self._count += 1
            self._kept.append(Happening(self._count, time, method, path, content_type, code, ownership))
            self._bell.notify_all()

    def close(self) -> None:
        """End: those who wait are woken, and nobody waits any more."""
        with self._bell:
            self.closed = True
            self._bell.notify_all()

    def after(self, number: int, seconds: float = 0) -> list[Happening]:
        """Return the requests after the one of that number, oldest first; waits at most `seconds` for one."""
        with self._bell:
            if seconds and self._count <= number and not self.closed:
                self._bell.wait(seconds)
            return [each for each in self._kept if each.number > number]


def ownership_of(change: Change) -> list[Ownership]:
    """Return what each owner gained and lost by a change, leaving out those who did neither."""
    key = change.key
    target = "/".join(filter(None, (key.resource, key.namespace, key.name)))
    before, after = _owned(change.before), _owned(change.after)
    found = []
    for manager in sorted({**before, **after}, key=lambda each: each.order):
        was, now = before.get(manager, EMPTY), after.get(manager, EMPTY)
        gained, lost = (_paths(fields) for fields in (now.difference(was), was.difference(now)))
        if gained or lost:
            found.append(
                Ownership(
                    target,
                    manager.manager,
                    manager.operation,
                    gained[:MOST_PATHS],
                    lost[:MOST_PATHS],
                    more=sum(max(0, len(paths) - MOST_PATHS) for paths in (gained, lost)),
                )
            )
    return found


def _owned(obj: Object | None) -> Mapping[ManagerIdentifier, FieldSet]:
    if obj is None:
        return {}
    try:
        return {manager: owned.fields for manager, owned in decode_entries(entries_of(obj)).fields.items()}
    except EngineError:
        return {}


def _paths(fields: FieldSet) -> tuple[str, ...]:
    return tuple(render_path(path)[:MOST_LETTERS] for path in fields.leaves())
