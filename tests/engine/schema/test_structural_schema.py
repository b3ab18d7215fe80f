"""Which schemas a CustomResourceDefinition may have, and what is said of others."""

from __future__ import annotations

from typing import Any

import pytest

from engine.apiserver.request import Request, Response
from engine.apiserver.server import new_server
from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import builtin_catalog
from engine.schema.validation.structural_schema import schema_causes

TEXT: dict[str, Any] = {"type": "string"}
ITEM: dict[str, Any] = {"type": "object", "required": ["name"], "properties": {"name": TEXT}}
KEYED: dict[str, Any] = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
NAMES = {"kind": "Widget", "plural": "widgets"}
DEFINITION = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def told(schema: dict[str, Any]) -> list[str]:
    """What is said of an object's schema whose member `a` has this schema."""
    return [str(cause) for cause in schema_causes({"type": "object", "properties": {"a": schema}}, "at")]


def _ruled(**rule: str) -> dict[str, Any]:
    return {**TEXT, "x-kubernetes-validations": [rule]}


SOUND = {
    "a rule": _ruled(rule="self != ''", message="m", reason="FieldValueInvalid"),
    "a list by key": {"type": "array", "items": ITEM, **KEYED},
    "a key with a default": {
        "type": "array",
        "items": {"type": "object", "properties": {"name": {**TEXT, "default": "x"}}},
        **KEYED,
    },
    "a set": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
    "a map of texts": {"type": "object", "additionalProperties": TEXT, "x-kubernetes-map-type": "atomic"},
    "a number or a text": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
    "anything": {"x-kubernetes-preserve-unknown-fields": True},
    "an object of another kind": {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "x-kubernetes-preserve-unknown-fields": True,
    },
    "a narrowed map": {"type": "object", "properties": {"b": TEXT}, "oneOf": [{"required": ["b"]}]},
    "a fitting default": {"type": "integer", "minimum": 1, "default": 2},
    "no default, by null": {"type": "integer", "default": None},
}

