"""Workspaces' objects in this process, within a quota."""

from __future__ import annotations

from engine.apiserver.storage import Change, MemoryStore, ObjectKey
from engine.value.codec import render_json
from engine.value.model import Object
from web.storage.quota import Quota, Usage

HISTORY = 1000
"""How many changes of each workspace are kept for watches that begin in the past."""


class BoundedMemoryStore(MemoryStore):
    """A MemoryStore that holds no more than its quota, and no more than that of its past either."""

    def __init__(self, quota: Quota, history: int = HISTORY) -> None:
        super().__init__(history=history)
        self._quota, self._usage = quota, Usage()
        self._sizes: dict[ObjectKey, int] = {}
        self._past = 0

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected, or is there and should not.
            QuotaExceeded: there would be too much.
        """
        size = len(render_json(obj).encode("utf-8", "surrogatepass"))
        wanted = self._usage.replaced(self._sizes.get(key), size)
        self._quota.check(self._usage, wanted)
        stored = super().put(key, obj, expected)
        self._usage, self._sizes[key] = wanted, size
        self._remember(size)
        return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
        """
        gone = super().delete(key, expected)
        if gone is not None:
            size = self._sizes.pop(key)
            self._usage = self._usage.replaced(size, None)
            self._remember(size)
        return gone

    def _remember(self, size: int) -> None:
        """Count what a change keeps of the past, and forget the older half of it where that is too much."""
        self._past += size
        if self._past > self._quota.bytes:
            kept: list[Change] = self.changes(self.oldest)
            self.forget(kept[len(kept) // 2].revision)
            self._past //= 2


class MemoryStores:
    """The stores of all workspaces, for as long as this process lives."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._stores: dict[str, BoundedMemoryStore] = {}

    def count(self) -> int:
        """Return how many workspaces there are."""
        return len(self._stores)

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""
        return name in self._stores

    def store(self, name: str) -> BoundedMemoryStore:
        """Return the store of a workspace, empty if there was none."""
        return self._stores.setdefault(name, BoundedMemoryStore(self._quota))
