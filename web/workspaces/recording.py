"""A store as one request sees it: what it writes is noted, and it makes no object if it may not.

What a request has read it is given again without asking the store, until it writes: the write compares anyway, and a
store on another machine answers in milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.apiserver.storage import Change, ObjectKey, ObjectStore
from engine.meta.object_meta import text_of
from engine.value.model import Object


class RecordingStore:
    """Passes everything on to a store.

    forbids_creation is called before an object is made, settles before anything is written; both may raise.
    """

    def __init__(
        self,
        store: ObjectStore,
        forbids_creation: Callable[[ObjectKey], Any] | None = None,
        settles: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._forbids, self._settles = store, forbids_creation, settles
        self.revisions: list[int] = []
        self._read: dict[ObjectKey, Object | None] = {}

    @property
    def revision(self) -> int:
        """The revision of the last write."""
        return self._store.revision

    def get(self, key: ObjectKey) -> Object | None:
        """Return the object, or None."""
        if key not in self._read:
            self._read[key] = self._store.get(key)
        return self._read[key]

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore."""
        if expected is None and self._forbids is not None:
            self._forbids(key)
        self._settles()
        self._read.clear()
        stored = self._store.put(key, obj, expected)
        self.revisions.append(int(text_of(stored, "resourceVersion")))
        return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore."""
        self._settles()
        self._read.clear()
        gone = self._store.delete(key, expected)
        if gone is not None:
            self.revisions.append(int(text_of(gone, "resourceVersion")))
        return gone

    def list_objects(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource; see ObjectStore."""
        return self._store.list_objects(group, resource, namespace)

    def changes(self, after: int) -> list[Change]:
        """Return the changes after a revision, oldest first; see ObjectStore."""
        return self._store.changes(after)
