from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine.clientapply.failures import UnreadableLastApplied
from engine.clientapply.three_way import MERGE_PATCH, NOTHING_TO_SEND, annotated, apply_request
from engine.meta.gvk import gvk_of
from engine.meta.last_applied import LAST_APPLIED
from engine.schema.catalog import builtin_catalog
from engine.value.json_writer import render_json
from engine.value.yaml_reader import parse_yaml

RECORDINGS = Path(__file__).parents[2] / "conformance" / "threeway.jsonl.gz"


def recorded() -> list[Any]:
    with gzip.open(RECORDINGS, "rt") as lines:
        cases = [json.loads(line) for line in lines]
    return [case for case in cases if "id" in case]


def in_namespace(manifest: Any) -> Any:
    """Fill in the namespace, as kubectl does for kinds that live in one. The recorded custom resources all do."""
    info = builtin_catalog().kind(gvk_of(manifest))
    if info is not None and not info.namespaced:
        return manifest
    return {**manifest, "metadata": {"namespace": "default", **manifest["metadata"]}}


@pytest.mark.parametrize("case", recorded(), ids=lambda case: case["id"])
def test_sends_what_kubectl_sent(case: dict[str, Any]) -> None:
    manifest = in_namespace(parse_yaml(case["threeway"]["manifest"]))
    request = apply_request(case["threeway"]["live"], manifest, builtin_catalog().type_of(gvk_of(manifest)))
    got = {"contentType": request.content_type, "patch": request.patch}
    assert json.dumps(json.loads(render_json(got)), sort_keys=True) == json.dumps(case["want"], sort_keys=True)


def test_the_annotation_holds_the_manifest_without_the_annotation() -> None:
    manifest = {"b": "<&>", "a": 1.0, "metadata": {"name": "x", "annotations": {LAST_APPLIED: "old"}}}
    text = annotated(manifest)["metadata"]["annotations"][LAST_APPLIED]
    assert text == '{"a":1,"b":"\\u003c\\u0026\\u003e","metadata":{"annotations":{},"name":"x"}}\n'
    assert manifest["metadata"] == {"name": "x", "annotations": {LAST_APPLIED: "old"}}


def test_applying_again_sends_nothing() -> None:
    manifest = {"kind": "Thing", "metadata": {"name": "x"}, "spec": {"list": [1, 2]}}
    live = apply_request(None, manifest, None).patch
    assert live is not None
    assert apply_request(live, manifest, None) == NOTHING_TO_SEND
    changed = apply_request(live, {**manifest, "spec": {"list": [1]}}, None)
    assert changed.content_type == MERGE_PATCH


@pytest.mark.parametrize("text", ["{", "[]", "1", '"x"'])
def test_an_annotation_that_is_no_object_is_refused(text: str) -> None:
    live = {"metadata": {"annotations": {LAST_APPLIED: text}}}
    with pytest.raises(UnreadableLastApplied):
        apply_request(live, {"metadata": {"name": "x"}}, None)
