"""Public reports of trouble with patches and client-side apply, by their number.

Where the reference was run (kubectl on local files, or kubectl apply before a server that answered with the live
object), the engine does what was seen; else what the report's documentation says.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from engine.clientapply.client import ClientApply, SentRequest
from engine.errors import EngineError
from engine.evaluation import Evaluation, Write, WriteKind, evaluate, free_form_kind
from engine.generate.generate import generate
from engine.generate.model import Format, Generated, Order
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import PRECISE, SMALLEST, diff, patch_size
from engine.jsonmergepatch.apply import apply_merge_patch
from engine.meta.gvk import gvk_of
from engine.meta.last_applied import encode_last_applied, with_last_applied, without_last_applied
from engine.schema.catalog import KindInfo, builtin_catalog
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.failures import PatchConflict

CASES = json.loads((Path(__file__).parents[2] / "web/data/cases.json").read_text("utf-8"))
BY_NUMBER = {each["id"]: each for each in CASES}
PATCHES = [each for each in CASES if each["kind"] in ("json", "merge", "strategic") and each["observed"]]
CLIENT_SIDE = [each for each in CASES if each["kind"] == "csa" and each["observed"]]
DIFFS = [each for each in CASES if each["kind"] == "diff"]
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def named(case: dict[str, Any]) -> str:
    return f"{case['id']} {case['title']}"


def kind_of(obj: dict[str, Any]) -> KindInfo:
    return builtin_catalog().kind(gvk_of(obj)) or free_form_kind(gvk_of(obj))


def patched(kind: str, before: Any, patch: Any) -> Any:
    if kind == "json":
        return apply_json_patch(before, patch)
    if kind == "merge":
        return apply_merge_patch(before, patch)
    info = kind_of(before)
    if info.custom is not None:
        raise EngineError("a strategic merge patch is not for custom resources")
    return apply_strategic_merge_patch(before, patch, info.type)


@pytest.mark.parametrize("case", PATCHES, ids=named)
def test_patch(case: dict[str, Any]) -> None:
    if "error" in case["observed"]:
        with pytest.raises(EngineError):
            patched(case["kind"], case["before"], case["patch"])
        return
    assert patched(case["kind"], case["before"], case["patch"]) == case["observed"]["object"]


def sent(case: dict[str, Any]) -> SentRequest:
    live = case["before"]
    if case["last_applied"] is not None:
        live = with_last_applied(live, encode_last_applied(case["last_applied"]))
    overwrite = "--overwrite=false" not in case["flags"]
    return ClientApply(kind_of(live), "").request(live, case["manifest"], overwrite=overwrite)


@pytest.mark.parametrize("case", CLIENT_SIDE, ids=named)
def test_client_side_apply(case: dict[str, Any]) -> None:
    if "error" in case["observed"]:
        with pytest.raises(PatchConflict):
            sent(case)
        return
    request, observed = sent(case), case["observed"]
    patch: Any = json.loads(json.dumps(request.body))
    if LAST_APPLIED in patch.get("metadata", {}).get("annotations", {}):
        patch["metadata"]["annotations"][LAST_APPLIED] = "<new manifest>"
    assert request.content_type.startswith(f"application/{observed['type']}")
    assert patch == observed["patch"]
    result = patched(observed["type"], case["before"], request.body)
    result = without_last_applied(result)
    if not result["metadata"].get("annotations"):
        result["metadata"].pop("annotations", None)
    assert result == observed["object"]


@pytest.mark.parametrize("case", DIFFS, ids=named)
def test_generated_patch(case: dict[str, Any]) -> None:
    before, after = case["before"], case["after"]
    for options in (PRECISE, SMALLEST):
        patch = diff(before, after, options)
        made = jsonpatch.apply_patch(*json.loads(json.dumps([before, patch])))
        assert json.dumps(made, sort_keys=True) == json.dumps(after, sort_keys=True)
    assert len(diff(before, after)) <= len(case["observed"]["patch"])
    assert patch_size(diff(before, after, SMALLEST)) <= patch_size(case["observed"]["patch"])


NOW = datetime(2030, 1, 1, tzinfo=UTC)


def written(kind: WriteKind, live: Any, body: Any, manager: str = "me", now: datetime = NOW) -> Evaluation:
    return evaluate(Write(kind, live, body, manager=manager), now=now, new_uid=lambda: "0-1")


def managers(done: Evaluation) -> list[Any]:
    assert done.after is not None
    return list(done.after["metadata"].get("managedFields", []))


def test_A38_one_empty_entry_clears_every_owner() -> None:
    case = BY_NUMBER["A38"]
    start = {**case["before"], "metadata": {"name": "conf"}}
    created = written(WriteKind.APPLY, None, start)
    assert len(managers(created)) == 1
    cleared = written(WriteKind.JSON_MERGE, created.after, case["patch"])
    assert managers(cleared) == []
    again = written(WriteKind.APPLY, cleared.after, start, manager="ci")
    assert {each["manager"] for each in managers(again)} == {"before-first-apply", "ci"}


def test_B33_an_annotation_that_is_too_long_is_refused_and_server_side_apply_has_none() -> None:
    large = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"k": "x" * 262_145}}
    refused = written(WriteKind.CLIENT_APPLY, None, large)
    assert refused.code == 422
    assert "metadata.annotations: Too long" in str(refused.body)
    assert written(WriteKind.APPLY, None, large).code == 201


def test_C20_more_than_ten_thousand_operations_are_too_many() -> None:
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}}
    test = {"op": "test", "path": "/data/a", "value": "1"}
    assert written(WriteKind.JSON_PATCH, live, [test] * 10_000).code == 200
    assert written(WriteKind.JSON_PATCH, live, [test] * 10_001).code == 413
    assert written(WriteKind.JSON_PATCH, live, [{**test, "value": "2"}]).code == 422
    assert written(WriteKind.JSON_PATCH, live, {"op": "test"}).code == 400


def test_D7_the_patch_to_null_is_null() -> None:
    answer = generate(Order(BY_NUMBER["D7"]["before"], None, Format.MERGE_PATCH))
    assert isinstance(answer, Generated)
    assert answer.patch is None
    unchanged = generate(Order({"a": "foo"}, {"a": "foo"}, Format.MERGE_PATCH))
    assert isinstance(unchanged, Generated)
    assert unchanged.patch == {}


def test_D8_merge_patches_do_not_compose() -> None:
    before, (first, second) = BY_NUMBER["D8"]["before"], BY_NUMBER["D8"]["patch"]
    assert apply_merge_patch(apply_merge_patch(before, first), second) == {"a": {"a1": 8}}
    naive = apply_merge_patch(first, second)
    assert naive == {"a": {"a1": 8}}
    assert apply_merge_patch(before, naive) == {"a": {"a1": 8, "a2": 3}}


def test_F1_a_resource_version_in_a_patch_is_a_precondition() -> None:
    live, patch = BY_NUMBER["F1"]["before"], BY_NUMBER["F1"]["patch"]
    assert written(WriteKind.JSON_MERGE, live, patch).code == 409
    assert written(WriteKind.JSON_MERGE, live, {"metadata": {"resourceVersion": "42"}, "data": {"a": "2"}}).code == 200
    assert written(WriteKind.JSON_MERGE, live, {"data": {"a": "2"}}).code == 200


def test_F5_the_time_moves_when_a_value_is_changed() -> None:
    case = BY_NUMBER["F5"]
    first = written(WriteKind.CLIENT_APPLY, None, case["before"], manager="kubectl-client-side-apply")
    later = NOW.replace(hour=5)
    second = written(WriteKind.CLIENT_APPLY, first.after, case["patch"], "kubectl-client-side-apply", later)
    [before], [after] = managers(first), managers(second)
    assert before["fieldsV1"] == after["fieldsV1"]
    assert (before["time"], after["time"]) == ("2030-01-01T00:00:00Z", "2030-01-01T05:00:00Z")


def test_every_case_of_these_kinds_is_told() -> None:
    told = {each["id"] for each in (*PATCHES, *CLIENT_SIDE, *DIFFS)} | {
        name.split("_")[1] for name in globals() if name.startswith("test_") and name.split("_")[1] in BY_NUMBER
    }
    asked = [each["id"] for each in CASES if each["kind"] not in ("ssa", "update")]
    assert [number for number in asked if number not in told] == []
