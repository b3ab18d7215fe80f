"""The leaves of a value: what one line of it shows, and the field that is owned there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

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
    """Yield every leaf of a value, in its order. Where no type is known, maps are owned by members, lists as wholes."""
    found: list[Leaf] = []
    _walk(value, type_ref, (), (), found, in_whole=False)
    yield from found


def _walk(
    value: Value, type_ref: TypeRef | None, steps: Steps, field: Path, found: list[Leaf], *, in_whole: bool
) -> None:
    """Add the leaves to `found`."""
    if not isinstance(value, (dict, list)) or not value:
        found.append(Leaf(steps, value, field, in_whole))
        return
    shape = shape_of(type_ref.atom, value) if type_ref is not None else None
    whole = in_whole or (isinstance(shape, MapType | ListType) and shape.is_atomic) or _is_untyped_list(value, shape)
    if isinstance(value, dict):
        for name, member in value.items():
            below = shape.member(name) if isinstance(shape, MapType) else None
            path = field if whole else (*field, "f:" + name)
            _walk(member, below, (*steps, name), path, found, in_whole=whole)
        return
    for index, item in enumerate(value):
        path = field if whole else (*field, _element(shape, item, index))
        items = shape.items if isinstance(shape, ListType) else None
        _walk(item, items, (*steps, index), path, found, in_whole=whole)


def _is_untyped_list(value: Value, shape: object) -> bool:
    return isinstance(value, list) and not isinstance(shape, ListType)


def _element(shape: object, item: Value, index: int) -> str:
    assert isinstance(shape, ListType)
    try:
        return item_element(shape, item)
    except UnaddressableItem:
        return f"i:{index}"
