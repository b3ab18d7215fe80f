"""One thing that is wrong with an object: where, of what kind, in which words.

Source: apimachinery's field errors, as in Kubernetes 1.36.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.schema.elements import TypeRef
from engine.value.model import Value


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of a 422: `reason` is the machine's word, `message` the person's, `field` where it is."""

    reason: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


def spell(value: Value) -> str:
    """Return a value as field errors spell it: text in quotes, null as null, whole structures as compact JSON."""
    if isinstance(value, str):
        return quote(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


_NULL = "Invalid value: null: "
_STEP = re.compile(r"[^.\[\]]+")


def with_empties(causes: Iterable[Cause], spelled: Iterable[Value], type_ref: TypeRef) -> tuple[Cause, ...]:
    """Return the causes with an empty list or map told as such, not as null, where one of the objects spells it so.

    type_ref is the objects'. A Go map or list tells empty from absent, a struct and the object that is stored do not.
    """
    objects = tuple(spelled)
    return tuple(_with_empty(cause, objects, type_ref) for cause in causes)


def _with_empty(cause: Cause, objects: tuple[Value, ...], type_ref: TypeRef) -> Cause:
    if not cause.message.startswith(_NULL):
        return cause
    for obj in objects:
        found = _empty_at(obj, type_ref, cause.field)
        if found is not None:
            told = f"Invalid value: {spell(found)}: " + cause.message.removeprefix(_NULL)
            return Cause(cause.reason, cause.field, told)
    return cause


def _empty_at(value: Value, type_ref: TypeRef | None, field: str) -> Value:
    """The empty map or list at a field, None if there is something else."""
    for step in _STEP.findall(field):
        atom = type_ref.atom if type_ref is not None else None
        if isinstance(value, dict):
            value, type_ref = value.get(step), atom.map.member(step) if atom is not None and atom.map else None
        elif isinstance(value, list) and step.isdecimal() and len(step) < 10 and int(step) < len(value):
            value, type_ref = value[int(step)], atom.list.items if atom is not None and atom.list else None
        else:
            return None
    is_struct = type_ref is not None and type_ref.atom.map is not None and bool(type_ref.atom.map.fields)
    return value if value in ({}, []) and not is_struct else None


def quote(text: str) -> str:
    """Return text in double quotes, escaped as Go does it."""
    return json.dumps(text, ensure_ascii=False)


def invalid(field: str, value: Value, detail: str) -> Cause:
    """Return the cause for a value that breaks a rule."""
    return Cause("FieldValueInvalid", field, f"Invalid value: {spell(value)}: {detail}")


def type_invalid(field: str, value: Value, detail: str) -> Cause:
    """Return the cause for a value of the wrong type."""
    return Cause("FieldValueTypeInvalid", field, f"Invalid value: {spell(value)}: {detail}")


def required(field: str, detail: str = "") -> Cause:
    """Return the cause for a value that is missing."""
    return Cause("FieldValueRequired", field, f"Required value: {detail}" if detail else "Required value")


def forbidden(field: str, detail: str) -> Cause:
    """Return the cause for a value that may not be there, or not change."""
    return Cause("FieldValueForbidden", field, f"Forbidden: {detail}")


def duplicate(field: str, value: Value) -> Cause:
    """Return the cause for a value that is there twice."""
    return Cause("FieldValueDuplicate", field, f"Duplicate value: {spell(value)}")


def not_found(field: str, value: Value) -> Cause:
    """Return the cause for a reference to what is not there."""
    return Cause("FieldValueNotFound", field, f"Not found: {spell(value)}")


def not_supported(field: str, value: Value, supported: Iterable[str]) -> Cause:
    """Return the cause for a value that is none of the allowed ones, which are told in the order given."""
    allowed = ", ".join(quote(each) for each in supported)
    return Cause("FieldValueNotSupported", field, f"Unsupported value: {spell(value)}: supported values: {allowed}")


def too_long(field: str, limit: int) -> Cause:
    """Return the cause for a text of more than `limit` bytes."""
    return Cause("FieldValueTooLong", field, f"Too long: may not be more than {limit} bytes")


def too_many(field: str, actual: int, limit: int) -> Cause:
    """Return the cause for a list of more than `limit` items."""
    noun = "item" if limit == 1 else "items"
    return Cause("FieldValueTooMany", field, f"Too many: {actual}: must have at most {limit} {noun}")


def too_few(field: str, actual: int, least: int) -> Cause:
    """Return the cause for a list of fewer than `least` items."""
    noun = "item" if least == 1 else "items"
    return Cause("FieldValueTooFew", field, f"Too few: {actual}: must have at least {least} {noun}")
