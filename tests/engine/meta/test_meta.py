from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine.meta.gvk import GroupVersionKind, gvk_of, parse_api_version
from engine.meta.last_applied import (
    LAST_APPLIED,
    encode_last_applied,
    last_applied_text,
    with_last_applied,
    without_last_applied,
)
from engine.meta.manager import ManagerIdentifier, applier, updater
from engine.meta.object_meta import metadata_of, text_of, with_metadata, without_metadata


@pytest.mark.parametrize(
    ("text", "parts"), [("v1", ("", "v1")), ("apps/v1", ("apps", "v1")), ("", ("", "")), ("a/b/c", ("a", "b/c"))]
)
def test_an_api_version_has_a_group_before_its_slash(text: str, parts: tuple[str, str]) -> None:
    assert parse_api_version(text) == parts


def test_a_kind_is_read_from_an_object_and_spelled() -> None:
    gvk = gvk_of({"apiVersion": "apps/v1", "kind": "Deployment"})
    assert gvk == GroupVersionKind("apps", "v1", "Deployment")
    assert (gvk.api_version, str(gvk)) == ("apps/v1", "apps/v1, Kind=Deployment")
    assert GroupVersionKind("", "v1", "Pod").api_version == "v1"
    assert gvk_of({"apiVersion": 1, "kind": []}) == GroupVersionKind("", "", "")


@pytest.mark.parametrize("odd", [{}, {"metadata": None}, {"metadata": []}, {"metadata": {"name": 1, "annotations": 2}}])
def test_odd_metadata_is_read_as_empty(odd: Any) -> None:
    assert text_of(odd, "name") == ""
    assert last_applied_text(odd) is None
    assert isinstance(metadata_of(odd), dict)


def test_metadata_is_changed_in_a_copy() -> None:
    obj = {"metadata": {"name": "x", "uid": "u"}}
    before = copy.deepcopy(obj)
    assert with_metadata(obj, uid="v", labels={}) == {"metadata": {"name": "x", "uid": "v", "labels": {}}}
    assert without_metadata(obj, "uid", "labels") == {"metadata": {"name": "x"}}
    assert without_metadata(obj, "labels") is obj
    assert obj == before


def test_the_annotation_is_set_and_taken_away() -> None:
    obj = {"metadata": {"annotations": {"a": "b"}}}
    annotated = with_last_applied(obj, "text")
    assert last_applied_text(annotated) == "text"
    assert annotated["metadata"]["annotations"] == {"a": "b", LAST_APPLIED: "text"}
    assert without_last_applied(annotated) == obj
    assert without_last_applied(obj) is obj


def test_the_annotation_is_compact_sorted_and_escaped_as_go_does() -> None:
    text = encode_last_applied({"b": "<&>", "a": 1})
    assert text == '{"a":1,"b":"\\u003c\\u0026\\u003e"}\n'
    assert json.loads(text) == {"a": 1, "b": "<&>"}


def test_an_applier_is_the_same_in_every_version_and_an_updater_is_not() -> None:
    assert applier("m") == ManagerIdentifier("m", "Apply")
    assert applier("m").applied
    assert not updater("m", "v1").applied
    assert updater("m", "v1") != updater("m", "v2")
    assert applier("m") != applier("m", "status")
