"""Custom resources: their kinds, defaults, pruning and what their schema refuses."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from engine.schema.structural import (
    MalformedDefinition,
    kinds_of_definition,
    pruned,
    with_defaults,
    without_nulls,
)
from engine.schema.validation.structural import validate_custom
from tests.support.cluster import definition_of
from tests.support.strategies import schemas_with_values

TEXT: dict[str, Any] = {"type": "string"}


def struct(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_each_served_version_is_a_kind() -> None:
    crd = definition_of(struct(a=TEXT), status=True)
    (first,) = crd["spec"]["versions"]
    crd["spec"]["versions"] += [{**first, "name": "v2", "storage": False}, {**first, "name": "v3", "served": False}]
    kinds = kinds_of_definition(crd)
    assert [each.gvk.version for each in kinds] == ["v1", "v2"]
    assert [each.subresources for each in kinds] == [("status",), ("status",)]
    assert [each.custom.is_storage_version for each in kinds if each.custom] == [True, False]
    assert kinds[0].group_resource == "things.lab.example"


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        ({}, "spec"),
        ({"spec": []}, "spec"),
        ({"spec": {"group": "g", "versions": [{}]}}, "spec.names"),
        ({"spec": {"names": {"kind": "K", "plural": "ks"}}}, "spec.group"),
        ({"spec": {"group": "g", "names": {"plural": "ks"}}}, "spec.names.kind"),
        ({"spec": {"group": "g", "names": {"kind": "K"}}}, "spec.names.plural"),
        ({"spec": {"group": "g", "names": {"kind": "K", "plural": "ks"}}}, "spec.versions"),
        ({"spec": {"group": "g", "names": {"kind": "K", "plural": "ks"}, "versions": [{}]}}, "spec.versions[].name"),
    ],
)
def test_a_definition_that_lacks_something_tells_what(broken: dict[str, Any], path: str) -> None:
    with pytest.raises(MalformedDefinition) as caught:
        kinds_of_definition(broken)
    assert caught.value.path == path
    assert path in str(caught.value)


# phrase, schema, value, value with defaults
DEFAULTS: list[tuple[str, Any, Any, Any]] = [
    ("absent", struct(a={**TEXT, "default": "d"}), {}, {"a": "d"}),
    ("there already", struct(a={**TEXT, "default": "d"}), {"a": "x"}, {"a": "x"}),
    ("null that may not be", struct(a={**TEXT, "default": "d"}), {"a": None}, {"a": "d"}),
    ("null that may be", struct(a={**TEXT, "default": "d", "nullable": True}), {"a": None}, {"a": None}),
    ("no default inside what is absent", struct(a=struct(b={**TEXT, "default": "d"})), {}, {}),
    (
        "a default's own defaults",
        struct(a={**struct(b={**TEXT, "default": "d"}), "default": {}}),
        {},
        {"a": {"b": "d"}},
    ),
    ("items", {"type": "array", "items": struct(a={**TEXT, "default": "d"})}, [{}], [{"a": "d"}]),
    (
        "values of a free map",
        {"type": "object", "additionalProperties": struct(a={**TEXT, "default": "d"})},
        {"k": {}},
        {"k": {"a": "d"}},
    ),
]


@pytest.mark.parametrize(("phrase", "schema", "value", "filled"), DEFAULTS, ids=[each[0] for each in DEFAULTS])
def test_defaults(phrase: str, schema: Any, value: Any, filled: Any) -> None:
    before = copy.deepcopy((schema, value))
    assert with_defaults(value, schema) == filled
    assert (schema, value) == before


def test_a_default_is_not_shared_between_objects() -> None:
    schema = struct(a={"type": "object", "default": {"k": []}, "x-kubernetes-preserve-unknown-fields": True})
    one: Any = with_defaults({}, schema)
    one["a"]["k"].append(1)
    assert with_defaults({}, schema) == {"a": {"k": []}}


@given(schemas_with_values(1))
def test_filling_in_defaults_twice_is_filling_them_in_once(drawn: Any) -> None:
    schema, (value,) = drawn
    once = with_defaults(value, schema)
    assert with_defaults(once, schema) == once
    assert pruned({"spec": once}, struct(spec=schema)) == ({"spec": once}, ())


KEEP: dict[str, Any] = {"x-kubernetes-preserve-unknown-fields": True}

# phrase, schema, object, what is kept, what is dropped
PRUNED: list[tuple[str, Any, Any, Any, tuple[str, ...]]] = [
    ("an unknown field", struct(a=TEXT), {"a": "x", "b": 1}, {"a": "x"}, ("b",)),
    ("in a struct", struct(a=struct(b=TEXT)), {"a": {"c": 1}}, {"a": {}}, ("a.c",)),
    ("in an item", struct(a={"type": "array", "items": struct(b=TEXT)}), {"a": [{"c": 1}]}, {"a": [{}]}, ("a[0].c",)),
    ("kept where the schema says so", {**struct(a=TEXT), **KEEP}, {"b": 1}, {"b": 1}, ()),
    ("but not in a struct below", struct(a={**struct(b=struct(c=TEXT)), **KEEP}), {"a": {"b": {"d": 1}}, "z": 1},
     {"a": {"b": {}}}, ("a.b.d", "z")),
    ("the envelope stays", struct(), {"kind": "K", "metadata": {"any": 1}}, {"kind": "K", "metadata": {"any": 1}}, ()),
    ("an embedded object's envelope, too", struct(a={**struct(), "x-kubernetes-embedded-resource": True}),
     {"a": {"kind": "K", "b": 1}}, {"a": {"kind": "K"}}, ("a.b",)),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "schema", "obj", "kept", "dropped"), PRUNED, ids=[each[0] for each in PRUNED])
def test_prunes(phrase: str, schema: Any, obj: Any, kept: Any, dropped: Any) -> None:
    assert pruned(obj, schema) == (kept, dropped)


def test_nulls_that_may_not_be_go_where_there_is_no_default() -> None:
    schema = struct(
        a=TEXT, b={**TEXT, "nullable": True}, c={**TEXT, "default": "d"}, l={"type": "array", "items": TEXT}
    )
    value = {"a": None, "b": None, "c": None, "l": [None], "kind": None}
    assert without_nulls(value, schema) == {"b": None, "c": None, "l": [None], "kind": None}


NUMBER, WORDS = {"type": "integer"}, {"type": "object", "additionalProperties": {"type": "string"}}
SET = {"type": "array", "x-kubernetes-list-type": "set", "items": TEXT}
MAP_LIST = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["id"],
    "items": struct(id=NUMBER, v=NUMBER),
}

# phrase, schema of `a`, value of `a`, field, cause
FAULTS: list[tuple[str, Any, Any, str, str]] = [
    ("a wrong type", NUMBER, "x", "a", 'Invalid value: "string": a in body must be of type integer: "string"'),
    ("a float for an integer", NUMBER, 1.5, "a",
     'Invalid value: "number": a in body must be of type integer: "number"'),
    ("null", TEXT, None, "a", 'Invalid value: "null": a in body must be of type string: "null"'),
    ("a map for a list", SET, {}, "a", 'Invalid value: "object": a in body must be of type array: "object"'),
    ("too much", {**NUMBER, "maximum": 1}, 2, "a", "Invalid value: 2: a in body should be less than or equal to 1"),
    ("too little", {**NUMBER, "minimum": 1}, 0, "a",
     "Invalid value: 0: a in body should be greater than or equal to 1"),
    ("a text that is too long", {**TEXT, "maxLength": 1}, "xy", "a", "Too long: may not be more than 1 bytes"),
    ("one that is too short", {**TEXT, "minLength": 1}, "", "a",
     'Invalid value: "": a in body should be at least 1 chars long'),
    ("another pattern", {**TEXT, "pattern": "^b"}, "x", "a", "Invalid value: \"x\": a in body should match '^b'"),
    ("another value", {**TEXT, "enum": ["p", "q"]}, "x", "a", 'Unsupported value: "x": supported values: "p", "q"'),
    ("too many items", {**SET, "maxItems": 1}, ["x", "y"], "a", "Too many: 2: must have at most 1 item"),
    ("a missing member", {**struct(b=TEXT), "required": ["b"]}, {}, "a.b", "Required value"),
    ("a value twice", SET, ["x", "y", "x"], "a[2]", 'Duplicate value: "x"'),
    ("keys twice", MAP_LIST, [{"id": 1, "v": 1}, {"id": 1}], "a[1]", 'Duplicate value: {"id":1}'),
    ("in a free map", WORDS, {"k": 1}, "a.k",
     'Invalid value: "integer": a.k in body must be of type string: "integer"'),
    ("an int-or-string that is neither", {"x-kubernetes-int-or-string": True}, True, "a",
     'Invalid value: "boolean": a in body must be of type integer,string: "boolean"'),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "schema", "value", "field", "cause"), FAULTS, ids=[each[0] for each in FAULTS])
def test_refuses(phrase: str, schema: Any, value: Any, field: str, cause: str) -> None:
    found = validate_custom({"a": value}, struct(a=schema))
    assert [(each.field, each.message) for each in found] == [(field, cause)]


@pytest.mark.parametrize(("phrase", "schema", "value", "field", "cause"), FAULTS, ids=[each[0] for each in FAULTS])
def test_tolerates_what_was_so_before(phrase: str, schema: Any, value: Any, field: str, cause: str) -> None:
    live = {"a": copy.deepcopy(value), "other": 1}
    assert validate_custom({"a": value, "other": 2}, struct(a=schema), live) == ()


def test_an_item_of_a_map_list_is_compared_with_the_one_of_its_keys() -> None:
    schema = struct(a={**MAP_LIST, "items": struct(id=NUMBER, v={**NUMBER, "maximum": 1})})
    live = {"a": [{"id": 1, "v": 9}, {"id": 2, "v": 0}]}
    assert validate_custom({"a": [{"id": 2, "v": 1}, {"id": 1, "v": 9}]}, schema, live) == ()
    found = validate_custom({"a": [{"id": 2, "v": 9}, {"id": 1, "v": 9}]}, schema, live)
    assert [each.field for each in found] == ["a[0].v"]


@given(schemas_with_values(1))
def test_values_that_fit_have_no_fault(drawn: Any) -> None:
    schema, (value,) = drawn
    before = copy.deepcopy(drawn)
    assert validate_custom({"spec": value}, struct(spec=schema)) == ()
    assert drawn == before
