"""How the server treats built-in kinds.

What a kind does beside the common is a line in `preparation.py` (what the server sets) or in the tables here.

Source: the registry strategies of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.apiserver.generation import generation_of, with_generation, without_generation
from engine.apiserver.parts import PARTS
from engine.apiserver.preparation import ON_CREATE, ON_STATUS_UPDATE, ON_UPDATE
from engine.fieldpath.field_set import field_set
from engine.fieldpath.writable import EVERYTHING, Writable
from engine.managedfields.entries import entries_of
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import metadata_of, with_metadata
from engine.schema.catalog import KindInfo, builtin_catalog
from engine.schema.conversion import convert, stored_kind
from engine.schema.decode import Decoded, decode
from engine.schema.defaults.fill import filled
from engine.schema.normal import normal_form
from engine.schema.validation.cause import Cause
from engine.schema.validation.kinds import validate_builtin, validate_builtin_update
from engine.schema.validation.metadata import validate_metadata, validate_metadata_update
from engine.value.equality import equal
from engine.value.model import Object

_STATUS_RESETS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "Deployment": (("f:spec",), ("f:metadata", "f:labels")),
    "Pod": (("f:spec",), ("f:metadata", "f:deletionTimestamp"), ("f:metadata", "f:ownerReferences")),
    "CustomResourceDefinition": (("f:metadata",), ("f:spec",)),
    "APIService": (("f:metadata",), ("f:spec",)),
    "FlowSchema": (("f:metadata",), ("f:spec",)),
    "PriorityLevelConfiguration": (("f:metadata",), ("f:spec",)),
}
"""What /status of a kind cannot change, where it is more than spec."""

_STATUS_IN_MAIN = frozenset(("Node",))
"""Kinds whose status is taken on creation as it is sent."""

_STORED_WITHOUT_DEFAULTS = frozenset(("PersistentVolumeClaim",))
"""Kinds that are created with an empty status, whose defaults show at once and are stored with the next write."""

_NOT_COUNTED = ("apiVersion", "kind", "metadata", "status")

_GENERATION_COUNTS: Mapping[str, tuple[str, ...]] = {
    "PriorityClass": (),
}
"""The members whose changes generation counts, where it is not everything but metadata and status."""

_COUNTS_ANNOTATIONS = ("Deployment",)
"""The kinds whose generation grows with their annotations, too (not with their labels)."""


@dataclass(frozen=True, slots=True)
class BuiltinStrategy:
    """The strategy of a built-in kind."""

    info: KindInfo

    @property
    def _kind(self) -> str:
        return self.info.gvk.kind

    @property
    def _has_status(self) -> bool:
        return "status" in self.info.subresources

    def decode(self, body: Object) -> Decoded:
        """Return the object as its Go type reads and writes it, defaults filled in; see Strategy.

        Raises:
            Undecodable, MalformedQuantity: something is of a kind that its field cannot take.
        """
        decoded = decode(body, self.info.type)
        value = normal_form(filled(decoded.value, self.info.type), self.info.gvk)
        if entries_of(body) == []:
            value = with_metadata(value, managedFields=[])  # an empty one clears, an absent one does not
        return Decoded(value, decoded.unknown)

    def normalize(self, obj: Object) -> Object:
        """Return the object as its Go type reads and writes it, defaults filled in."""
        return self.decode(obj).value

    def empty(self) -> Object:
        """Return an object as its Go type writes it when nothing is set; no defaults."""
        return _empty(self.info)

    def to_store(self, obj: Object) -> Object:
        """Return the object in the version that is stored."""
        stored = stored_kind(self.info.gvk)
        kind = self.info if stored == self.info.gvk else builtin_catalog().kind(stored)
        if kind is None or kind is self.info:
            return obj
        return BuiltinStrategy(kind).normalize(convert(obj, self.info.gvk, stored))

    def encode(self, stored: Object) -> Object:
        """Return the object in the version of the request, with the defaults that it was stored without."""
        have = gvk_of(stored)
        if have != self.info.gvk:
            return self.normalize(convert(stored, have, self.info.gvk))
        return self.normalize(stored) if self._kind in _STORED_WITHOUT_DEFAULTS else stored

    def writable(self, subresource: str) -> Writable:
        """Return the fields that such a write can change; see Strategy."""
        part = PARTS.get((self._kind, subresource))
        if part is not None:
            return part.writable
        if not self._has_status:
            return EVERYTHING
        resets = _STATUS_RESETS.get(self._kind, (("f:spec",),)) if subresource == "status" else (("f:status",),)
        return Writable(without=field_set(resets))

    def prepare_create(self, obj: Object, now: str) -> Object:
        """Return the object with what the server sets on a new one; see Strategy."""
        if self._has_status and self._kind not in _STATUS_IN_MAIN:
            obj = self.normalize({k: v for k, v in obj.items() if k != "status"})
            if self._kind in _STORED_WITHOUT_DEFAULTS:
                obj = {**obj, "status": {}}
        prepare = ON_CREATE.get(self._kind)
        obj = prepare(obj, now) if prepare else obj
        return with_generation(obj, 1) if self.info.has_generation else without_generation(obj)

    def prepare_update(self, new: Object, live: Object, subresource: str, now: str) -> Object:
        """Return the object as it is stored; see Strategy."""
        part = PARTS.get((self._kind, subresource))
        if part is not None:
            prepare, new = None, part.written(new, live)
        elif subresource == "status":
            prepare = ON_STATUS_UPDATE.get(self._kind)
            new = {**new, **({"spec": live["spec"]} if "spec" in live else {})}
        else:
            prepare = ON_UPDATE.get(self._kind)
            if self._has_status:
                new = {k: v for k, v in new.items() if k != "status"}
                new |= {"status": live["status"]} if "status" in live else {}
        new = prepare(new, live, now) if prepare else new
        if not self.info.has_generation:
            return without_generation(new)
        generation = generation_of(live)
        grows = not equal(self._counted(new), self._counted(live))
        return with_generation(new, generation + 1 if grows else generation)

    def _counted(self, obj: Object) -> Object:
        """What generation counts the changes of."""
        if self._kind in _GENERATION_COUNTS:
            return {name: obj.get(name) for name in _GENERATION_COUNTS[self._kind]}
        counted = {name: value for name, value in obj.items() if name not in _NOT_COUNTED}
        if self.info.generation_grows_on_label:
            counted["metadata"] = {k: metadata_of(obj).get(k) for k in ("labels", "annotations")}
        if self._kind in _COUNTS_ANNOTATIONS:
            counted["metadata"] = metadata_of(obj).get("annotations")
        return counted

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""
        return validate_metadata(obj, self.info) + validate_builtin(obj, self.info)

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""
        part = PARTS.get((self._kind, subresource))
        if part is not None:
            return tuple(part.check(new, live)) if part.check is not None else ()
        return validate_metadata_update(new, live, self.info) + validate_builtin_update(
            new, live, self.info, subresource
        )


@cache
def _empty(info: KindInfo) -> Object:
    return decode({"apiVersion": info.gvk.api_version, "kind": info.gvk.kind}, info.type).value
