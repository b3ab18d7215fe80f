"""The leaves of a value: what one line of it shows, and the field that is owned there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.fieldpath.element import Path
from engine.schema.elements import ListType, MapType, TypeRef
from engine.typed.walker import UnaddressableItem, item_element, shape_of
from engine.value.model import Value

Steps = tuple[str | int, ...]
"""A path in plain steps: member names and indices."""


class Leaf(NamedTuple):
    """A scalar, or an empty list or map: where it is, its value, and the field whose ownership is about it.

    field is the leaf's own path, or that of the outermost list or map around it that is owned as a whole.
    """

    steps: Steps
    value: Value
    field: Path
    in_whole: bool


def leaves(value: Value, type_ref: TypeRef | None) -> Iterator[Leaf]:
    """Return every leaf of a value, in its order. Where no type is known, maps are owned by member, lists as wholes."""
    if not isinstance(value, (dict, list)) or not value:
        return iter((Leaf((), value, (), in_whole=False),))
    found: list[Leaf] = []
    _walk(value, type_ref, (), (), found, in_whole=False)
    return iter(found)


def _walk(
    value: dict[str, Any] | list[Any],
    type_ref: TypeRef | None,
    steps: Steps,
    field: Path,
    found: list[Leaf],
    *,
    in_whole: bool,
) -> None:
    """Add the leaves of a map or list that is not empty to `found`."""
    shape = shape_of(type_ref.atom, value) if type_ref is not None else None
    whole = in_whole or (isinstance(shape, MapType | ListType) and shape.is_atomic) or _is_untyped_list(value, shape)
    if isinstance(value, dict):
        for name, member in value.items():
            path = field if whole else (*field, "f:" + name)
            if isinstance(member, (dict, list)) and member:
                below = shape.member(name) if isinstance(shape, MapType) else None
                _walk(member, below, (*steps, name), path, found, in_whole=whole)
            else:
                found.append(Leaf((*steps, name), member, path, whole))
        return
    items = shape.items if isinstance(shape, ListType) else None
    for index, item in enumerate(value):
        path = field if whole else (*field, _element(shape, item, index))
        if isinstance(item, (dict, list)) and item:
            _walk(item, items, (*steps, index), path, found, in_whole=whole)
        else:
            found.append(Leaf((*steps, index), item, path, whole))


def _is_untyped_list(value: Value, shape: object) -> bool:
    return isinstance(value, list) and not isinstance(shape, ListType)


def _element(shape: object, item: Value, index: int) -> str:
    assert isinstance(shape, ListType)
    try:
        return item_element(shape, item)
    except UnaddressableItem:
        return f"i:{index}"
