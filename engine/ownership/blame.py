"""Who owns each line of an object, as kubectl would print it.

Rules:
- A line belongs to whoever owns the field that it shows. A line that opens an item of a list shows the member that
  stands on it, where there is one, and not the item: who owns the item may not change that member.
- What is inside a list or map that somebody owns as a whole is that owner's, too.
- A line that opens a list or map is its own owner's, if it has one: owning what is inside does not own what holds it.

managedFields tells how each list is addressed: by keys, by value, by index. What is owned as a whole only the type
tells; where it is not known, lists are taken to be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import EngineError
from engine.fieldpath.element import FieldName, Index, Key, SetValue, key_element, parse_element
from engine.fieldpath.field_set import FieldSet
from engine.managedfields.entries import Managed, decode_entries, entries_of
from engine.meta.gvk import gvk_of
from engine.meta.manager import ManagerIdentifier
from engine.meta.object_meta import without_metadata
from engine.schema.catalog import builtin_catalog
from engine.schema.elements import Scalar, TypeRef
from engine.typed.walker import shape_of
from engine.value.codec import render_yaml_lines
from engine.value.equality import equal, identity
from engine.value.model import Object, Value

Steps = tuple[str | int, ...]
"""A path in plain steps: member names and indices."""


@dataclass(frozen=True, slots=True)
class Owner:
    """One owner, as its entry in managedFields tells; time is empty if the entry has none."""

    manager: str
    operation: str
    subresource: str
    api_version: str
    time: str


class BlameLine(NamedTuple):
    """One line of the object: its text, the path of the value that it belongs to, and who owns that (indices)."""

    text: str
    path: Steps
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Blame:
    """An object's lines, and the owners that they point to, in the order of managedFields."""

    owners: tuple[Owner, ...]
    lines: tuple[BlameLine, ...]


def blame(obj: Object, type_ref: TypeRef | None = None) -> Blame:
    """Return the owners of each line of an object of a type; managedFields itself is not among the lines.

    type_ref may be left out for built-in kinds. managedFields that cannot be read own nothing.
    """
    type_ref = type_ref or builtin_catalog().type_of(gvk_of(obj))
    managed = _managed(obj)
    shown = without_metadata(obj, "managedFields")
    claims: dict[Steps, list[int]] = {}
    whole: dict[Steps, list[int]] = {}
    for index, (_, owned) in enumerate(managed.fields.items()):
        _claim(owned.fields, shown, type_ref, (), _Claims(index, claims, whole))
    owner = _Owners(claims, whole)
    lines = tuple(BlameLine(text, path, owner.of(path)) for text, path in render_yaml_lines(shown))
    owners = tuple(_owner(who, owned.api_version, managed.times.get(who, "")) for who, owned in managed.fields.items())
    return Blame(owners, lines)


def _managed(obj: Object) -> Managed:
    try:
        return decode_entries(entries_of(obj))
    except EngineError:
        return Managed()


def _owner(who: ManagerIdentifier, api_version: str, time: str) -> Owner:
    return Owner(who.manager, who.operation, who.subresource, api_version, time)


class _Owners:
    """Who owns the value at a path: by claiming it, or by owning as a whole what holds it."""

    def __init__(self, claims: dict[Steps, list[int]], whole: dict[Steps, list[int]]) -> None:
        self._claims, self._whole = claims, whole
        self._inside: dict[Steps, tuple[int, ...]] = {(): ()}

    def of(self, path: Steps) -> tuple[int, ...]:
        claiming = self._claims.get(path, ())
        holding = self._holding(path[:-1]) if self._whole else ()
        if not holding and len(claiming) < 2:
            return tuple(claiming)
        return tuple(sorted({*claiming, *holding}))

    def _holding(self, path: Steps) -> tuple[int, ...]:
        """Who owns all that is in the value at `path`; found once for all that is in it."""
        found = self._inside.get(path)
        if found is None:
            found = self._inside[path] = (*self._holding(path[:-1]), *self._whole.get(path, ()))
        return found


