"""Does a custom resource fit its schema? Types, required members, ranges, sizes, enumerations, sets and map lists.

Paths of schema faults are dotted throughout (`spec.limits.k1`); those of list faults bracket a free map's key
(`spec.limits[k1][2]`), as the reference does.

Source: apiextensions' schema and list validation, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from engine.schema.pattern import BadPattern, is_found
from engine.schema.structural import members
from engine.schema.validation.cause import (
    Cause,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
    type_invalid,
)
from engine.value.equality import equal, identity
from engine.value.model import MISSING, Kind, Missing, Object, Value, kind_of

_ENVELOPE = ("apiVersion", "kind", "metadata")


def validate_custom(obj: Object, schema: Object, live: Object | None = None) -> tuple[Cause, ...]:
    """Return what is wrong with a custom resource by its openAPIV3Schema; metadata is not looked at.

    What is as it was in `live`, the object that it replaces, is not held against it.
    """
    body, old = _body(obj), MISSING if live is None else _body(live)
    return (*_faults(body, old, _without_envelope(schema), ""), *_list_faults(body, old, schema, ""))


def _body(obj: Object) -> Object:
    return {name: value for name, value in obj.items() if name not in _ENVELOPE}


def _without_envelope(schema: Object) -> Object:
    wanted = [name for name in schema.get("required") or () if name not in _ENVELOPE]
    return {**schema, "required": wanted}


def _faults(value: Value, old: Value | Missing, schema: Object, path: str) -> Iterator[Cause]:
    if (value is None and schema.get("nullable")) or _unchanged(value, old):
        return
    fault = _type_fault(value, schema, path)
    if fault is not None:
        yield fault
        return
    yield from _value_faults(value, schema, path)
    before = OldMembers(old, schema)
    for step, member, member_schema in members(value, schema):
        where = f"{path}[{step}]" if isinstance(step, int) else f"{path}.{step}" if path else step
        yield from _faults(member, before.of(step, member), member_schema, where)


def _unchanged(value: Value, old: Value | Missing) -> bool:
    return not isinstance(old, Missing) and equal(value, old)


class OldMembers:
    """The values that members had before: by name in a map, by keys in a map list; items of other lists have none."""

    def __init__(self, old: Value | Missing, schema: Object) -> None:
        """Look members up in `old`, a value of `schema`."""
        self._old, self._names = old, tuple(schema.get("x-kubernetes-list-map-keys") or ())
        self._items: dict[Hashable, list[Value]] = {}
        if isinstance(old, list) and schema.get("x-kubernetes-list-type") == "map":
            for item in old:
                if isinstance(item, dict):
                    self._items.setdefault(self._keys(item), []).append(item)

    def of(self, step: str | int, member: Value) -> Value | Missing:
        """Return what the member at `step`, which is `member` now, was before; MISSING if it was not there."""
        if isinstance(self._old, dict) and isinstance(step, str):
            before: Value | Missing = self._old.get(step, MISSING)
            return before
        same = self._items.get(self._keys(member), []) if isinstance(member, dict) and self._items else []
        return same[0] if len(same) == 1 else MISSING

    def _keys(self, item: Object) -> Hashable:
        return tuple(identity(item.get(name)) for name in self._names)


def _type_fault(value: Value, schema: Object, path: str) -> Cause | None:
    wanted = schema.get("type", "")
    if schema.get("x-kubernetes-int-or-string"):
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return None
        wanted = "integer,string"
    elif not wanted or _is_a(value, wanted):
        return None
    found = _type_name(value)
    return type_invalid(path, found, f'{path or "<nil>"} in body must be of type {wanted}: "{found}"')


def _is_a(value: Value, wanted: str) -> bool:
    if wanted == "integer":
        return not isinstance(value, bool) and (
            isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        )
    return kind_of(value).value == wanted


def _type_name(value: Value) -> str:
    if kind_of(value) is Kind.NUMBER:
        return "integer" if isinstance(value, int) else "number"
    return kind_of(value).value


def _value_faults(value: Value, schema: Object, path: str) -> Iterator[Cause]:
    if isinstance(value, str):
        yield from _text_faults(value, schema, path)
    elif isinstance(value, dict):
        yield from _map_faults(value, schema, path)
    elif isinstance(value, list):
        yield from _size_faults(value, schema, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number_faults(value, schema, path)
    allowed = schema.get("enum")
    if isinstance(allowed, list) and not any(equal(value, each) for each in allowed):
        yield not_supported(path, value, (str(each) for each in allowed))


def _text_faults(value: str, schema: Object, path: str) -> Iterator[Cause]:
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern")
    if isinstance(longest, int) and len(value) > longest:
        yield too_long(path, longest)
    if isinstance(shortest, int) and len(value) < shortest:
        yield invalid(path, value, f"{path} in body should be at least {shortest} chars long")
    if isinstance(pattern, str) and not _matches(pattern, value):
        yield invalid(path, value, f"{path} in body should match '{pattern}'")


def _matches(pattern: str, value: str) -> bool:
    try:
        return is_found(pattern, value)
    except BadPattern:
        return True


def _map_faults(value: dict[str, Any], schema: Object, path: str) -> Iterator[Cause]:
    for name in schema.get("required") or ():
        if name not in value:
            yield required(f"{path}.{name}" if path else name)
    most, fewest = schema.get("maxProperties"), schema.get("minProperties")
    if isinstance(most, int) and len(value) > most:
        yield too_many(path, len(value), most)
    if isinstance(fewest, int) and len(value) < fewest:
        yield invalid(path, len(value), f"{path} in body should have at least {fewest} properties")


def _size_faults(value: list[Any], schema: Object, path: str) -> Iterator[Cause]:
    most, fewest = schema.get("maxItems"), schema.get("minItems")
    if isinstance(most, int) and len(value) > most:
        yield too_many(path, len(value), most)
    if isinstance(fewest, int) and len(value) < fewest:
        yield invalid(path, len(value), f"{path} in body should have at least {fewest} items")


def _number_faults(value: int | float, schema: Object, path: str) -> Iterator[Cause]:
    highest, lowest, step = schema.get("maximum"), schema.get("minimum"), schema.get("multipleOf")
    if isinstance(highest, (int, float)):
        if schema.get("exclusiveMaximum") and value >= highest:
            yield invalid(path, value, f"{path} in body should be less than {highest}")
        elif value > highest:
            yield invalid(path, value, f"{path} in body should be less than or equal to {highest}")
    if isinstance(lowest, (int, float)):
        if schema.get("exclusiveMinimum") and value <= lowest:
            yield invalid(path, value, f"{path} in body should be greater than {lowest}")
        elif value < lowest:
            yield invalid(path, value, f"{path} in body should be greater than or equal to {lowest}")
    if isinstance(step, (int, float)) and step and value % step:
        yield invalid(path, value, f"{path} in body should be a multiple of {step}")


def _list_faults(value: Value, old: Value | Missing, schema: Object, path: str) -> Iterator[Cause]:
    """Faults of sets and map lists, wherever they are in the value."""
    if _unchanged(value, old):
        return
    if isinstance(value, list):
        list_type = schema.get("x-kubernetes-list-type")
        if list_type == "set":
            yield from _set_faults(value, path)
        elif list_type == "map":
            yield from _map_list_faults(value, schema, path)
    before = OldMembers(old, schema)
    for step, member, member_schema in members(value, schema):
        declared = isinstance(step, str) and step in (schema.get("properties") or {})
        where = (f"{path}.{step}" if path else str(step)) if declared else f"{path}[{step}]"
        yield from _list_faults(member, before.of(step, member), member_schema, where)


def _set_faults(value: list[Any], path: str) -> Iterator[Cause]:
    seen: set[Hashable] = set()
    for index, item in enumerate(value):
        key = identity(item)
        if key in seen:
            yield duplicate(f"{path}[{index}]", item)
        seen.add(key)


def _map_list_faults(value: list[Any], schema: Object, path: str) -> Iterator[Cause]:
    names = schema.get("x-kubernetes-list-map-keys") or ()
    seen: set[Hashable] = set()
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            yield invalid(f"{path}[{index}]", item, "must be an object for an array of list-type map")
            continue
        keys = {name: item[name] for name in names if name in item}
        key = identity(keys)
        if key in seen:
            yield duplicate(f"{path}[{index}]", keys)
        seen.add(key)
