"""metadata.managedFields as a value: what each manager owns, and since when.

Source: apimachinery's managedfields, as in Kubernetes 1.36; the texts are the reference's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import EngineError
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.fieldpath.managed import VersionedSet
from engine.meta.manager import APPLY, UPDATE, ManagerIdentifier
from engine.meta.object_meta import metadata_of
from engine.value.model import Object, Value

FIELDS_V1 = "FieldsV1"


@dataclass(eq=False)
class MalformedEntry(EngineError):
    """An entry of managedFields that cannot be read."""

    index: int
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class Managed:
    """Who owns what of an object, and the time of each owner's entry (RFC 3339; absent if the entry has none)."""

    fields: Mapping[ManagerIdentifier, VersionedSet] = field(default_factory=dict)
    times: Mapping[ManagerIdentifier, str] = field(default_factory=dict)

    def with_fields(self, fields: Mapping[ManagerIdentifier, VersionedSet]) -> Managed:
        """Return the same times with other ownership."""
        return Managed(fields, self.times)

    def with_time(self, manager: ManagerIdentifier, time: str | None) -> Managed:
        """Return the same ownership with the time of `manager` set, or taken away."""
        times = {each: at for each, at in self.times.items() if each != manager}
        if time is not None:
            times[manager] = time
        return Managed(self.fields, times)


NOBODY = Managed()


def entries_of(obj: Object) -> Value:
    """Return what stands at metadata.managedFields, None if nothing does."""
    found: Value = metadata_of(obj).get("managedFields")
    return found


def decode_entries(entries: Value) -> Managed:
    """Return the ownership that managedFields spells. Of two entries with one identifier the later counts.

    Raises:
        MalformedEntry: an entry lacks what it must have, or is of an unknown kind.
        MalformedFields, MalformedElement: an entry's fieldsV1 is no set of fields.
    """
    fields: dict[ManagerIdentifier, VersionedSet] = {}
    times: dict[ManagerIdentifier, str] = {}
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        manager, owned = _decode_entry(index, entry)
        fields[manager] = owned
        times.pop(manager, None)
        if entry.get("time"):
            times[manager] = entry["time"]
    return Managed(fields, times)


def _decode_entry(index: int, entry: Any) -> tuple[ManagerIdentifier, VersionedSet]:
    if not isinstance(entry, dict):
        raise MalformedEntry(index, f"managed fields entry {index} is no map")
    operation, api_version = entry.get("operation", ""), entry.get("apiVersion", "")
    if operation not in (APPLY, UPDATE):
        raise MalformedEntry(index, "operation must be `Apply` or `Update`")
    if not api_version:
        raise MalformedEntry(index, "apiVersion must not be empty")
    fields_type = entry.get("fieldsType", "")
    if fields_type != FIELDS_V1:
        reason = f'invalid fieldsType "{fields_type}"' if fields_type else "missing fieldsType"
        raise MalformedEntry(index, f"{reason} in managed fields entry {index}")
    manager = ManagerIdentifier(
        entry.get("manager", ""),
        operation,
        "" if operation == APPLY else api_version,
        entry.get("subresource", ""),
    )
    fields = entry.get("fieldsV1")
    return manager, VersionedSet(decode_fields_v1(fields if fields else {}), api_version, operation == APPLY)


def encode_entries(managed: Managed) -> list[Object]:
    """Return managedFields in its order: by operation, time (none first), manager, API version, subresource."""
    rows = sorted(
        managed.fields.items(),
        key=lambda row: (
            row[0].operation,
            managed.times.get(row[0], ""),
            row[0].manager,
            row[1].api_version,
            row[0].subresource,
        ),
    )
    return [_encode_entry(manager, owned, managed.times.get(manager)) for manager, owned in rows]


def _encode_entry(manager: ManagerIdentifier, owned: VersionedSet, time: str | None) -> Object:
    entry: Object = {
        "manager": manager.manager,
        "operation": manager.operation,
        "apiVersion": owned.api_version,
        "time": time,
        "fieldsType": FIELDS_V1,
        "fieldsV1": encode_fields_v1(owned.fields),
        "subresource": manager.subresource,
    }
    return {name: value for name, value in entry.items() if value is not None and value != ""}


def is_reset(entries: Value) -> bool:
    """Return True if this managedFields, sent in a write, clears all entries: an empty list, or one empty entry."""
    return entries == [] or entries == [{}]
