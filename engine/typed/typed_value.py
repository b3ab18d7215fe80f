"""A value together with its type."""

from __future__ import annotations

from dataclasses import dataclass

from engine.schema.elements import TypeRef
from engine.value.model import Value


@dataclass(frozen=True, slots=True, eq=False)
class TypedValue:
    """A value that is meant to be of a type. It may not fit: `engine.typed.validate` tells."""

    value: Value
    type: TypeRef
