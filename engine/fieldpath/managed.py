"""What one manager owns."""

from __future__ import annotations

from dataclasses import dataclass

from engine.fieldpath.field_set import FieldSet


@dataclass(frozen=True, slots=True, eq=False)
class VersionedSet:
    """The fields that a manager owns, in the API version in which it wrote; applied tells Apply from Update."""

    fields: FieldSet
    api_version: str
    applied: bool

    def with_fields(self, fields: FieldSet) -> VersionedSet:
        """Return the same ownership of other fields."""
        return VersionedSet(fields, self.api_version, self.applied)
