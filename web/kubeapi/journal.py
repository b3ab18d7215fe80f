"""What came to a workspace's API, for those who look on: the last requests, and who gained or lost which fields."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from engine.apiserver.storage import Change, ObjectStore, TooOld
from engine.errors import EngineError
from engine.fieldpath.element import render_path
from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.manager import ManagerIdentifier
from engine.value.model import Object
from web.storage.bells import Bells
from web.storage.failure import StoreFailed
from web.storage.stores import MOST_NOTES, Note, Notebook

MOST_REQUESTS = MOST_NOTES
MOST_PENDING = 1000
MOST_REVISIONS = 50
MOST_OWNERS = 20
MOST_PATHS = 10
MOST_LETTERS = 300
MOST_BODY = 4000
"""How much is kept: requests, those not yet written, revisions and owners of one, paths of an owner, letters of a path
and of a body."""


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
    """One request that came. number counts them; sent and told are the beginnings of its body and of the answer."""

    number: int
    time: str
    method: str
    path: str
    content_type: str
    code: int
    sent: str
    told: str
    ownership: tuple[Ownership, ...]


class Journal:
    """The last requests to a workspace, to be used by any number of threads.

    Requests are noted for all server processes on the same store. Where that costs something they are gathered for
    `delay` seconds; who owns what by them is read from the store's changes only when somebody looks.
    """

    def __init__(self, notebook: Notebook, store: ObjectStore, bells: Bells, name: str, delay: float) -> None:
        self._notebook, self._store, self._bells, self._name, self._delay = notebook, store, bells, name, delay
        self._pending: deque[Note] = deque(maxlen=MOST_PENDING)
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def add(
        self,
        time: str,
        method: str,
        path: str,
        content_type: str,
        code: int,
        revisions: tuple[int, ...] = (),
        sent: bytes = b"",
        told: bytes = b"",
    ) -> None:
        """Note a request and the revisions that it made, and wake those who wait for one."""
        texts = (_beginning(sent, content_type), _beginning(told, ""))
        note = Note(
            time, method, path[:MOST_LETTERS], content_type[:MOST_LETTERS], code, revisions[:MOST_REVISIONS], *texts
        )
        with self._lock:
            self._pending.append(note)
            if self._delay and self._timer is None and not self.closed:
                self._timer = threading.Timer(self._delay, self._flush)
                self._timer.daemon = True
                self._timer.start()
        if not self._delay:
            self._flush()

    def _flush(self) -> None:
        with self._lock:
            self._timer = None
            notes = list(self._pending)
            self._pending.clear()
        if notes:
            try:
                self._notebook.add(notes)
            except StoreFailed:
                return  # nobody is told of requests while the store is away; the requests themselves were answered

    @property
    def closed(self) -> bool:
        """True once nobody waits any more."""
        return self._bells.closed.is_set()

    def close(self) -> None:
        """Write down what is not yet."""
        self._flush()

    def after(self, number: int, seconds: float = 0) -> list[Happening]:
        """Return the requests after the one of that number, oldest first; waits at most `seconds` for one.

        Raises:
            StoreFailed: the store cannot be read now.
        """
        self._flush()
        heard = self._bells.bell(self._name).rung
        found = self._notebook.after(number)
        if not found and seconds and not self.closed:
            self._bells.wait(self._name, heard, seconds)
            found = self._notebook.after(number)
        return self._told(found)

    def _told(self, notes: list[Note]) -> list[Happening]:
        """The requests with who owns what by them, as far as the store remembers it."""
        changes = self._changes(min((revision for note in notes for revision in note.revisions), default=0))
        told = []
        for note in notes:
            known = [changes[revision] for revision in note.revisions if revision in changes]
            ownership = tuple(owned for change in known for owned in ownership_of(change))[:MOST_OWNERS]
            about = (note.number, note.time, note.method, note.path, note.content_type, note.code, note.sent, note.told)
            told.append(Happening(*about, ownership))
        return told

    def _changes(self, first: int) -> dict[int, Change]:
        if not first:
            return {}
        try:
            return {change.revision: change for change in self._store.changes(first - 1)}
        except TooOld as error:
            return self._changes(error.oldest + 1) if error.oldest >= first else {}


def _beginning(body: bytes, content_type: str) -> str:
    """The beginning of a body as text; what is not text is told by its size."""
    if "protobuf" in content_type:
        return f"({len(body):,} bytes of protobuf)"
    text = body[: 4 * MOST_BODY].decode("utf-8", "replace").replace("\0", "\ufffd")
    return text if len(text) <= MOST_BODY else f"{text[:MOST_BODY]} ..."


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
