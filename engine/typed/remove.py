"""A value without some of its fields.

Rules: a list or map that loses all that it had stays, empty; one that was empty before becomes null. Nothing is removed
from inside an atomic list or map: asked for that, it becomes null as a whole.

Source: structured-merge-diff's typed.RemoveItems, as in Kubernetes 1.36.
"""

from __future__ import annotations

from engine.fieldpath.field_set import FieldSet
from engine.schema.elements import ListType, MapType, Scalar, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import item_elements, shape_of
from engine.value.model import Value


def remove_items(typed: TypedValue, fields: FieldSet) -> TypedValue:
    """Return the value without `fields` and all that is inside them. Unchanged parts are shared, not copied."""
    return TypedValue(_remove(typed.value, typed.type, fields), typed.type) if fields else typed


def _remove(value: Value, type_ref: TypeRef, fields: FieldSet) -> Value:
    shape = shape_of(type_ref.atom, value)
    if isinstance(shape, Scalar):
        return value
    if shape.is_atomic:
        return None
    if isinstance(shape, MapType):
        return _remove_members(value, shape, fields)
    return _remove_items(value, shape, fields)


def _remove_members(value: Value, shape: MapType, fields: FieldSet) -> Value:
    if not isinstance(value, dict) or not value:
        return None
    out: dict[str, Value] = {}
    for name, member in value.items():
        element = "f:" + name
        if element in fields.members:
            continue
        below = fields.children.get(element)
        member_type = shape.member(name)
        out[name] = member if below is None or member_type is None else _remove(member, member_type, below)
    return out


def _remove_items(value: Value, shape: ListType, fields: FieldSet) -> Value:
    if not isinstance(value, list) or not value:
        return None
    out: list[Value] = []
    for element, item in zip(item_elements(shape, value), value, strict=True):
        if element in fields.members:
            continue
        below = fields.children.get(element) if element is not None else None
        out.append(item if below is None else _remove(item, shape.items, below))
    return out
