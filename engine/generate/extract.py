"""The part of a value that holds some fields: what an intent has to say to own them."""

from __future__ import annotations

from typing import Any

from engine.fieldpath.element import PathElement
from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.schema.elements import ListType, MapType, Scalar, TypeRef
from engine.typed.walker import UnaddressableItem, item_element, shape_of
from engine.value.model import MISSING, Missing, Value


def extract(value: Value, type_ref: TypeRef, fields: FieldSet) -> Value | Missing:
    """Return `value` with only `fields` in it: leaves, atomic lists and maps whole, items of keyed lists with their
    keys. MISSING if none of the fields is there.
    """
    shape = shape_of(type_ref.atom, value)
    if isinstance(shape, Scalar) or shape.is_atomic or not isinstance(value, (dict, list)):
        return value
    if isinstance(value, dict):
        return _members(value, shape, fields) if isinstance(shape, MapType) else value
    return _items(value, shape, fields) if isinstance(shape, ListType) else value


def _members(value: dict[str, Any], shape: MapType, fields: FieldSet) -> Value | Missing:
    kept: dict[str, Any] = {}
    for name, member in value.items():
        element = "f:" + name
        member_type = shape.member(name)
        if not _wanted(element, fields):
            continue
        below = fields.children.get(element, EMPTY)
        found = member if member_type is None else extract(member, member_type, below)
        if not isinstance(found, Missing):
            kept[name] = found
        elif element in fields.members:
            kept[name] = {} if isinstance(member, dict) else []
    return kept or MISSING


def _items(value: list[Any], shape: ListType, fields: FieldSet) -> Value | Missing:
    kept = []
    for item in value:
        element = _element(shape, item)
        if element is None or not _wanted(element, fields):
            continue
        found = extract(item, shape.items, fields.children.get(element, EMPTY))
        if isinstance(item, dict):
            keys = {name: item[name] for name in shape.keys if name in item}
            found = {**keys, **(found if isinstance(found, dict) else {})}
        if not isinstance(found, Missing):
            kept.append(found)
    return kept or MISSING


def _wanted(element: PathElement, fields: FieldSet) -> bool:
    return element in fields.members or element in fields.children


def _element(shape: ListType, item: Value) -> PathElement | None:
    try:
        return item_element(shape, item)
    except UnaddressableItem:
        return None
