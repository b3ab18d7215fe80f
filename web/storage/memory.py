"""Workspaces' objects in this process, within a quota."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace

from engine.apiserver.storage import Change, MemoryStore, ObjectKey
from engine.value.codec import render_json
from engine.value.model import Object
from web.storage.bells import Bells
from web.storage.quota import NO_QUOTA, Quota, Usage
from web.storage.stores import MOST_NOTES, Note

HISTORY = 1000
"""How many changes of each workspace are kept for watches that begin in the past."""


class BoundedMemoryStore(MemoryStore):
    """A MemoryStore that holds no more than its quota, and no more than that of its past either."""

    def __init__(self, quota: Quota, history: int = HISTORY) -> None:
        super().__init__(history=history)
        self._quota, self._usage = quota, Usage()
        self._sizes: dict[ObjectKey, int] = {}
        self._stamps: dict[tuple[str, str], int] = {}
        self._past = 0
        self._lock = threading.RLock()

    def stamp(self, group: str, resource: str) -> int:
        """Return the revision of the last change to objects of a resource."""
        return self._stamps.get((group, resource), 0)

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected, or is there and should not.
            QuotaExceeded: there would be too much.
        """
        size = len(render_json(obj).encode("utf-8", "surrogatepass"))
        with self._lock:
            wanted = self._quota.check(self._usage, self._sizes.get(key), size)
            stored = super().put(key, obj, expected)
            self._usage, self._sizes[key] = wanted, size
            self._remember(key, size)
            return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
        """
        with self._lock:
            gone = super().delete(key, expected)
            if gone is not None:
                size = self._sizes.pop(key)
                self._usage = self._usage.replaced(size, None)
                self._remember(key, size)
            return gone

    def _remember(self, key: ObjectKey, size: int) -> None:
        """Count what a change keeps of the past, and forget the older half of it where that is too much."""
        self._stamps[key.group, key.resource] = self.revision
        self._past += size
        if self._past > self._quota.bytes:
            kept: list[Change] = self.changes(self.oldest)
            self.forget(kept[len(kept) // 2].revision)
            self._past //= 2


class MemoryNotebook:
    """The notes of one workspace."""

    def __init__(self, name: str, bells: Bells) -> None:
        self._name, self._bells = name, bells
        self._kept: deque[Note] = deque(maxlen=MOST_NOTES)
        self._count = 0
        self._lock = threading.Lock()

    def add(self, notes: list[Note]) -> None:
        """Keep notes; see Notebook."""
        with self._lock:
            for note in notes:
                self._count += 1
                self._kept.append(replace(note, number=self._count))
        self._bells.ring(self._name)

    def after(self, number: int) -> list[Note]:
        """Return the notes after the one of that number; see Notebook."""
        with self._lock:
            return [note for note in self._kept if note.number > number]


class MemoryStores:
    """The stores of all workspaces, for as long as this process lives."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._stores: dict[str, BoundedMemoryStore] = {}
        self._notebooks: dict[str, MemoryNotebook] = {}
        self.bells = Bells()
        self.note_delay = 0.0
        self._directory = BoundedMemoryStore(NO_QUOTA, history=10)

    def directory(self) -> BoundedMemoryStore:
        """Return the store of what is known of the workspaces themselves."""
        return self._directory

    def count(self) -> int:
        """Return how many workspaces there are."""
        return len(self._stores)

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""
        return name in self._stores

    def store(self, name: str) -> BoundedMemoryStore:
        """Return the store of a workspace, empty if there was none."""
        if name not in self._stores:
            made = self._stores.setdefault(name, BoundedMemoryStore(self._quota))
            made.listen(lambda: self.bells.ring(name))
        return self._stores[name]

    def notebook(self, name: str) -> MemoryNotebook:
        """Return the notes of a workspace."""
        return self._notebooks.setdefault(name, MemoryNotebook(name, self.bells))

    def remove(self, name: str) -> None:
        """Remove a workspace with all that is in it."""
        self._stores.pop(name, None)
        self._notebooks.pop(name, None)
        self.bells.ring(name)

    def check(self) -> None:
        """Return: memory can always be read."""
