"""What differs between two values of one type, as sets of fields.

Rules: leaves are compared whole. A list or map that only one side has counts itself, too, and not only its members.
Items that share a key are compared together, as if their list were atomic.

Source: structured-merge-diff's typed.Compare, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.fieldpath.element import PathElement
from engine.fieldpath.field_set import FieldSet
from engine.fieldpath.writable import Writable
from engine.schema.elements import ListType, MapType, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import Shape, flat_kind, is_leaf, item_elements, shape_of
from engine.value.equality import equal
from engine.value.model import MISSING, Value


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The fields that the second value has and the first has not, that differ, and that only the first has."""

    added: FieldSet
    modified: FieldSet
    removed: FieldSet

    def __bool__(self) -> bool:
        return bool(self.added or self.modified or self.removed)

    def of(self, writable: Writable) -> Comparison:
        """Return this comparison of the writable fields alone."""
        return Comparison(writable.of(self.added), writable.of(self.modified), writable.of(self.removed))


def compare(before: TypedValue, after: TypedValue) -> Comparison:
    """Return what the `after` value adds, modifies and removes; both are of the type of `before`."""
    root = _Node()
    _compare(before.value, after.value, before.type, root, None)
    return Comparison(root.added, root.modified, root.removed)


class _Node:
    """The three sets at one place of the walk."""

    __slots__ = ("added", "modified", "removed")

    def __init__(self) -> None:
        self.added, self.modified, self.removed = FieldSet(), FieldSet(), FieldSet()

    def attach(self, element: PathElement, below: _Node) -> None:
        """Hang the sets of a child under this node."""
        if below.added:
            self.added.children[element] = below.added
        if below.modified:
            self.modified.children[element] = below.modified
        if below.removed:
            self.removed.children[element] = below.removed


def _compare(lhs: Value, rhs: Value, type_ref: TypeRef, parent: _Node, element: PathElement | None) -> None:
    """Note under `element` of `parent` how lhs and rhs differ; without an element the parent is the root itself."""
    if lhs is rhs:
        return
    atom = type_ref.atom
    below = parent if element is None else _Node()
    shape, other = shape_of(atom, rhs), shape_of(atom, lhs)
    for each in (shape,) if other is shape else (other, shape):
        is_modified = _compare_as(each, lhs, rhs, below)
        if is_modified and element is not None:
            parent.modified.members.add(element)
    if element is not None:
        parent.attach(element, below)


def _compare_as(shape: Shape, lhs: Value, rhs: Value, below: _Node) -> bool:
    """Compare as one shape, and note what is inside; True if the two are leaves and differ."""
    if is_leaf(shape, lhs, rhs):
        return not equal(lhs, rhs)
    if isinstance(shape, MapType):
        _compare_members(shape, lhs, rhs, below)
    elif isinstance(shape, ListType):
        _compare_items(shape, lhs, rhs, below)
    return False


def _compare_members(shape: MapType, lhs: Value, rhs: Value, below: _Node) -> None:
    left = lhs if isinstance(lhs, dict) else {}
    right = rhs if isinstance(rhs, dict) else {}
    for name, value in left.items():
        member_type = shape.member(name)
        if member_type is None:
            continue
        if name in right:
            _compare(value, right[name], member_type, below, "f:" + name)
        else:
            _note_whole(value, member_type, below.removed, "f:" + name)
    for name, value in right.items():
        if name not in left:
            member_type = shape.member(name)
            if member_type is not None:
                _note_whole(value, member_type, below.added, "f:" + name)


def _compare_items(shape: ListType, lhs: Value, rhs: Value, below: _Node) -> None:
    before, after = _Items(shape, lhs), _Items(shape, rhs)
    if before.elements == after.elements and before.are_unique:
        for element, old, new in zip(before.elements, before.items, after.items, strict=True):
            if old is not new and element is not None:
                _compare(old, new, shape.items, below, element)
        return
    left, right = before.by_element(), after.by_element()
    removed, added = _Wholes(shape.items, below.removed), _Wholes(shape.items, below.added)
    for element, lefts in left.items():
        rights = right.get(element)
        if rights is None:
            removed.note(element, lefts)
        elif len(lefts) == 1 and len(rights) == 1:
            _compare(lefts[0], rights[0], shape.items, below, element)
        elif len(lefts) > 1 and len(rights) > 1:
            if not equal(lefts, rights):
                below.modified.members.add(element)
        elif len(lefts) > 1:
            added.note(element, rights)
            removed.note(element, lefts)
        else:
            removed.note(element, lefts)
            added.note(element, rights)
    for element, rights in right.items():
        if element not in left:
            added.note(element, rights)


class _Items:
    """A list's items, in order, with their elements."""

    __slots__ = ("elements", "items")

    def __init__(self, shape: ListType, value: Value) -> None:
        self.items = value if isinstance(value, list) else []
        self.elements = item_elements(shape, self.items)

    @property
    def are_unique(self) -> bool:
        """True if no two items share an element."""
        return len(set(self.elements)) == len(self.elements)

    def by_element(self) -> dict[PathElement, list[Value]]:
        """Return the items of each element; those that have none are left out."""
        found: dict[PathElement, list[Value]] = {}
        for element, item in zip(self.elements, self.items, strict=True):
            if element in found:
                found[element].append(item)
            elif element is not None:
                found[element] = [item]
        return found


class _Wholes:
    """Notes items that only one of two lists has. Those of one kind have the same fields, found once."""

    __slots__ = ("_known", "_side", "_type")

    def __init__(self, type_ref: TypeRef, side: FieldSet) -> None:
        self._type, self._side = type_ref, side
        self._known: dict[Hashable, FieldSet | None] = {}

    def note(self, element: PathElement, items: list[Value]) -> None:
        """Note what shares an element; of several items nothing but that they are there."""
        self._side.members.add(element)
        if len(items) > 1:
            return
        kind = flat_kind(items[0])
        if kind is None:
            _note_whole(items[0], self._type, self._side, element)
        elif kind in self._known:
            below = self._known[kind]
            if below is not None:
                self._side.children[element] = below
        else:
            _note_whole(items[0], self._type, self._side, element)
            self._known[kind] = self._side.children.get(element)


def _note_whole(value: Value, type_ref: TypeRef, side: FieldSet, element: PathElement) -> None:
    """Note under `element` of `side` all of a value that only one of the two has."""
    side.members.add(element)
    shape = shape_of(type_ref.atom, value)
    if is_leaf(shape, MISSING, value):
        return
    below = FieldSet()
    if isinstance(shape, MapType) and isinstance(value, dict):
        for name, member in value.items():
            member_type = shape.member(name)
            if member_type is not None:
                _note_whole(member, member_type, below, "f:" + name)
    elif isinstance(shape, ListType):
        items = _Wholes(shape.items, below)
        for item_element, found in _Items(shape, value).by_element().items():
            items.note(item_element, found)
    if below:
        side.children[element] = below