BROKEN = {
    "no type": ({}, "at.properties[a].type: Required value: must not be empty for specified object fields"),
    "an unknown type": (
        {"type": "text"},
        'at.properties[a].type: Unsupported value: "text": supported values: '
        '"array", "boolean", "integer", "number", "object", "string"',
    ),
    "a reference": ({**TEXT, "$ref": "x"}, "at.properties[a].$ref: Forbidden: $ref is not supported"),
    "no items": ({"type": "array"}, "at.properties[a].items: Required value: must be specified"),
    "a rule without text": (
        _ruled(message="m"),
        "at.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified",
    ),
    "a rule with an empty message": (
        _ruled(rule="true", message=" "),
        'at.properties[a].x-kubernetes-validations[0].message: Invalid value: " ": '
        "message must be non-empty if specified",
    ),
    "a rule with a message of two lines": (
        _ruled(rule="true", message="a\nb"),
        'at.properties[a].x-kubernetes-validations[0].message: Invalid value: "a\\nb": '
        "message must not contain line breaks",
    ),
    "a rule of two lines without a message": (
        _ruled(rule="true\n&& true"),
        "at.properties[a].x-kubernetes-validations[0].message: Required value: "
        "message must be specified if rule contains line breaks",
    ),
    "a rule with an empty expression for its message": (
        _ruled(rule="true", messageExpression=" "),
        "at.properties[a].x-kubernetes-validations[0].messageExpression: Required value: "
        "must be non-empty if specified",
    ),
    "a rule with an unknown reason": (
        _ruled(rule="true", reason="Because"),
        'at.properties[a].x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: '
        '"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ),
    "items that are no schema": (
        {"type": "array", "items": 5},
        "at.properties[a].items: Invalid value: 5: items must be a schema object",
    ),
    "a schema per item": (
        {"type": "array", "items": [TEXT]},
        "at.properties[a].items: Forbidden: items must be a schema object and not an array",
    ),
    "an unknown list type": (
        {"type": "array", "items": TEXT, "x-kubernetes-list-type": "bag"},
        'at.properties[a].x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "map", "set"',
    ),
    "a list type of a text": (
        {**TEXT, "x-kubernetes-list-type": "set"},
        'at.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ),
    "a map type of a text": (
        {**TEXT, "x-kubernetes-map-type": "atomic"},
        'at.properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
    ),
    "an unknown map type": (
        {"type": "object", "x-kubernetes-map-type": "set"},
        'at.properties[a].x-kubernetes-map-type: Unsupported value: "set": supported values: "atomic", "granular"',
    ),
    "no keys": (
        {"type": "array", "items": ITEM, "x-kubernetes-list-type": "map"},
        "at.properties[a].x-kubernetes-list-map-keys: Required value: "
        "must not be empty if x-kubernetes-list-type is map",
    ),
    "a key that items lack": (
        {"type": "array", "items": ITEM, **KEYED, "x-kubernetes-list-map-keys": ["id"]},
        'at.properties[a].x-kubernetes-list-map-keys: Invalid value: ["id"]: '
        "entries must all be names of item properties",
    ),
    "a key that an item may lack": (
        {"type": "array", "items": {"type": "object", "properties": {"name": TEXT}}, **KEYED},
        "at.properties[a].items.properties[name].default: Required value: this property is in "
        "x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ),
    "members both known and free": (
        {"type": "object", "properties": {"b": TEXT}, "additionalProperties": TEXT},
        "at.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ),
    "free members that are no schema": (
        {"type": "object", "additionalProperties": 5},
        "at.properties[a].additionalProperties: Invalid value: 5: boolean or JSON schema expected",
    ),
    "a type inside allOf": (
        {"type": "object", "allOf": [TEXT]},
        "at.properties[a].allOf[0].type: Forbidden: must be empty to be structural",
    ),
    "a pattern that is none": (
        {**TEXT, "pattern": "["},
        'at.properties[a].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: '
        "error parsing regexp: missing closing ]: `[`",
    ),
    "a default of another type": (
        {"type": "integer", "default": "x"},
        'at.properties[a].default: Invalid value: "string": '
        'at.properties[a].default in body must be of type integer: "string"',
    ),
}


@pytest.mark.parametrize("schema", SOUND.values(), ids=SOUND)
def test_a_sound_schema_is_served(schema: dict[str, Any]) -> None:
    assert told(schema) == []


@pytest.mark.parametrize(("schema", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_broken_schema_is_named(schema: dict[str, Any], sentence: str) -> None:
    assert told(schema) == [sentence]


def test_the_root_must_be_an_object() -> None:
    assert [str(cause) for cause in schema_causes(TEXT, "at")] == [
        'at.type: Invalid value: "string": must be object at the root'
    ]


def asked(*schemas: dict[str, Any]) -> Response:
    """The answer to a new definition whose versions have these schemas."""
    versions = [
        {"name": f"v{n}", "served": True, "storage": n == 0, "schema": {"openAPIV3Schema": schema}}
        for n, schema in enumerate(schemas)
    ]
    spec = {"group": "example.com", "scope": "Namespaced", "names": NAMES, "versions": versions}
    head = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": DEFINITION.kind,
        "metadata": {"name": "widgets.example.com"},
    }
    server = new_server(builtin_catalog(), lambda: "2030-01-01T00:00:00Z", lambda: "uid")
    return server.handle(Request("POST", DEFINITION, "widgets.example.com", body={**head, "spec": spec}))


def refused(*schemas: dict[str, Any]) -> str:
    """The message that refuses such a definition."""
    answer = asked(*schemas)
    assert (answer.code, answer.body["reason"]) == (422, "Invalid")
    return str(answer.body["message"])


def test_an_empty_default_is_kept() -> None:
    empty = {"text": "", "count": 0, "truth": False, "list": []}
    properties = {name: {"x-kubernetes-preserve-unknown-fields": True, "default": each} for name, each in empty.items()}
    answer = asked({"type": "object", "properties": properties})
    assert answer.code == 201
    kept = answer.body["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
    assert {name: each["default"] for name, each in kept.items()} == empty


def test_a_schema_that_all_versions_share_is_that_of_the_definition() -> None:
    assert "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root" in refused({}, {})


def test_of_different_schemas_the_version_is_named() -> None:
    message = refused({"type": "object"}, {"type": "object", "$ref": "x"})
    assert "spec.versions[1].schema.openAPIV3Schema.$ref: Forbidden: $ref is not supported" in message
    assert "versions[0]" not in message
