"""How the server treats the objects of a kind: reads them, fills them in, and what a write may change.

A strategy is made from what the catalog knows of the kind; a custom resource's from its definition. Which fields a
write to an object, or to a subresource of it, cannot change is told by `reset_fields`, and done by `prepare_update`.

Source: the registry strategies of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.fieldpath.field_set import EMPTY, FieldSet, field_set
from engine.managedfields.entries import entries_of
from engine.meta.object_meta import metadata_of, with_metadata
from engine.schema.catalog import OBJECT_META, KindInfo, definition
from engine.schema.decode import Decoded, decode
from engine.schema.defaults import with_builtin_defaults
from engine.schema.structural import pruned, with_defaults, without_nulls
from engine.schema.validation.cause import Cause
from engine.schema.validation.kinds import validate_builtin, validate_builtin_update
from engine.schema.validation.metadata import validate_metadata, validate_metadata_update
from engine.schema.validation.structural import validate_custom
from engine.value.equality import equal
from engine.value.model import Object

_ENVELOPE = ("apiVersion", "kind", "metadata")


class Strategy(Protocol):
    """How the server treats the objects of one kind in one version."""

    @property
    def info(self) -> KindInfo:
        """What the catalog knows of the kind."""

    def decode(self, body: Object) -> Decoded:
        """Return an object as the server reads it, with defaults, and the fields that it does not know.

        Raises:
            Undecodable, MalformedQuantity: something is of a kind that its field cannot take.
        """

    def normalize(self, obj: Object) -> Object:
        """Return what the server makes of an object that an apply came to."""

    def to_store(self, obj: Object) -> Object:
        """Return an object as it is put into the store."""

    def encode(self, stored: Object) -> Object:
        """Return an object of the store as it is shown and worked on."""

    def reset_fields(self, subresource: str) -> FieldSet:
        """Return the fields that such a write cannot change."""

    def prepare_create(self, obj: Object) -> Object:
        """Return the object as it is created: what only a subresource may set is taken away."""

    def prepare_update(self, new: Object, live: Object, subresource: str) -> Object:
        """Return the object as it is stored: what such a write cannot change is as in `live`; generation is set."""

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""


@dataclass(frozen=True, slots=True)
class CustomStrategy:
    """The strategy of a custom resource."""

    info: KindInfo

    @property
    def _schema(self) -> Object:
        assert self.info.custom is not None
        return self.info.custom.schema

    @property
    def _status_apart(self) -> bool:
        """True if status is written through /status alone."""
        return self.info.custom is not None and self.info.custom.status_subresource

    def decode(self, body: Object) -> Decoded:
        """Return the object with known metadata, pruned, defaults filled in; see Strategy.

        Raises:
            Undecodable: a field of the metadata is of the wrong kind.
        """
        unknown: tuple[str, ...] = ()
        if isinstance(body.get("metadata"), dict):
            metadata = decode(body["metadata"], definition(OBJECT_META))
            body = {**body, "metadata": metadata.value}
            unknown = tuple(f"metadata.{path}" for path in metadata.unknown)
        kept, dropped = pruned(body, self._schema)
        return Decoded(self._defaulted(without_nulls(kept, self._schema)), unknown + dropped)

    def normalize(self, obj: Object) -> Object:
        """Return the object with defaults. Empty maps of its metadata are stored, though never shown."""
        return self._defaulted(obj)

    def to_store(self, obj: Object) -> Object:
        """Return the object: as it is in the version that is stored, else read and written again on the way there."""
        assert self.info.custom is not None
        return obj if self.info.custom.is_storage_version else self.encode(obj)

    def encode(self, stored: Object) -> Object:
        """Return the object with its metadata read and written again."""
        return {**stored, "metadata": decode(metadata_of(stored), definition(OBJECT_META)).value}

    def _defaulted(self, obj: Object) -> Object:
        filled = with_defaults({k: v for k, v in obj.items() if k not in _ENVELOPE}, self._schema)
        assert isinstance(filled, dict)
        return {**{k: v for k, v in obj.items() if k in _ENVELOPE}, **filled}

    def reset_fields(self, subresource: str) -> FieldSet:
        """Return the fields that such a write cannot change; see Strategy."""
        if not self._status_apart:
            return EMPTY
        paths = (("f:metadata",), ("f:spec",)) if subresource == "status" else (("f:status",),)
        return field_set(paths)

    def prepare_create(self, obj: Object) -> Object:
        """Return the object without status, where that is a subresource; see Strategy."""
        obj = {k: v for k, v in obj.items() if k != "status"} if self._status_apart else obj
        return _with_generation(obj, 1)

    def prepare_update(self, new: Object, live: Object, subresource: str) -> Object:
        """Return the object as it is stored; see Strategy."""
        if self._status_apart and subresource == "status":
            metadata = {**metadata_of(live), "managedFields": metadata_of(new).get("managedFields")}
            if metadata["managedFields"] is None:
                del metadata["managedFields"]
            kept = {k: v for k, v in live.items() if k not in ("metadata", "status")}
            status = {"status": new["status"]} if "status" in new else {}
            return {**kept, "metadata": metadata, **status}
        if self._status_apart:
            new = {k: v for k, v in new.items() if k != "status"}
            new |= {"status": live["status"]} if "status" in live else {}
        generation = metadata_of(live).get("generation", 0)
        changed = not equal(self._counted(new), self._counted(live))
        return _with_generation(new, generation + 1 if changed else generation)

    def _counted(self, obj: Object) -> Object:
        """What generation counts the changes of."""
        left_out = ("apiVersion", "metadata", "status") if self._status_apart else ("apiVersion", "metadata")
        return {k: v for k, v in obj.items() if k not in left_out}

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""
        return validate_metadata(obj, self.info) + validate_custom(obj, self._schema)

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""
        return validate_metadata_update(new, live, self.info) + validate_custom(new, self._schema, live)


@dataclass(frozen=True, slots=True)
class BuiltinStrategy:
    """The strategy of a built-in kind."""

    info: KindInfo

    def decode(self, body: Object) -> Decoded:
        """Return the object as its Go type reads and writes it, defaults filled in; see Strategy.

        Raises:
            Undecodable, MalformedQuantity: something is of a kind that its field cannot take.
        """
        decoded = decode(body, self.info.type)
        value = with_builtin_defaults(decoded.value, self.info.gvk)
        if entries_of(body) == []:
            value = with_metadata(value, managedFields=[])  # an empty one clears, an absent one does not
        return Decoded(value, decoded.unknown)

    def normalize(self, obj: Object) -> Object:
        """Return the object as its Go type reads and writes it, defaults filled in."""
        return self.decode(obj).value

    def to_store(self, obj: Object) -> Object:
        """Return the object."""
        return obj

    def encode(self, stored: Object) -> Object:
        """Return the object: it is shown as it is stored."""
        return stored

    def reset_fields(self, subresource: str) -> FieldSet:
        """Return the fields that such a write cannot change; see Strategy."""
        if "status" not in self.info.subresources:
            return EMPTY
        paths = _STATUS_RESETS.get(self.info.gvk.kind, (("f:spec",),)) if subresource == "status" else (("f:status",),)
        return field_set(paths)

    def prepare_create(self, obj: Object) -> Object:
        """Return the object with an empty status; see Strategy."""
        if "status" in self.info.subresources:
            obj = self.decode({k: v for k, v in obj.items() if k != "status"}).value
        return _with_generation(obj, 1) if self.info.has_generation else _without_generation(obj)

    def prepare_update(self, new: Object, live: Object, subresource: str) -> Object:
        """Return the object as it is stored; see Strategy."""
        if subresource == "status":
            new = {**new, **({"spec": live["spec"]} if "spec" in live else {})}
        elif "status" in self.info.subresources:
            new = {k: v for k, v in new.items() if k != "status"}
            new |= {"status": live["status"]} if "status" in live else {}
        if not self.info.has_generation:
            return _without_generation(new)
        generation = metadata_of(live).get("generation", 0)
        grows = not equal(self._counted(new), self._counted(live))
        return _with_generation(new, generation + 1 if grows else generation)

    def _counted(self, obj: Object) -> Object:
        """What generation counts the changes of."""
        left_out = ("apiVersion", "kind", "metadata", "status")
        return {k: v for k, v in obj.items() if k not in left_out}

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""
        return validate_metadata(obj, self.info) + validate_builtin(obj, self.info)

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""
        return validate_metadata_update(new, live, self.info) + validate_builtin_update(
            new, live, self.info, subresource
        )


_STATUS_RESETS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "Deployment": (("f:spec",), ("f:metadata", "f:labels")),
    "Pod": (("f:spec",), ("f:metadata", "f:deletionTimestamp"), ("f:metadata", "f:ownerReferences")),
    "CustomResourceDefinition": (("f:metadata",), ("f:spec",)),
    "APIService": (("f:metadata",), ("f:spec",)),
    "FlowSchema": (("f:metadata",), ("f:spec",)),
    "PriorityLevelConfiguration": (("f:metadata",), ("f:spec",)),
}
"""What /status of a kind cannot change, where it is more than spec."""


def strategy_of(info: KindInfo) -> Strategy:
    """Return the strategy of a kind."""
    return CustomStrategy(info) if info.custom is not None else BuiltinStrategy(info)


def _with_generation(obj: Object, generation: int) -> Object:
    return {**obj, "metadata": {**metadata_of(obj), "generation": generation}}


def _without_generation(obj: Object) -> Object:
    metadata = metadata_of(obj)
    return {**obj, "metadata": {k: v for k, v in metadata.items() if k != "generation"}}
