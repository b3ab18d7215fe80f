from __future__ import annotations

from typing import Any

import pytest

from engine.patch.body import UndecodableBody, decode_body
from engine.patch.patch_type import PatchType, patch_type_of

APPLY, JSON_MERGE, JSON_PATCH = PatchType.APPLY, PatchType.JSON_MERGE, PatchType.JSON_PATCH


@pytest.mark.parametrize("each", PatchType)
def test_a_media_type_names_its_kind_of_patch_whatever_its_parameters(each: PatchType) -> None:
    assert patch_type_of(each.value) is each
    assert patch_type_of(f" {each.value.upper()} ; charset=utf-8") is each


@pytest.mark.parametrize("other", ["", "application/json", "application/merge-patch", "text/plain"])
def test_any_other_media_type_names_none(other: str) -> None:
    assert patch_type_of(other) is None


# phrase, kind of patch, body, what it holds
READ: list[tuple[str, PatchType, Any, Any]] = [
    ("a value is taken as it is", JSON_MERGE, {"a": None}, {"a": None}),
    ("text is parsed", JSON_MERGE, '{"a": [1]}', {"a": [1]}),
    ("a JSON Patch is a list", JSON_PATCH, "[]", []),
    ("an intent may be YAML", APPLY, "a: yes\n", {"a": True}),
    ("an intent may be JSON", APPLY, '{"a": 1}', {"a": 1}),
    ("an empty intent is an empty object", APPLY, "", {}),
    ("an intent of null is an empty object", APPLY, "null", {}),
    ("a merge patch of null stays null", JSON_MERGE, "null", None),
]


@pytest.mark.parametrize(("phrase", "kind", "body", "held"), READ, ids=[each[0] for each in READ])
def test_reads(phrase: str, kind: PatchType, body: Any, held: Any) -> None:
    assert decode_body(kind, body) == held


# phrase, kind of patch, body, part of the reference's text
REFUSED: list[tuple[str, PatchType, Any, str]] = [
    (
        "a merge patch that is a list",
        JSON_MERGE,
        [],
        "cannot unmarshal array into Go value of type map[string]interface {}",
    ),
    (
        "a JSON Patch that is a map",
        JSON_PATCH,
        {},
        "cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    ),
    ("a JSON Patch that is a text", JSON_PATCH, '"x"', "cannot unmarshal string into Go value"),
    ("a merge patch that ends early", JSON_MERGE, '{"a": ', "unexpected end of JSON input"),
    ("an intent that is a list", APPLY, "- a", "cannot unmarshal array into Go value of type map[string]interface {}"),
    ("an intent that is no YAML", APPLY, "a: [", "error decoding YAML: error converting YAML to JSON: yaml: "),
]


@pytest.mark.parametrize(("phrase", "kind", "body", "told"), REFUSED, ids=[each[0] for each in REFUSED])
def test_refuses(phrase: str, kind: PatchType, body: Any, told: str) -> None:
    with pytest.raises(UndecodableBody) as caught:
        decode_body(kind, body)
    assert told in str(caught.value)
