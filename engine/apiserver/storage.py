"""Where objects are kept: in memory, each with the revision of its last change.

Revisions come from one counter per store and only grow, as in etcd: every real write gets the next one, and it is
the object's resourceVersion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.errors import EngineError
from engine.meta.object_meta import text_of, with_metadata
from engine.value.model import Object


@dataclass(frozen=True, slots=True, order=True)
class ObjectKey:
    """Where an object is: group, resource, namespace (empty if it has none), name."""

    group: str
    resource: str
    namespace: str
    name: str


@dataclass(eq=False)
class Raced(EngineError):
    """Somebody else wrote the object between reading and writing it."""

    key: ObjectKey

    def __str__(self) -> str:
        return f"{self.key.resource} {self.key.name} changed while it was being written"


class ObjectStore(Protocol):
    """Keeps objects. An object that is handed in or out must not be altered."""

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

    def list(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""


class MemoryStore:
    """An ObjectStore in this process."""

    def __init__(self, first_revision: int = 1) -> None:
        self._objects: dict[ObjectKey, Object] = {}
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
        return with_metadata(have, resourceVersion=str(self.next_revision()))

    def list(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""
        for key in sorted(self._objects):
            if (key.group, key.resource) == (group, resource) and namespace in ("", key.namespace):
                yield self._objects[key]

    def load(self, key: ObjectKey, obj: Object | None) -> None:
        """Make the store hold exactly `obj` at `key`, resourceVersion and all; None empties the place."""
        if obj is None:
            self._objects.pop(key, None)
        else:
            self._objects[key] = obj

    def next_revision(self) -> int:
        """Use up a revision and return it."""
        self.revision += 1
        return self.revision


Clock = Callable[[], str]
"""Returns the current moment as RFC 3339 text in whole seconds, UTC."""
