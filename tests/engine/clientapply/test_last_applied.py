"""The last-applied annotation: viewed, and set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.clientapply.failures import NoLastApplied, UnreadableLastApplied
from engine.clientapply.last_applied import set_last_applied, view_last_applied
from engine.meta.last_applied import LAST_APPLIED

MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"k": "<v>"}}


def noted(text: str) -> dict[str, Any]:
    return {**MANIFEST, "metadata": {"name": "c", "annotations": {LAST_APPLIED: text}}}


def test_what_was_applied_last_is_viewed() -> None:
    assert view_last_applied(noted(json.dumps(MANIFEST))) == MANIFEST


@pytest.mark.parametrize("obj", [MANIFEST, noted("")])
def test_an_object_without_it_says_so(obj: dict[str, Any]) -> None:
    with pytest.raises(NoLastApplied):
        view_last_applied(obj)


def test_an_annotation_that_cannot_be_read_is_told() -> None:
    with pytest.raises(UnreadableLastApplied):
        view_last_applied(noted("{"))


def test_setting_it_is_a_merge_patch_of_the_annotation_alone() -> None:
    patch = set_last_applied(noted("{}"), MANIFEST)
    assert patch is not None
    text = patch["metadata"]["annotations"][LAST_APPLIED]
    assert text.endswith("\n")
    assert "\\u003cv\\u003e" in text
    assert json.loads(text)["data"] == {"k": "<v>"}
    assert set_last_applied(noted(text), MANIFEST) is None


def test_it_is_created_only_where_that_is_asked_for() -> None:
    with pytest.raises(NoLastApplied):
        set_last_applied(MANIFEST, MANIFEST)
    assert set_last_applied(MANIFEST, MANIFEST, create=True) is not None
