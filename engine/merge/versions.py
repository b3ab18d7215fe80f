"""What the rules of ownership need to know of a kind's API versions."""

from __future__ import annotations

from typing import Protocol

from engine.fieldpath.field_set import FieldSet
from engine.typed.typed_value import TypedValue


class Versions(Protocol):
    """The API versions of one kind."""

    def convert(self, typed: TypedValue, api_version: str) -> TypedValue | None:
        """Return the value in `api_version`, or None if that version does not exist any more."""

    @property
    def ignored(self) -> FieldSet:
        """The fields that a write neither owns nor fights for, in any version: those that the strategy resets."""
