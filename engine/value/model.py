"""What a value is: the JSON data model, held in plain Python objects."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

Value: TypeAlias = "None | bool | int | float | str | list[Any] | dict[str, Any]"
"""A JSON value. `list[Any]` and `dict[str, Any]` hold values again; a map's keys are strings, in document order."""

Object: TypeAlias = dict[str, Any]
"""A value that is a map: an API object, a patch, a struct."""


class Kind(Enum):
    """The kind of a value, with the name by which JSON knows it."""

    NULL = "null"
    BOOLEAN = "boolean"
    NUMBER = "number"
    STRING = "string"
    LIST = "array"
    MAP = "object"


class Missing(Enum):
    """The one value `MISSING` that stands where there is no value, as null is a value."""

    MISSING = "missing"

    def __bool__(self) -> bool:
        return False


MISSING = Missing.MISSING


def kind_of(value: Value) -> Kind:
    """Return the kind of `value`. True is no number: JSON keeps booleans and numbers apart, Python does not."""
    if value is None:
        return Kind.NULL
    if isinstance(value, bool):
        return Kind.BOOLEAN
    if isinstance(value, str):
        return Kind.STRING
    if isinstance(value, dict):
        return Kind.MAP
    if isinstance(value, list):
        return Kind.LIST
    return Kind.NUMBER
