"""The value that a field path leads to, and the plain way there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias

from engine.fieldpath.element import FieldName, Index, Path, PathElement, SetValue, parse_element
from engine.schema.elements import ListType, TypeRef
from engine.typed.walker import item_elements
from engine.value.equality import identity
from engine.value.model import MISSING, Missing, Value


def value_at(value: Value | Missing, type_ref: TypeRef | None, path: Path) -> Value | Missing:
    """Return the value at `path` in a value of a type; see Locator, which is quicker for more than one."""
    return Locator(value, type_ref).value(path)


def steps_to(value: Value, type_ref: TypeRef | None, path: Path) -> tuple[str | int, ...] | None:
    """Return the plain steps to the value at `path`, member names and indices; None if there is none."""
    return Locator(value, type_ref).steps(path)


Step: TypeAlias = str | int
_Reached: TypeAlias = "tuple[Value | Missing, TypeRef | None]"


class Locator:
    """Finds what is at field paths in one value of a type, which nobody changes meanwhile. Threads may share none.

    An item of a map list is found by its keys, with defaults for those that it leaves out; of several the first. Each
    list is looked through once, however many paths lead into it.
    """

    def __init__(self, value: Value | Missing, type_ref: TypeRef | None) -> None:
        self._value, self._type = value, type_ref
        self._indices: dict[tuple[int, str], dict[Hashable, int]] = {}

    def value(self, path: Path) -> Value | Missing:
        """Return the value at `path`, MISSING if there is none."""
        reached: _Reached = (self._value, self._type)
        for element in path:
            _, reached = self._next(reached, element)
            if reached[0] is MISSING:
                break
        return reached[0]

    def steps(self, path: Path) -> tuple[Step, ...] | None:
        """Return the plain steps to the value at `path`, member names and indices; None if there is none."""
        steps: list[Step] = []
        reached: _Reached = (self._value, self._type)
        for element in path:
            step, reached = self._next(reached, element)
            if reached[0] is MISSING:
                return None
            steps.append(step)
        return tuple(steps)

    def _next(self, reached: _Reached, element: PathElement) -> tuple[Step, _Reached]:
        value, type_ref = reached
        atom = type_ref.atom if type_ref is not None else None
        step = parse_element(element)
        if isinstance(step, FieldName):
            found = value.get(step.name, MISSING) if isinstance(value, dict) else MISSING
            return step.name, (found, atom.map.member(step.name) if atom is not None and atom.map is not None else None)
        shape = atom.list if atom is not None else None
        items = value if isinstance(value, list) else []
        index = self._index(items, shape, element)
        return index, (items[index] if 0 <= index < len(items) else MISSING, shape.items if shape is not None else None)

    def _index(self, items: list[Value], shape: ListType | None, element: PathElement) -> int:
        """Return where in a list an element leads, -1 if nowhere."""
        step = parse_element(element)
        if isinstance(step, Index):
            return step.index
        if isinstance(step, SetValue):
            return self._listed(items, "", lambda: map(identity, items)).get(identity(step.value), -1)
        if shape is None or not shape.keys:
            return -1
        return self._listed(items, "keys", lambda: item_elements(shape, items)).get(element, -1)

    def _listed(self, items: list[Value], by: str, told: Callable[[], Iterable[Hashable]]) -> dict[Hashable, int]:
        """Return where the first of the items is of which each thing is told."""
        found = self._indices.get((id(items), by))
        if found is None:
            found = self._indices[id(items), by] = {}
            for index, each in enumerate(told()):
                found.setdefault(each, index)
        return found
