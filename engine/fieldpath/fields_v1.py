"""The wire form of a set of paths: nested maps, `.` for a path that ends where others go on.

Source: structured-merge-diff's fieldpath serialization, as in managedFields of Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.errors import EngineError
from engine.fieldpath.element import (
    Index,
    Key,
    MalformedElement,
    PathElement,
    SetValue,
    in_order,
    index_element,
    key_element,
    parse_element,
    value_element,
)
from engine.fieldpath.field_set import MOST_FLAT, FieldSet, flat_set
from engine.said import said
from engine.value.model import Object, Value

_KNOWN = frozenset("fkvi")


@dataclass(eq=False)
class MalformedFields(EngineError):
    """What stands where fieldsV1 was expected is no set of paths."""

    found: Value
    reason: str

    def __str__(self) -> str:
        return self.reason


def decode_fields_v1(fields: Value) -> FieldSet:
    """Return the set of paths that `fields` spells. Elements of unknown kinds are dropped, as the server does.

    Raises:
        MalformedFields: it is no map of maps.
        MalformedElement: a key, value or index is malformed.
    """
    if not isinstance(fields, dict):
        raise MalformedFields(fields, said("fieldsV1 must be a map"))
    node = FieldSet()
    for text, below in fields.items():
        if text == ".":
            continue
        if text[1:2] != ":" or not text:
            raise MalformedElement(text, said("missing colon"))
        if text[0] not in _KNOWN:
            continue
        if below == {}:
            node.members.add(_normal(text))
        else:
            _decode_member(node, _normal(text), below)
    return node


def _decode_member(node: FieldSet, element: PathElement, below: Any) -> None:
    if not isinstance(below, dict):
        raise MalformedFields(below, said("what a path element leads to must be a map"))
    if "." in below:
        node.members.add(element)
    # In a long list nearly all that is owned of an item is some of its own fields, and of each item the same ones.
    flat = len(below) <= MOST_FLAT and [*below.values()].count({}) == len(below)
    child = _decode_flat(tuple(below)) if flat else decode_fields_v1(below)
    if child:
        node.children[element] = child


@lru_cache(maxsize=1024)
def _decode_flat(texts: tuple[str, ...]) -> FieldSet:
    """The set of paths that a map of these texts, each of an empty map, spells."""
    return flat_set(decode_fields_v1(dict.fromkeys(texts, {})).members)


def _normal(text: str) -> PathElement:
    """The one spelling of an element that may be written in several ways."""
    return text if text[0] == "f" else _normal_item(text)


@lru_cache(maxsize=65536)
def _normal_item(text: str) -> PathElement:
    step = parse_element(text)
    if isinstance(step, Key):
        return key_element(dict(step.fields))
    if isinstance(step, SetValue):
        return value_element(step.value)
    assert isinstance(step, Index)
    return index_element(step.index)


def encode_fields_v1(fields: FieldSet) -> Object:
    """Return the wire form of a set of paths, elements in order."""
    return _encode(fields, {})


def _encode(fields: FieldSet, made: dict[int, Object]) -> Object:
    """Encode a set; `made` has what was made of the flat sets met so far, by their identity."""
    if not fields.children:
        return {element: {} for element in in_order(fields.members)}
    out: Object = {}
    children, members = fields.children, fields.members
    for element in in_order(members | children.keys()):
        child = children.get(element)
        if child is None:
            out[element] = {}
            continue
        below = made.get(id(child))
        if below is None:
            below = _encode(child, made)
            if not child.children:
                made[id(child)] = below
        out[element] = {".": {}, **below} if element in members else {**below}
    return out
