"""How the server treats custom resources.

Source: the custom resource strategy of apiextensions, Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.apiserver.generation import generation_of, with_generation
from engine.fieldpath.field_set import field_set
from engine.fieldpath.writable import EVERYTHING, Writable
from engine.meta.object_meta import metadata_of
from engine.schema.catalog import OBJECT_META, KindInfo, definition
from engine.schema.decode import Decoded, decode
from engine.schema.rules.validate import rule_causes
from engine.schema.structural import pruned, with_defaults, without_nulls
from engine.schema.validation.cause import Cause
from engine.schema.validation.metadata import validate_metadata, validate_metadata_update
from engine.schema.validation.structural import validate_custom
from engine.value.equality import equal
from engine.value.model import Object

_ENVELOPE = ("apiVersion", "kind", "metadata")


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

    def empty(self) -> Object:
        """Return an object with nothing but its kind."""
        return {"apiVersion": self.info.gvk.api_version, "kind": self.info.gvk.kind}

    def to_store(self, obj: Object) -> Object:
        """Return the object: as it is in the version that is stored, else read and written again on the way there."""
        assert self.info.custom is not None
        return obj if self.info.custom.is_storage_version else self.encode(obj)

    def encode(self, stored: Object) -> Object:
        """Return the object in the version of the request, its metadata read and written again, defaults filled in."""
        if stored.get("apiVersion") != self.info.gvk.api_version:
            stored = {**self._defaulted(stored), "apiVersion": self.info.gvk.api_version}
        return {**stored, "metadata": decode(metadata_of(stored), definition(OBJECT_META)).value}

    def _defaulted(self, obj: Object) -> Object:
        filled = with_defaults({k: v for k, v in obj.items() if k not in _ENVELOPE}, self._schema)
        assert isinstance(filled, dict)
        return {**{k: v for k, v in obj.items() if k in _ENVELOPE}, **filled}

    def writable(self, subresource: str) -> Writable:
        """Return the fields that such a write can change; see Strategy."""
        if not self._status_apart:
            return EVERYTHING
        paths = (("f:metadata",), ("f:spec",)) if subresource == "status" else (("f:status",),)
        return Writable(without=field_set(paths))

    def prepare_create(self, obj: Object, now: str) -> Object:
        """Return the object without status, where that is a subresource; see Strategy."""
        obj = {k: v for k, v in obj.items() if k != "status"} if self._status_apart else obj
        return with_generation(obj, 1)

    def prepare_update(self, new: Object, live: Object, subresource: str, now: str) -> Object:
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
        generation = generation_of(live)
        changed = not equal(self._counted(new), self._counted(live))
        return with_generation(new, generation + 1 if changed else generation)

    def _counted(self, obj: Object) -> Object:
        """What generation counts the changes of."""
        left_out = ("apiVersion", "metadata", "status") if self._status_apart else ("apiVersion", "metadata")
        return {k: v for k, v in obj.items() if k not in left_out}

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""
        causes = validate_metadata(obj, self.info) + validate_custom(obj, self._schema)
        return causes + rule_causes(obj, self._schema, causes)

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""
        causes = validate_metadata_update(new, live, self.info) + validate_custom(new, self._schema, live)
        return causes + rule_causes(new, self._schema, causes, live)
