"""What the rules of ownership need to know of a kind's API versions."""

from __future__ import annotations

from typing import Protocol

from engine.fieldpath.writable import Writable
from engine.typed.typed_value import TypedValue


class Versions(Protocol):
    """The API versions of one kind."""

    def convert(self, typed: TypedValue, api_version: str) -> TypedValue | None:
        """Return the value in `api_version`, or None if that version does not exist any more."""

    @property
    def writable(self) -> Writable:
        """The fields that a write can own and fight for, in any version: those that the strategy does not reset."""
