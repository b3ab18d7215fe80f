"""Workspaces in etcd, shared by any number of server processes on any number of machines.

The revision of etcd is the resourceVersion: an object lies without one, and gets the revision that it was last changed
at when it is read. Below the prefix of the store lie

    o/WORKSPACE/GROUP/RESOURCE/NAMESPACE/NAME   an object, as JSON
    u/WORKSPACE                                 how many objects and bytes these are; written with each of them, so
                                                that its own revision is that of the workspace's last change
    n/WORKSPACE/PROCESS-SLOT                    notes of requests, which go by a lease

A write is one transaction on the object's and the usage's revision. The past of all workspaces together is bounded by
compaction. Objects of many workspaces share the counter, so a workspace's revisions grow but have gaps.

Source: etcd's data model (revisions, compaction), version 3.4; registry/generic of the API server keeps objects so too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from engine.apiserver.storage import Change, ObjectKey, Raced, TooOld
from engine.meta.object_meta import metadata_of, with_metadata, without_metadata
from engine.value.model import Object
from web.storage import etcd_gateway as gateway
from web.storage.etcd_gateway import Compacted, Event, Gateway, KeyValue
from web.storage.quota import Quota, QuotaExceeded, Usage

HISTORY = 10_000
"""How many revisions, of all workspaces together, are kept for watches that begin in the past."""
MOST_LATELY = 100
"""How many objects are remembered as they were read or written last."""
ATTEMPTS = 50
"""How often a write is tried again because another one to the same workspace came first."""


@dataclass
class Compaction:
    """When the past is made shorter again: each time that `history` revisions have come."""

    history: int = HISTORY
    due: int = 0

    def after(self, etcd: Gateway, revision: int) -> None:
        """Forget what is too old once a revision is reached."""
        if revision < self.due:
            return
        self.due = revision + self.history
        if revision > self.history:
            etcd.compact(revision - self.history)


class EtcdStore:
    """One workspace's objects in etcd; see ObjectStore."""

    def __init__(
        self,
        etcd: Gateway,
        prefix: str,
        workspace: str,
        quota: Quota,
        compaction: Compaction,
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        self._etcd, self._quota, self._compaction, self._ring = etcd, quota, compaction, ring
        self._objects, self._usage = f"{prefix}/o/{workspace}/", f"{prefix}/u/{workspace}".encode()
        self._lately: dict[bytes, KeyValue] = {}

    @property
    def revision(self) -> int:
        """The revision of the last write."""
        told = self._etcd.read(self._usage)
        return told.found[0][0].revision if told.found[0] else told.revision

    def get(self, key: ObjectKey) -> Object | None:
        """Return the object, or None."""
        place = self._key(key)
        found, counted = self._etcd.read(place, self._usage).found
        self._remember(*found, *counted)
        return _object(found[0]) if found else None

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected, or is there and should not.
            QuotaExceeded: there would be too much.
            StoreFailed: the store cannot be written now.
        """
        body = _spelled(obj)
        revision = self._write(key, body, lambda have: (str(have.revision) if have else None) == expected, expected)
        assert revision is not None
        return with_metadata(obj, resourceVersion=str(revision))

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
            StoreFailed: the store cannot be written now.
        """
        gone: list[KeyValue] = []

        def is_meant(have: KeyValue | None) -> bool:
            gone[:] = [have] if have else []
            return have is None or expected in (None, str(have.revision))

        revision = self._write(key, None, is_meant)
        return with_metadata(_object(gone[0]), resourceVersion=str(revision)) if revision is not None else None

    def _write(
        self, key: ObjectKey, body: bytes | None, is_meant: Callable[[KeyValue | None], bool], expected: str | None = ""
    ) -> int | None:
        """Write an object, None removes it, and return the revision; None if there was nothing to remove.

        What was read lately is tried first, where it is what is expected: a guess that is wrong costs no more than the
        reading that it spares.
        """
        place = self._key(key)
        have, counted = self._lately.get(place), self._lately.get(self._usage)
        if counted is not None and (str(have.revision) if have else None) == expected:
            with suppress(QuotaExceeded):  # there may be room by now
                revision = self._try(place, body, have, counted)
                if revision is not None:
                    return revision
        for _ in range(ATTEMPTS):
            have, counted = self._now(place)
            if not is_meant(have):
                raise Raced(key)
            if have is None and body is None:
                return None
            revision = self._try(place, body, have, counted)
            if revision is not None:
                return revision
        raise Raced(key)

    def _try(self, place: bytes, body: bytes | None, have: KeyValue | None, counted: KeyValue | None) -> int | None:
        """Write an object if it and the usage are still what they were, and return the revision; None if not."""
        usage = Usage(**json.loads(counted.value)) if counted else Usage()
        sizes = len(have.value) if have else None, len(body) if body is not None else None
        wanted = self._quota.check(usage, *sizes)
        total = json.dumps({"objects": wanted.objects, "bytes": wanted.bytes}).encode()
        told = self._etcd.transact(
            [
                gateway.unchanged(place, have.revision if have else 0),
                gateway.unchanged(self._usage, counted.revision if counted else 0),
            ],
            [
                gateway.put(place, body) if body is not None else gateway.delete(place),
                gateway.put(self._usage, total),
            ],
            [],
        )
        self._lately.pop(place, None)
        if not told.succeeded:
            return None
        self._remember(KeyValue(self._usage, total, told.revision, 1))
        if body is not None:
            self._remember(KeyValue(place, body, told.revision, 1))
        self._compaction.after(self._etcd, told.revision)
        self._ring()
        return told.revision

    def _now(self, place: bytes) -> tuple[KeyValue | None, KeyValue | None]:
        """What lies now at an object's place, and the usage."""
        found, counted = self._etcd.read(place, self._usage).found
        self._remember(*found, *counted)
        return (found[0] if found else None), (counted[0] if counted else None)

    def _remember(self, *found: KeyValue) -> None:
        if len(self._lately) > MOST_LATELY:
            self._lately.clear()
        self._lately.update((each.key, each) for each in found)

    def list_objects(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""
        found = list(self._etcd.listed(self._prefix(group, resource, namespace)))
        for each in sorted(found, key=lambda each: self._named(each.key)):
            yield _object(each)

    def changes(self, after: int) -> list[Change]:
        """Return the changes after a revision, oldest first; see ObjectStore.

        Raises:
            TooOld: etcd has forgotten some of them.
        """
        last = self._etcd.read(self._usage).found[0]
        if not last or last[0].revision <= after:
            return []
        changes: list[Change] = []
        try:
            for events in self._etcd.watch(self._objects.encode(), after + 1, before=True):
                changes += [self._change(event) for event in events]
                if changes[-1].revision >= last[0].revision:
                    break
        except Compacted as error:
            raise TooOld(after, error.revision) from None
        return changes

    def stamp(self, group: str, resource: str) -> Hashable:
        """Return a value that changes with the objects of a resource; see WorkspaceStore."""
        return self._etcd.count(self._prefix(group, resource, ""))

    def _change(self, event: Event) -> Change:
        created = event.after is not None and event.after.version == 1
        if event.before is None and not created:
            raise Compacted(event.revision)  # the change is remembered, but not what was there before it
        before = _object(event.before) if event.before else None
        if event.after is None and before is not None:
            before = with_metadata(before, resourceVersion=str(event.revision))
        return Change(
            event.revision, self._named(event.key), before, _object(event.after) if event.after is not None else None
        )

    def _key(self, key: ObjectKey) -> bytes:
        steps = (key.group, key.resource, key.namespace, key.name)
        return (self._objects + "/".join(quote(step, safe=":") for step in steps)).encode()

    def _named(self, place: bytes) -> ObjectKey:
        return ObjectKey(*map(unquote, place.decode().removeprefix(self._objects).split("/")))

    def _prefix(self, group: str, resource: str, namespace: str) -> bytes:
        prefix = f"{self._objects}{quote(group, safe=':')}/{quote(resource, safe=':')}/"
        return (prefix + (f"{quote(namespace, safe=':')}/" if namespace else "")).encode()


def _object(found: KeyValue) -> Object:
    obj: Any = json.loads(found.value.decode("utf-8", "surrogatepass"))
    return with_metadata(obj, resourceVersion=str(found.revision))


def _spelled(obj: Object) -> bytes:
    if "resourceVersion" in metadata_of(obj):
        obj = without_metadata(obj, "resourceVersion")
    return json.dumps(obj, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
