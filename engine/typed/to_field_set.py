"""Which fields a value has: what an applier owns of its intent.

Rules: a leaf is a path, and so is each item of an associative list, an empty or null map, and a member that no field
declares. A struct or map that has members is none. Items that share a key count as one, and what is inside them not.

Source: structured-merge-diff's typed.ToFieldSet, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from engine.fieldpath.field_set import MOST_FLAT, FieldSet, flat_set
from engine.schema.elements import ListType, MapType, Scalar, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import flat_kind, item_elements, shape_of
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
    fields, members = shape.fields, node.members
    for name, member in value.items():
        declared = fields.get(name)
        member_type = shape.values if declared is None else declared.type
        if member_type is None:
            continue
        element = "f:" + name
        if isinstance(member, (str, int)) and member_type.atom.scalar is not None:
            members.add(element)
            continue
        below = FieldSet()
        is_leaf = _collect(member, member_type, below)
        if is_leaf or member is None or member == {} or declared is None:
            members.add(element)
        if below:
            node.children[element] = below


def _collect_items(value: list[Value], shape: ListType, node: FieldSet) -> None:
    elements = item_elements(shape, value)
    times = Counter(elements) if len(set(elements)) < len(elements) else None
    found: dict[Hashable, FieldSet] = {}
    for element, item in zip(elements, value, strict=True):
        if element is None:
            continue
        node.members.add(element)
        if times is None or times[element] == 1:
            kind = flat_kind(item)
            below = found.get(kind) if kind is not None else None
            if below is None:
                below = _of_item(item, shape.items)
                found[kind] = below
            if below.members or below.children:
                node.children[element] = below


def _of_item(item: Value, type_ref: TypeRef) -> FieldSet:
    below = FieldSet()
    _collect(item, type_ref, below)
    return below if below.children or len(below.members) > MOST_FLAT else flat_set(below.members)
