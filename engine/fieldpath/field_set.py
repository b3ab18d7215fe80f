"""Sets of paths, as a tree: the paths that end at an element are its `members`, those that go on its `children`.

A path may be in the set though no longer path through it is, and the other way round: owning `.spec` does not mean
owning `.spec.replicas`. Sets are values: operations return new sets and share what did not change, so a set must not
be altered once it was handed out. Only the walkers of engine.typed build one by altering it.

Invariant: no child is empty.

The items of a long list mostly have the same few fields. `flat_set` gives those one set for all of them, and what is
one object needs no comparing, here and in the walks.
Source: structured-merge-diff's fieldpath.Set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.fieldpath.element import Path, PathElement, in_order
from engine.schema.elements import TypeRef


class FieldSet:
    """A set of paths."""

    __slots__ = ("children", "members")

    def __init__(
        self, members: Iterable[PathElement] = (), children: dict[PathElement, FieldSet] | None = None
    ) -> None:
        self.members: set[PathElement] = set(members)
        self.children: dict[PathElement, FieldSet] = children if children is not None else {}

    def __bool__(self) -> bool:
        return bool(self.members or self.children)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldSet):
            return NotImplemented
        return self.members == other.members and self.children == other.children

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"FieldSet({sorted(self.members)}, {self.children})"

    def __len__(self) -> int:
        return len(self.members) + sum(map(len, self.children.values()))

    def __iter__(self) -> Iterator[Path]:
        """Yield every path, a path before those that go on from it, in the order of their elements."""
        for element in in_order(self.members | self.children.keys()):
            if element in self.members:
                yield (element,)
            child = self.children.get(element)
            if child is not None:
                for rest in child:
                    yield (element, *rest)

    def __contains__(self, path: Path) -> bool:
        node: FieldSet | None = self
        for element in path[:-1]:
            node = node.children.get(element) if node else None
        return node is not None and bool(path) and path[-1] in node.members

    def below(self, path: Path) -> FieldSet:
        """Return the set of the rests of the paths that go on from `path`."""
        node: FieldSet | None = self
        for element in path:
            node = node.children.get(element) if node else None
        return node if node is not None else EMPTY

    def union(self, other: FieldSet) -> FieldSet:
        """Return the paths that are in either set."""
        if not other or self is other:
            return self
        if not self:
            return other
        children = dict(self.children)
        for element, theirs in other.children.items():
            mine = children.get(element)
            if mine is not theirs:
                children[element] = theirs if mine is None else mine.union(theirs)
        return FieldSet(self.members | other.members, children)

    def intersection(self, other: FieldSet) -> FieldSet:
        """Return the paths that are in both sets."""
        if self is other:
            return self
        return FieldSet(
            self.members & other.members,
            _filled(
                (element, mine.intersection(other.children[element]))
                for element, mine in self.children.items()
                if element in other.children
            ),
        )

    def difference(self, other: FieldSet) -> FieldSet:
        """Return the paths of this set that are not in the other."""
        if self is other:
            return EMPTY
        if not other or not self:
            return self
        children: dict[PathElement, FieldSet] = {}
        for element, mine in self.children.items():
            theirs = other.children.get(element)
            if theirs is mine:
                continue
            left = mine if theirs is None else mine.difference(theirs)
            if left.members or left.children:
                children[element] = left
        return FieldSet(self.members - other.members, children)

    def recursive_difference(self, other: FieldSet) -> FieldSet:
        """Return the paths of this set that are neither in the other nor go on from one that is."""
        if not other or not self:
            return self
        return FieldSet(
            self.members - other.members,
            _filled(
                (element, mine.recursive_difference(other.children[element]) if element in other.children else mine)
                for element, mine in self.children.items()
                if element not in other.members
            ),
        )

    def leaves(self) -> FieldSet:
        """Return the paths of this set from which no other goes on."""
        return FieldSet(
            self.members - self.children.keys(),
            {element: child.leaves() for element, child in self.children.items()},
        )

    def with_named_fields(self, type_ref: TypeRef | None) -> FieldSet:
        """Return this set with every declared struct field that a path goes through added to it.

        Owning something inside a struct keeps the struct; owning something inside a list item or a free map does
        not keep the item. type_ref is the type of the value at this set's root.
        """
        if not self.children:
            return self
        fields = type_ref.atom.map.fields if type_ref is not None and type_ref.atom.map is not None else {}
        passed = {element for element in self.children if element[:2] == "f:" and element[2:] in fields}
        children = {
            element: child.with_named_fields(_child_type(type_ref, element)) if child.children else child
            for element, child in self.children.items()
        }
        return FieldSet(self.members | passed, children)


EMPTY = FieldSet()
"""The set without paths."""
MOST_FLAT = 32
"""How many elements a set may have to be kept by `flat_set`."""


def flat_set(elements: Iterable[PathElement]) -> FieldSet:
    """Return the set of these paths of one element each, at most MOST_FLAT: one object, as long as it is in use."""
    return _flat_set(frozenset(elements))


@lru_cache(maxsize=1024)
def _flat_set(elements: frozenset[PathElement]) -> FieldSet:
    made = FieldSet()
    made.members = elements  # type: ignore[assignment]  # whoever altered it would alter all that have it
    return made


def field_set(paths: Iterable[Path]) -> FieldSet:
    """Return the set of these paths; the empty path counts for nothing."""
    root = FieldSet()
    for path in paths:
        node = root
        for element in path[:-1]:
            node = node.children.setdefault(element, FieldSet())
        if path:
            node.members.add(path[-1])
    return root


def _filled(children: Iterable[tuple[PathElement, FieldSet]]) -> dict[PathElement, FieldSet]:
    return {element: child for element, child in children if child}


def _child_type(type_ref: TypeRef | None, element: PathElement) -> TypeRef | None:
    if type_ref is None:
        return None
    atom, prefix = type_ref.atom, element[:2]
    if prefix == "f:" and atom.map is not None:
        return atom.map.member(element[2:])
    return atom.list.items if prefix == "k:" and atom.list is not None else None
