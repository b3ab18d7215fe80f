"""An intent laid over a live value.

Rules: where both have a field the intent's value wins, leaf by leaf; what the intent does not have stays. Items of an
associative list are merged by element: those that both have come in the intent's order, with live ones kept near where
they were. Null is a value. An element that merges to nothing is left out.

What the intent leaves as it is stays the very same object, lists and maps included, so that `compare` passes over it:
this took a
forced apply to a Deployment from 41 units to 33, and one that changes nothing passes `compare` by (BENCHMARKS.md tells
what a unit is).

Source: structured-merge-diff's typed.Merge, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from operator import is_
from typing import Any

from engine.errors import EngineError
from engine.fieldpath.element import PathElement
from engine.schema.elements import ListType, MapType, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import Shape, UnaddressableItem, flat_kind, is_leaf, item_element, item_elements, shape_of
from engine.value.model import MISSING, Missing, Value


@dataclass(eq=False)
class UnmergeableItem(EngineError):
    """An item of an associative list that cannot be merged: it has no element, or shares one inside an intent."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def merge(live: TypedValue, config: TypedValue) -> TypedValue:
    """Return `config` merged over `live`; both are of the type of `live`. Unchanged parts are shared, not copied.

    Raises:
        UnmergeableItem: an associative list holds an item that cannot be merged.
    """
    merged = _merge(live.value, config.value, live.type)
    return TypedValue(None if isinstance(merged, Missing) else merged, live.type)


def _merge(lhs: Value | Missing, rhs: Value | Missing, type_ref: TypeRef) -> Value | Missing:
    if isinstance(rhs, Missing):
        return _merge_as(shape_of(type_ref.atom, lhs), lhs, rhs)
    atom = type_ref.atom
    if isinstance(rhs, (str, int)) and atom.scalar is not None:
        return lhs if type(lhs) is type(rhs) and lhs == rhs else rhs
    return _merge_as(shape_of(atom, rhs), lhs, rhs)


def _merge_as(shape: Shape, lhs: Value | Missing, rhs: Value | Missing) -> Value | Missing:
    if is_leaf(shape, lhs, rhs):
        return lhs if isinstance(rhs, Missing) or _is_spelled_alike(lhs, rhs) else rhs
    if isinstance(shape, MapType):
        return _merge_members(shape, lhs, rhs)
    assert isinstance(shape, ListType)
    return _merge_items(shape, lhs, rhs)


def _is_spelled_alike(lhs: Any, rhs: Any) -> bool:
    """Return True if two values are one to the letter, but for the order of members; floats never are."""
    if type(lhs) is not type(rhs):
        return False
    if isinstance(lhs, dict):
        return lhs.keys() == rhs.keys() and all(_is_spelled_alike(lhs[name], rhs[name]) for name in lhs)
    if isinstance(lhs, list):
        return len(lhs) == len(rhs) and all(map(_is_spelled_alike, lhs, rhs))
    return not isinstance(lhs, float) and bool(lhs == rhs)


_EXACT = frozenset((str, int, bool))
"""Types whose equal values are spelled alike."""


def _merge_members(shape: MapType, lhs: Value | Missing, rhs: Value | Missing) -> Value | Missing:
    left = lhs if isinstance(lhs, dict) else {}
    right = rhs if isinstance(rhs, dict) else {}
    out: dict[str, Value] | None = None
    for name, value in right.items():
        before = left.get(name, MISSING)
        if type(value) is type(before) and type(value) in _EXACT and value == before:
            continue  # what most members are
        merged = _merge(before, value, _member_type(shape, name))
        if merged is before:
            continue
        if out is None:
            out = dict(left)
        if isinstance(merged, Missing):
            out.pop(name, None)
        else:
            out[name] = merged
    if out is not None:
        return out or MISSING
    return lhs if left else MISSING


def _member_type(shape: MapType, name: str) -> TypeRef:
    member_type = shape.member(name)
    assert member_type is not None, f"an undeclared field {name} passed validation"
    return member_type


def _merge_items(shape: ListType, lhs: Value | Missing, rhs: Value | Missing) -> Value | Missing:
    left = _Indexed(shape, lhs, allow_duplicates=True)
    right = _Indexed(shape, rhs, allow_duplicates=False)
    out = [
        merged
        for element, live, config in _zip_items(left, right)
        if not isinstance(merged := _merge_item(live, config, shape.items), Missing)
    ]
    if len(out) == len(left.items) and all(map(is_, out, left.items)):
        return lhs if out else MISSING
    return out or MISSING


def _merge_item(lhs: Value | Missing, rhs: Value | Missing, items: TypeRef) -> Value | Missing:
    if rhs is MISSING or _are_same_scalars(lhs, rhs):
        return lhs
    if lhs is MISSING and rhs and flat_kind(rhs) is not None:
        return rhs
    return _merge(lhs, rhs, items)


def _are_same_scalars(lhs: Any, rhs: Any) -> bool:
    """Return True if two items are maps of the same scalars, spelled alike: what most of a long list is."""
    if type(lhs) is not dict or lhs != rhs:
        return False
    types = [*map(type, lhs.values())]
    return _EXACT.issuperset(types) and types == [*map(type, rhs.values())]


class _Indexed:
    """A list's items with their elements; of items that share an element none is found by it."""

    __slots__ = ("by_element", "elements", "items")

    def __init__(self, shape: ListType, value: Value | Missing, allow_duplicates: bool) -> None:
        self.items: list[Value] = value if isinstance(value, list) else []
        self.elements = _elements(shape, self.items)
        self.by_element: dict[PathElement, Value | Missing] = dict(zip(self.elements, self.items, strict=True))
        if len(self.by_element) < len(self.items):
            for element, times in Counter(self.elements).items():
                if times > 1 and not allow_duplicates:
                    raise UnmergeableItem(f"duplicate entries for key {element}")
                if times > 1:
                    self.by_element[element] = MISSING


def _elements(shape: ListType, items: list[Value]) -> list[PathElement]:
    found = []
    for index, element in enumerate(item_elements(shape, items)):
        if element is None:
            raise UnmergeableItem(f"element {index}: {_why_none(shape, items[index])}")
        found.append(element)
    return found


def _why_none(shape: ListType, item: Value) -> str:
    try:
        return item_element(shape, item)
    except UnaddressableItem as error:
        return str(error)


Pair = tuple[PathElement, "Value | Missing", "Value | Missing"]


def _zip_items(left: _Indexed, right: _Indexed) -> list[Pair]:
    """Pair the items of two lists, in the order of the merged one.

    Items that both lists have come in the order of the right one. `shared` holds those of them still to come: a left
    item that is not the next of them waits until its turn on the right.
    """
    if left.elements == right.elements:
        return list(zip(right.elements, left.items, right.items, strict=True))
    shared = deque(element for element in right.elements if element in left.by_element)
    out: list[Pair] = []
    merged: set[PathElement] = set()
    i = j = 0
    while i < len(left.elements) or j < len(right.elements):
        mine = left.elements[i] if i < len(left.elements) else None
        theirs = right.elements[j] if j < len(right.elements) else None
        if mine is not None and mine == theirs:
            i += 1
        elif mine is not None and mine not in right.by_element:
            out.append((mine, left.items[i], MISSING))
            i += 1
            continue
        elif mine is not None and theirs is not None and shared and shared[0] != mine:
            i += 1
            continue
        elif mine in merged:
            i += 1
        if theirs is None:
            continue
        out.append((theirs, left.by_element.get(theirs, MISSING), right.by_element[theirs]))
        merged.add(theirs)
        j += 1
        if shared and shared[0] == theirs:
            shared.popleft()
    return out
