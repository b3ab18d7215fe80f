"""Hypothesis strategies: schemas of custom resources, values that fit them, and sequences of writes.

Names and scalars come from few choices, so that two values of one schema have much in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

NAMES = ("a", "b", "c")
TEXTS = ("x", "y", "z")
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(TEXTS),
    "integer": st.integers(0, 2),
    "boolean": st.booleans(),
}


@st.composite
def scalar_schemas(draw: st.DrawFn) -> Schema:
    """Return a schema of a scalar, perhaps with a default or nullable."""
    kind = draw(st.sampled_from(sorted(SCALARS)))
    schema: Schema = {"type": kind}
    if draw(st.integers(0, 3)) == 0:
        schema["default"] = draw(SCALARS[kind])
    elif draw(st.integers(0, 5)) == 0:
        schema["nullable"] = True
    return schema


def plain_scalars() -> st.SearchStrategy[Schema]:
    """Return schemas of scalars that are always there."""
    return st.sampled_from(["string", "integer"]).map(lambda kind: {"type": kind})


@st.composite
def struct_schemas(draw: st.DrawFn, depth: int) -> Schema:
    """Return a schema of a struct, granular or atomic."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    schema: Schema = {"type": "object", "properties": {name: draw(schemas(depth - 1)) for name in names}}
    return {**schema, **draw(_map_types())}


@st.composite
def map_schemas(draw: st.DrawFn, depth: int) -> Schema:
    """Return a schema of a free map, granular or atomic."""
    values = draw(plain_scalars() if depth <= 1 else schemas(depth - 1))
    values = {name: value for name, value in values.items() if name != "default"}
    return {"type": "object", "additionalProperties": values, **draw(_map_types())}


def _map_types() -> st.SearchStrategy[Schema]:
    return st.sampled_from([{}, {}, {"x-kubernetes-map-type": "granular"}, {"x-kubernetes-map-type": "atomic"}])


@st.composite
def list_schemas(draw: st.DrawFn, depth: int) -> Schema:
    """Return a schema of a list: atomic, a set, or a map list with one key or two, one of them with a default."""
    kind = draw(st.sampled_from(["atomic", "set", "map", "map"]))
    if kind == "set":
        return {"type": "array", "x-kubernetes-list-type": "set", "items": draw(plain_scalars())}
    if kind == "atomic":
        return {"type": "array", "x-kubernetes-list-type": "atomic", "items": draw(schemas(depth - 1))}
    properties = {"id": {"type": "integer"}, "a": draw(schemas(depth - 1)), "b": draw(schemas(depth - 1))}
    keys = ["id"]
    if draw(st.booleans()):
        properties["protocol"] = {"type": "string", "default": "x"}
        keys.append("protocol")
    items = {"type": "object", "properties": properties, "required": ["id"]}
    return {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": items}


def schemas(depth: int = 3) -> st.SearchStrategy[Schema]:
    """Return schemas nested at most `depth` deep."""
    if depth <= 0:
        return scalar_schemas()
    return st.one_of(scalar_schemas(), struct_schemas(depth), map_schemas(depth), list_schemas(depth))


@st.composite
def values_fitting(draw: st.DrawFn, schema: Schema) -> Any:
    """Return a value that an intent of this schema may hold."""
    if schema.get("nullable") and draw(st.integers(0, 4)) == 0:
        return None
    kind = schema["type"]
    if kind == "object":
        return draw(_maps_fitting(schema))
    if kind == "array":
        return draw(_lists_fitting(schema))
    return draw(SCALARS[kind])


@st.composite
def _maps_fitting(draw: st.DrawFn, schema: Schema) -> Any:
    members: Schema = schema.get("properties") or dict.fromkeys(NAMES, schema["additionalProperties"])
    wanted = [name for name in members if name in schema.get("required", ()) or draw(st.booleans())]
    return {name: draw(values_fitting(members[name])) for name in wanted}


@st.composite
def _lists_fitting(draw: st.DrawFn, schema: Schema) -> Any:
    items = values_fitting(schema["items"])
    list_type = schema["x-kubernetes-list-type"]
    if list_type == "atomic":
        return draw(st.lists(items, max_size=3))
    if list_type == "set":
        return draw(st.lists(items, max_size=3, unique=True))
    return draw(st.lists(items, max_size=3, unique_by=lambda item: (item["id"], item.get("protocol", "x"))))


VERBS = ("apply", "apply", "apply", "force", "update", "merge")
MANAGERS = ("m1", "m2", "m3")


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a history: how, by whom, and the value of `spec`."""

    verb: str
    manager: str
    spec: Any


@dataclass(frozen=True, slots=True)
class History:
    """A schema of `spec`, and writes that fit it."""

    schema: Schema
    writes: tuple[Write, ...]


@st.composite
def histories(draw: st.DrawFn, longest: int = 5) -> History:
    """Return a schema and a sequence of writes to an object of it."""
    schema = draw(struct_schemas(3))
    spec = values_fitting(schema)
    write = st.builds(Write, st.sampled_from(VERBS), st.sampled_from(MANAGERS), spec)
    return History(schema, tuple(draw(st.lists(write, min_size=1, max_size=longest))))


@st.composite
def schemas_with_values(draw: st.DrawFn, count: int) -> tuple[Schema, list[Any]]:
    """Return a schema of a struct, and as many values that fit it."""
    schema = draw(struct_schemas(3))
    return schema, [draw(values_fitting(schema)) for _ in range(count)]


@st.composite
def path_elements(draw: st.DrawFn) -> str:
    """Return a path element in its one spelling."""
    from engine.fieldpath.element import field_element, index_element, key_element, value_element

    kind = draw(st.sampled_from("ffkvi"))
    if kind == "f":
        return field_element(draw(st.sampled_from([*NAMES, "", "with:colon", "with.dot", "é"])))
    if kind == "k":
        names = st.sampled_from(["id", "name"])
        return key_element(draw(st.dictionaries(names, st.integers(0, 2) | st.sampled_from(TEXTS), min_size=1)))
    if kind == "v":
        return value_element(draw(st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(TEXTS)))
    return index_element(draw(st.integers(0, 12)))


paths = st.lists(path_elements(), min_size=1, max_size=3).map(tuple)
path_lists = st.lists(paths, max_size=8)