@dataclass(frozen=True, slots=True)
class _Claims:
    """Where the claims of one owner are noted: all of them, and those of lists and maps as wholes."""

    owner: int
    all: dict[Steps, list[int]]
    whole: dict[Steps, list[int]]


def _claim(fields: FieldSet, value: Value, type_ref: TypeRef | None, steps: Steps, claims: _Claims) -> None:
    """Note the plain path of each claimed field that exists, and whether it is owned as a whole."""
    places = _Places(value)
    for element in fields.members | fields.children.keys():
        child = fields.children.get(element)
        below: TypeRef | None = None
        for step, member in places.of(element):
            path = (*steps, step)
            if isinstance(member, (dict, list)):
                below = below or _type_below(type_ref, element)
            if element in fields.members:
                claims.all.setdefault(path, []).append(claims.owner)
                if child is None and isinstance(member, (dict, list)) and _is_whole(member, below):
                    claims.whole.setdefault(path, []).append(claims.owner)
            if child is not None:
                _claim(child, member, below, path, claims)


def _type_below(type_ref: TypeRef | None, element: str) -> TypeRef | None:
    if type_ref is None:
        return None
    atom = type_ref.atom
    if element[:2] == "f:":
        return atom.map.member(element[2:]) if atom.map is not None else None
    return atom.list.items if atom.list is not None else None


def _is_whole(value: Value, type_ref: TypeRef | None) -> bool:
    if type_ref is None:
        return isinstance(value, list)
    shape = shape_of(type_ref.atom, value)
    return isinstance(shape, Scalar) or shape.is_atomic


class _Places:
    """Finds the members and items of one value. Items are sorted by their keys once, not looked through every time."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self._by_names: dict[tuple[str, ...], dict[str, list[int]]] = {}
        self._by_value: dict[Hashable, list[int]] | None = None

    def of(self, element: str) -> Iterable[tuple[str | int, Value]]:
        """Return where an element leads: at most one member, and every item of a list that it fits."""
        if element[:2] == "f:":
            name = element[2:]
            return ((name, self.value[name]),) if isinstance(self.value, dict) and name in self.value else ()
        if isinstance(self.value, list):
            for found in self._by_names.values():
                if element in found and "" not in found:  # spelled as the items' own keys are
                    return [(index, self.value[index]) for index in found[element]]
        return self._items(element)

    def _items(self, element: str) -> Iterator[tuple[int, Value]]:
        try:
            step = parse_element(element)
        except EngineError:
            return
        if isinstance(self.value, list) and not isinstance(step, FieldName):
            for index in self._candidates(step, self.value):
                if _fits(step, self.value[index]):
                    yield index, self.value[index]

    def _candidates(self, step: Key | SetValue | Index, items: list[Value]) -> Iterable[int]:
        if isinstance(step, Index):
            return (step.index,) if 0 <= step.index < len(items) else ()
        if isinstance(step, SetValue):
            if self._by_value is None:
                self._by_value = {}
                for index, item in enumerate(items):
                    self._by_value.setdefault(identity(item), []).append(index)
            return self._by_value.get(identity(step.value), ())
        names = tuple(name for name, _ in step.fields)
        if names not in self._by_names:
            self._by_names[names] = _by_keys(items, names)
        found = self._by_names[names]
        return sorted(found.get(key_element(dict(step.fields)), []) + found.get("", []))


def _by_keys(items: list[Value], names: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the positions of items by the element of these keys; under "" those that leave some out."""
    found: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        if isinstance(item, dict):
            whole = all(name in item for name in names)
            element = key_element({name: item[name] for name in names}) if whole else ""
            found.setdefault(element, []).append(index)
    return found


def _fits(step: Key | SetValue | Index, item: Value) -> bool:
    """Return True if an item is one that a step leads to; of a candidate of _candidates only keys are left to look at.

    A key that the item leaves out has its default, which only the schema knows: it is taken to fit.
    """
    if not isinstance(step, Key):
        return True
    return isinstance(item, dict) and all(equal(item[name], value) for name, value in step.fields if name in item)
