"""Where objects are kept, each with the revision of its last change, and what happened to them.

Revisions come from one counter per store and only grow, as in etcd: every real write gets the next one, and it is
the object's resourceVersion. The store remembers its last changes, so that a watch can begin in the past.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.errors import EngineError
from engine.meta.object_meta import text_of, with_metadata
from engine.said import said
from engine.value.model import Object

HISTORY = 10_000
"""How many changes a store in memory remembers."""


@dataclass(frozen=True, slots=True, order=True)
class ObjectKey:
    """Where an object is: group, resource, namespace (empty if it has none), name."""

    group: str
    resource: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Change:
    """One write: the object after it and before it; None where it is gone, or was not there.

    after of a removal is None; before carries the object as it was last, `revision` is that of the removal.
    """

    revision: int
    key: ObjectKey
    before: Object | None
    after: Object | None


@dataclass(eq=False)
class Raced(EngineError):
    """Somebody else wrote the object between reading and writing it."""

    key: ObjectKey

    def __str__(self) -> str:
        return said(
            "%(resource)s %(name)s changed while it was being written", resource=self.key.resource, name=self.key.name
        )


@dataclass(eq=False)
class TooOld(EngineError):
    """The store does not remember that far back."""

    revision: int
    oldest: int

    def __str__(self) -> str:
        return f"too old resource version: {self.revision} ({self.oldest})"


class ObjectStore(Protocol):
    """Keeps objects. An object that is handed in or out must not be altered."""

    @property
    def revision(self) -> int:
        """The revision of the last write."""

    def get(self, key: ObjectKey) -> Object | None:
        """Return the object, or None."""

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion.

        expected is the resourceVersion that the stored object must have, None if there must be none.

        Raises:
            Raced: it has another, or there is one.
        """

    def delete(self, key: ObjectKey, expected: str | None) -> Object | None:
        """Remove the object and return it as it was last, with the revision of its removal; None if there was none."""

    def list_objects(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""

    def changes(self, after: int) -> list[Change]:
        """Return the changes after a revision, oldest first.

        Raises:
            TooOld: the store has forgotten some of them.
        """


class MemoryStore:
    """An ObjectStore in this process."""

    def __init__(self, first_revision: int = 1, history: int = HISTORY) -> None:
        self._objects: dict[ObjectKey, Object] = {}
        self._changes: list[Change] = []
        self._history, self._forgotten = history, first_revision
        self._listeners: list[Callable[[], None]] = []
        self.revision = first_revision

    def get(self, key: ObjectKey) -> Object | None:
        """Return the object, or None."""
        return self._objects.get(key)

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected, or is there and should not.
        """
        have = self._objects.get(key)
        if (text_of(have, "resourceVersion") if have is not None else None) != expected:
            raise Raced(key)
        stored = with_metadata(obj, resourceVersion=str(self.next_revision()))
        self._objects[key] = stored
        self._note(Change(self.revision, key, have, stored))
        return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
        """
        have = self._objects.get(key)
        if have is None:
            return None
        if expected is not None and text_of(have, "resourceVersion") != expected:
            raise Raced(key)
        del self._objects[key]
        gone = with_metadata(have, resourceVersion=str(self.next_revision()))
        self._note(Change(self.revision, key, gone, None))
        return gone

    def list_objects(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""
        objects = self._objects.copy()  # another thread may write while a list is read
        for key in sorted(objects):
            if (key.group, key.resource) == (group, resource) and namespace in ("", key.namespace):
                yield objects[key]

    def changes(self, after: int) -> list[Change]:
        """Return the changes after a revision, oldest first; see ObjectStore.

        Raises:
            TooOld: the store has forgotten some of them.
        """
        kept = self._changes  # another thread may add to it, but never takes from it
        if after < self._forgotten:
            raise TooOld(after, self._forgotten)
        return kept[bisect_right(kept, after, key=lambda change: change.revision) :]

    @property
    def oldest(self) -> int:
        """The oldest revision that changes can be asked after."""
        return self._forgotten

    def forget(self, revision: int) -> None:
        """Forget the changes up to a revision."""
        self._changes = self._changes[bisect_right(self._changes, revision, key=lambda change: change.revision) :]
        self._forgotten = max(self._forgotten, revision)

    def load(self, key: ObjectKey, obj: Object | None) -> None:
        """Make the store hold exactly `obj` at `key`, resourceVersion and all; None empties the place."""
        if obj is None:
            self._objects.pop(key, None)
        else:
            self._objects[key] = obj

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have `listener` called after each write; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def next_revision(self) -> int:
        """Use up a revision and return it."""
        self.revision += 1
        return self.revision

    def _note(self, change: Change) -> None:
        self._changes.append(change)
        if len(self._changes) > 2 * self._history:
            self._forgotten = self._changes[-self._history - 1].revision
            self._changes = self._changes[-self._history :]
        for listener in list(self._listeners):
            listener()


Clock = Callable[[], str]
"""Returns the current moment as RFC 3339 text in whole seconds, UTC."""
