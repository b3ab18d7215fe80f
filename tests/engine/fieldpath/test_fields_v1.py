from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.fieldpath.element import (
    FieldName,
    Index,
    Key,
    MalformedElement,
    Path,
    SetValue,
    element_order,
    key_element,
    parse_element,
    render_path,
    value_element,
)
from engine.fieldpath.field_set import FieldSet, field_set
from engine.fieldpath.fields_v1 import MalformedFields, decode_fields_v1, encode_fields_v1
from tests.support.strategies import path_elements, path_lists


@given(path_lists)
def test_decoding_takes_back_encoding(given: list[Path]) -> None:
    fields = field_set(given)
    wire = encode_fields_v1(fields)
    before = copy.deepcopy(wire)
    assert decode_fields_v1(wire) == fields
    assert decode_fields_v1(json.loads(json.dumps(wire))) == fields
    assert wire == before
    assert encode_fields_v1(decode_fields_v1(wire)) == wire


@given(path_lists)
def test_members_stand_in_order(given: list[Path]) -> None:
    names = list(encode_fields_v1(field_set(given)))
    assert names == sorted(names, key=element_order)


# phrase, wire form, paths
READ: list[tuple[str, object, list[Path]]] = [
    ("nothing", {}, []),
    ("a leaf", {"f:a": {}}, [("f:a",)]),
    ("a path below another", {"f:a": {".": {}, "f:b": {}}}, [("f:a",), ("f:a", "f:b")]),
    ("what holds a path is not in the set itself", {"f:a": {"f:b": {}}}, [("f:a", "f:b")]),
    ("a dot at the root counts for nothing", {".": {}, "f:a": {}}, [("f:a",)]),
    ("keys in any order, and spaced", {'k:{"b": 1, "a": 2}': {}}, [('k:{"a":2,"b":1}',)]),
    ("a value in another spelling", {"v:1.0": {}}, [("v:1",)]),
    ("an index with zeros in front", {"i:007": {}}, [("i:7",)]),
    ("elements of unknown kinds are dropped", {"x:a": {}, "f:a": {}}, [("f:a",)]),
    ("an empty name", {"f:": {}}, [("f:",)]),
]


@pytest.mark.parametrize(("phrase", "wire", "paths"), READ, ids=[each[0] for each in READ])
def test_reads(phrase: str, wire: dict[str, object], paths: list[Path]) -> None:
    assert decode_fields_v1(wire) == field_set(paths)


REFUSED: list[tuple[str, object, type[EngineError]]] = [
    ("a list", [], MalformedFields),
    ("a text", "f:a", MalformedFields),
    ("a member that is no map", {"f:a": 1}, MalformedFields),
    ("a member that is null", {"f:a": None}, MalformedFields),
    ("an element without a colon", {"fa": {}}, MalformedElement),
    ("an empty element", {"": {}}, MalformedElement),
    ("keys that are no JSON", {"k:{": {}}, MalformedElement),
    ("keys that are no map", {"k:1": {}}, MalformedElement),
    ("a value that is no JSON", {"v:x": {}}, MalformedElement),
    ("an index that is no number", {"i:x": {}}, MalformedElement),
    ("an element that is wrong further down", {"f:a": {"i:": {}}}, MalformedElement),
]


@pytest.mark.parametrize(("phrase", "wire", "failure"), REFUSED, ids=[each[0] for each in REFUSED])
def test_refuses(phrase: str, wire: object, failure: type[EngineError]) -> None:
    with pytest.raises(failure) as caught:
        decode_fields_v1(wire)  # type: ignore[arg-type]
    assert str(caught.value)


@given(path_elements())
def test_an_element_has_one_spelling(element: str) -> None:
    step = parse_element(element)
    again = {
        FieldName: lambda: f"f:{step.name}",  # type: ignore[union-attr]
        Key: lambda: key_element(dict(step.fields)),  # type: ignore[union-attr]
        SetValue: lambda: value_element(step.value),  # type: ignore[union-attr]
        Index: lambda: f"i:{step.index}",  # type: ignore[union-attr]
    }
    assert again[type(step)]() == element


def test_paths_are_printed_as_conflicts_name_them() -> None:
    path = ("f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:tags", 'v:"x"', "i:3")
    assert render_path(path) == '.spec.ports[port=80,protocol="TCP"].tags[="x"][3]'
    assert render_path(()) == ""


@given(st.text())
def test_any_text_is_an_element_or_refused(text: str) -> None:
    try:
        decode_fields_v1({text: {}})
    except (MalformedElement, MalformedFields):
        return
    assert text == "." or text[1:2] == ":"


def test_what_is_owned_of_items_alike_is_one_set_that_nobody_can_alter() -> None:
    wire: dict[str, Any] = {f'k:{{"name":"{name}"}}': {".": {}, "f:name": {}, "f:port": {}} for name in "ab"}
    first, second = decode_fields_v1(wire).children.values()
    assert first is second
    with pytest.raises(AttributeError):
        first.members.add("f:protocol")
    assert first == FieldSet(("f:name", "f:port"))
    assert encode_fields_v1(decode_fields_v1(wire)) == wire
