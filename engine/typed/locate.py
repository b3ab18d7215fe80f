"""The value that a field path leads to, and the plain way there."""

from __future__ import annotations

from engine.fieldpath.element import FieldName, Index, Path, SetValue, parse_element
from engine.schema.elements import ListType, TypeRef
from engine.typed.walker import UnaddressableItem, item_element
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Value


def value_at(value: Value | Missing, type_ref: TypeRef | None, path: Path) -> Value | Missing:
    """Return the value at `path` in a value of a type, MISSING if there is none.

    An item of a map list is found by its keys, with defaults for those that it leaves out; of several the first.
    """
    for element in path:
        value, type_ref = _step(value, type_ref, element)
        if isinstance(value, Missing):
            return MISSING
    return value


def steps_to(value: Value, type_ref: TypeRef | None, path: Path) -> tuple[str | int, ...] | None:
    """Return the plain steps to the value at `path`, member names and indices; None if there is none."""
    steps: list[str | int] = []
    found: Value | Missing = value
    for element in path:
        holder = found
        found, type_ref = _step(holder, type_ref, element)
        if isinstance(found, Missing):
            return None
        step = parse_element(element)
        if isinstance(step, FieldName):
            steps.append(step.name)
        else:
            assert isinstance(holder, list)
            steps.append(next(index for index, item in enumerate(holder) if item is found))
    return tuple(steps)


def _step(value: Value | Missing, type_ref: TypeRef | None, element: str) -> tuple[Value | Missing, TypeRef | None]:
    atom = type_ref.atom if type_ref is not None else None
    step = parse_element(element)
    if isinstance(step, FieldName):
        found = value.get(step.name, MISSING) if isinstance(value, dict) else MISSING
        return found, atom.map.member(step.name) if atom is not None and atom.map is not None else None
    shape = atom.list if atom is not None else None
    items = value if isinstance(value, list) else []
    of_items = shape.items if shape is not None else None
    if isinstance(step, Index):
        return (items[step.index] if 0 <= step.index < len(items) else MISSING), of_items
    if isinstance(step, SetValue):
        return next((item for item in items if equal(item, step.value)), MISSING), of_items
    return next((item for item in items if _has_keys(item, shape, element)), MISSING), of_items


def _has_keys(item: Value, shape: ListType | None, element: str) -> bool:
    if shape is None or not shape.keys:
        return False
    try:
        return item_element(shape, item) == element
    except UnaddressableItem:
        return False
