"""One step of a path, spelled as in fieldsV1: that spelling is its identity, so sets of paths are sets of strings.

    f:name              the member `name` of a map
    k:{"name":"web"}    the item of a map list that has these keys, sorted by key
    v:"tcp"             the item of a set that is this value
    i:0                 the item at this index

`parse_element` takes a spelling apart where its parts are needed: to print a path, or to find the item.

Source: structured-merge-diff's fieldpath serialization, as in managedFields of Kubernetes 1.36.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from json.encoder import encode_basestring
from typing import TypeAlias

from engine.errors import EngineError
from engine.said import said
from engine.value.model import Object, Value

PathElement: TypeAlias = str
Path: TypeAlias = tuple[PathElement, ...]


@dataclass(frozen=True, slots=True)
class FieldName:
    """The member of a map."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclass(frozen=True, slots=True)
class Key:
    """The item of a map list that has these key values."""

    fields: tuple[tuple[str, Value], ...]

    def __str__(self) -> str:
        return "[" + ",".join(f"{name}={spell(value)}" for name, value in self.fields) + "]"


@dataclass(frozen=True, slots=True)
class SetValue:
    """The item of a set that is this value."""

    value: Value

    def __str__(self) -> str:
        return f"[={spell(self.value)}]"


@dataclass(frozen=True, slots=True)
class Index:
    """The item at an index, counted from 0."""

    index: int

    def __str__(self) -> str:
        return f"[{self.index}]"


Step: TypeAlias = FieldName | Key | SetValue | Index


@dataclass(eq=False)
class MalformedElement(EngineError):
    """A spelling that is no path element, though it begins like one."""

    text: str
    reason: str

    def __str__(self) -> str:
        return said("path element %(text)s: %(reason)s", text=repr(self.text), reason=self.reason)


def field_element(name: str) -> PathElement:
    """Return the element of a map's member."""
    return "f:" + name


def key_element(fields: Object) -> PathElement:
    """Return the element of a map list's item with these key values; their order does not matter."""
    return spelled_key([f"{encode_basestring(name)}:{spell(fields[name])}" for name in sorted(fields)])


def spelled_key(members: list[str]) -> PathElement:
    """Return the element of an item by its keys, each spelled `"name":value`, in the order of their names."""
    return f"k:{{{','.join(members)}}}"


def value_element(value: Value) -> PathElement:
    """Return the element of a set's item."""
    return "v:" + spell(value)


def index_element(index: int) -> PathElement:
    """Return the element of the item at `index`."""
    return f"i:{index}"


@lru_cache(maxsize=65536)
def parse_element(element: PathElement) -> Step:
    """Return the parts of a path element.

    Raises:
        MalformedElement: the text is no element.
    """
    prefix, text = element[:2], element[2:]
    if prefix == "f:":
        return FieldName(text)
    if prefix == "i:":
        return Index(_parse_index(element, text))
    if prefix == "v:":
        return SetValue(_parse_json(element, text))
    if prefix == "k:":
        fields = _parse_json(element, text)
        if not isinstance(fields, dict):
            raise MalformedElement(element, said("the keys of an item must be a map"))
        return Key(tuple(sorted(fields.items())))
    raise MalformedElement(element, said("an element begins with f:, k:, v: or i:"))


def render_path(path: Path) -> str:
    """Return a path as conflicts name it: `.spec.ports[port=80,protocol="TCP"].name`."""
    return "".join(str(parse_element(element)) for element in path)


_ORDER = {"f": 0, "k": 1, "v": 2, "i": 3}


def in_order(elements: Iterable[PathElement]) -> list[PathElement]:
    """Return elements in the order of `element_order`."""
    plain = sorted(elements)
    # Nearly always all are of one kind, and where that is not index the plain order is the right one already.
    if not plain or plain[0][:1] == plain[-1][:1] != "i":
        return plain
    return sorted(plain, key=element_order)


def element_order(element: PathElement) -> tuple[int, int, str]:
    """Return a sort key: field names first, then keys, values and indices, each in its own order."""
    kind = _ORDER.get(element[:1], 4)
    return kind, int(element[2:]) if kind == 3 and element[2:].isdecimal() else 0, element


def _canonical(value: Value) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def spell(value: Value) -> str:
    """Return a value as it is spelled inside an element."""
    # The two common kinds go around json.dumps, which takes four times as long for a short text.
    if type(value) is str:
        return encode_basestring(value)
    return str(value) if type(value) is int else _canonical(value)


def _parse_index(element: PathElement, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MalformedElement(element, said("an index is a whole number")) from None


def _parse_json(element: PathElement, text: str) -> Value:
    try:
        value: Value = json.loads(text)
    except (ValueError, RecursionError):
        raise MalformedElement(element, said("what follows the prefix must be JSON")) from None
    return value
