"""What a watch tells: how the chosen objects of a resource came, changed and went.

An object that begins to be chosen is ADDED, one that ceases to be is DELETED, as it was before, with the revision of
the change.

Source: the watch cache of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.apiserver.selectors import Selector
from engine.apiserver.storage import Change, ObjectStore
from engine.meta.object_meta import with_metadata
from engine.value.model import Object

BOOKMARKS_FROM_NOWHERE = (
    "a watch stream was requested by the client but the required storage feature RequestWatchProgress is disabled"
)
"""The reference's answer to a watch with bookmarks that begins at no certain revision."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a watch: its type and the object, or a Status where it is ERROR."""

    type: str
    object: Object

    def as_object(self) -> Object:
        """Return the event as it is sent."""
        return {"type": self.type, "object": self.object}


@dataclass(frozen=True, slots=True)
class Watch:
    """What is watched. show turns a stored object into one of the version that is asked for."""

    group: str
    resource: str
    namespace: str
    selector: Selector
    show: Callable[[Object], Object]

    def initial(self, store: ObjectStore) -> list[Event]:
        """Return an event for each object that is there already."""
        listed = map(self.show, store.list_objects(self.group, self.resource, self.namespace))
        return [Event("ADDED", obj) for obj in listed if self.selector.chooses(obj)]

    def events(self, changes: list[Change]) -> list[Event]:
        """Return the events that changes are to this watch, in their order."""
        found = (self._event(change) for change in changes if self._is_meant(change))
        return [event for event in found if event is not None]

    def _is_meant(self, change: Change) -> bool:
        key = change.key
        return (key.group, key.resource) == (self.group, self.resource) and self.namespace in ("", key.namespace)

    def _event(self, change: Change) -> Event | None:
        before, after = self._chosen(change.before), self._chosen(change.after)
        if after is not None:
            return Event("ADDED" if before is None else "MODIFIED", after)
        if before is None:
            return None
        return Event("DELETED", with_metadata(before, resourceVersion=str(change.revision)))

    def _chosen(self, obj: Object | None) -> Object | None:
        if obj is None:
            return None
        shown = self.show(obj)
        return shown if self.selector.chooses(shown) else None
