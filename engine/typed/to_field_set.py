"""Which fields a value has: what an applier owns of its intent.

Rules: a leaf is a path, and so is each item of an associative list, an empty or null map, and a member that no field
declares. A struct or map that has members is none. Items that share a key count as one, and what is inside them not.

Source: structured-merge-diff's typed.ToFieldSet, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections import Counter

from engine.fieldpath.element import PathElement
from engine.fieldpath.field_set import FieldSet
from engine.schema.elements import ListType, MapType, Scalar, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import UnaddressableItem, item_element, shape_of
from engine.value.model import Value


def to_field_set(typed: TypedValue) -> FieldSet:
    """Return the set of the fields of a value that fits its type."""
    root = FieldSet()
    _collect(typed.value, typed.type, root)
    return root


def _collect(value: Value, type_ref: TypeRef, node: FieldSet) -> bool:
    """Add the paths below `value` to `node`; return True if the value is a leaf itself, for its parent to note."""
    shape = shape_of(type_ref.atom, value)
    if isinstance(shape, Scalar) or shape.is_atomic:
        return True
    if isinstance(shape, MapType):
        if isinstance(value, dict):
            _collect_members(value, shape, node)
    elif isinstance(value, list):
        _collect_items(value, shape, node)
    return False


def _collect_members(value: dict[str, Value], shape: MapType, node: FieldSet) -> None:
    fields = shape.fields
    for name, member in value.items():
        member_type = shape.member(name)
        if member_type is None:
            continue
        element = "f:" + name
        if isinstance(member, (str, int)) and member_type.atom.scalar is not None:
            node.members.add(element)
            continue
        below = FieldSet()
        is_leaf = _collect(member, member_type, below)
        if is_leaf or member is None or member == {} or name not in fields:
            node.members.add(element)
        if below:
            node.children[element] = below


def _collect_items(value: list[Value], shape: ListType, node: FieldSet) -> None:
    elements = [_element(shape, item) for item in value]
    times = Counter(elements)
    for element, item in zip(elements, value, strict=True):
        if element is None:
            continue
        node.members.add(element)
        if times[element] == 1:
            below = FieldSet()
            _collect(item, shape.items, below)
            if below:
                node.children[element] = below


def _element(shape: ListType, item: Value) -> PathElement | None:
    try:
        return item_element(shape, item)
    except UnaddressableItem:
        return None
