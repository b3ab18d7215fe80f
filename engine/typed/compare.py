"""What differs between two values of one type, as sets of fields.

Rules: leaves are compared whole. A list or map that only one side has counts itself, too, and not only its members.
Items that share a key are compared together, as if their list were atomic.

Source: structured-merge-diff's typed.Compare, as in Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.fieldpath.element import PathElement
from engine.fieldpath.field_set import FieldSet
from engine.fieldpath.writable import Writable
from engine.schema.elements import ListType, MapType, Scalar, TypeRef
from engine.typed.typed_value import TypedValue
from engine.typed.walker import Shape, is_leaf, item_elements, shape_of
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Value


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


def _compare(
    lhs: Value | Missing, rhs: Value | Missing, type_ref: TypeRef, parent: _Node, element: PathElement | None
) -> None:
    """Note under `element` of `parent` how lhs and rhs differ; without an element the parent is the root itself."""
    if lhs is rhs:
        return
    atom = type_ref.atom
    below = parent if element is None else _Node()
    shape = shape_of(atom, lhs if isinstance(rhs, Missing) else rhs)
    other = shape if isinstance(lhs, Missing) or isinstance(rhs, Missing) else shape_of(atom, lhs)
    leaf = False
    for each in (shape,) if other is shape else (other, shape):
        leaf = _compare_as(each, lhs, rhs, below)
        if leaf and element is not None:
            _note_leaf(lhs, rhs, parent, element)
    if element is not None:
        if not leaf and isinstance(lhs, Missing):
            parent.added.members.add(element)
        elif not leaf and isinstance(rhs, Missing):
            parent.removed.members.add(element)
        parent.attach(element, below)


def _note_leaf(lhs: Value | Missing, rhs: Value | Missing, parent: _Node, element: PathElement) -> None:
    if isinstance(lhs, Missing):
        parent.added.members.add(element)
    elif isinstance(rhs, Missing):
        parent.removed.members.add(element)
    elif not equal(lhs, rhs):
        parent.modified.members.add(element)


def _compare_as(shape: Shape, lhs: Value | Missing, rhs: Value | Missing, below: _Node) -> bool:
    """Compare as one shape; True if the two are leaves."""
    if is_leaf(shape, lhs, rhs):
        return True
    if isinstance(shape, MapType):
        _compare_members(shape, lhs, rhs, below)
    elif isinstance(shape, ListType):
        _compare_items(shape, lhs, rhs, below)
    return isinstance(shape, Scalar)


def _compare_members(shape: MapType, lhs: Value | Missing, rhs: Value | Missing, below: _Node) -> None:
    left = lhs if isinstance(lhs, dict) else {}
    right = rhs if isinstance(rhs, dict) else {}
    for name, value in left.items():
        member_type = shape.member(name)
        if member_type is not None:
            _compare(value, right.get(name, MISSING), member_type, below, "f:" + name)
    for name, value in right.items():
        if name not in left:
            member_type = shape.member(name)
            if member_type is not None:
                _compare(MISSING, value, member_type, below, "f:" + name)


def _compare_items(shape: ListType, lhs: Value | Missing, rhs: Value | Missing, below: _Node) -> None:
    left, right = _by_element(shape, lhs), _by_element(shape, rhs)
    for element in (*left, *(e for e in right if e not in left)):
        lefts, rights = left.get(element, ()), right.get(element, ())
        if len(lefts) <= 1 and len(rights) <= 1:
            _compare(_only(lefts), _only(rights), shape.items, below, element)
        elif len(lefts) >= 2 and len(rights) >= 2:
            if not equal(list(lefts), list(rights)):
                below.modified.members.add(element)
        elif len(lefts) >= 2:
            if rights:
                _compare(MISSING, rights[0], shape.items, below, element)
            below.removed.members.add(element)
        else:
            if lefts:
                _compare(lefts[0], MISSING, shape.items, below, element)
            below.added.members.add(element)


def _only(items: tuple[Value, ...] | list[Value]) -> Value | Missing:
    return items[0] if items else MISSING


def _by_element(shape: ListType, value: Value | Missing) -> dict[PathElement, list[Value]]:
    found: dict[PathElement, list[Value]] = {}
    items = value if isinstance(value, list) else []
    for element, item in zip(item_elements(shape, items), items, strict=True):
        if element is not None:
            found.setdefault(element, []).append(item)
    return found
