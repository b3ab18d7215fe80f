"""One write on one object, as the page asks for it."""

from __future__ import annotations

import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.json_patch.apply import apply_json_patch
from engine.meta.object_meta import without_metadata
from engine.schema.structural import MalformedDefinition
from engine.value.model import MISSING
from tests.engine.value.strategies import small_values
from tests.support.cluster import config_map, definition_of, thing

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def ask(kind: WriteKind, live: Any, body: Any, **more: Any) -> Evaluation:
    write = Write(kind, live, body, **{"manager": "me", **more})
    before = copy.deepcopy(write)
    found = evaluate(write, now=NOW, new_uid=lambda: "uid")
    assert write == before, "the write changed what it was given"
    return found


def owned(live: dict[str, Any], manager: str) -> dict[str, Any]:
    """Return an object as `manager` applied it."""
    found = ask(WriteKind.APPLY, None, live, manager=manager).after
    assert found is not None
    return found


def test_an_apply_to_nothing_creates_the_object() -> None:
    found = ask(WriteKind.APPLY, None, config_map({"k": "v"}))
    assert (found.code, found.before) == (201, None)
    assert found.after is not None
    assert found.after["data"] == {"k": "v"}
    assert [each["manager"] for each in found.after["metadata"]["managedFields"]] == ["me"]


def test_the_patch_leads_from_before_to_after_and_leaves_managed_fields_out() -> None:
    live = owned(config_map({"k": "v", "l": "v"}), "you")
    found = ask(WriteKind.JSON_MERGE, live, {"data": {"l": None, "n": "v"}})
    assert found.after is not None
    assert not [each for each in found.json_patch if "managedFields" in each["path"]]
    before, after = (without_metadata(each, "managedFields") for each in (found.before or {}, found.after))
    assert apply_json_patch(before, found.json_patch) == after


def test_a_conflict_tells_manager_path_and_both_values() -> None:
    live = owned(config_map({"k": "v"}), "you")
    found = ask(WriteKind.APPLY, live, config_map({"k": "w"}))
    assert (found.code, found.after, found.json_patch) == (409, None, [])
    (conflict,) = found.conflicts
    told = (conflict.manager, conflict.operation, conflict.path, conflict.live, conflict.intended)
    assert told == ("you", "Apply", ".data.k", "v", "w")
    assert ask(WriteKind.APPLY, live, config_map({"k": "w"}), force=True).code == 200


def test_a_value_that_one_side_lacks_is_missing_in_a_conflict() -> None:
    spec = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    crds = (definition_of({**spec, "x-kubernetes-map-type": "atomic"}),)
    live = ask(WriteKind.APPLY, None, thing({"a": "x"}), crds=crds, manager="you").after
    assert live is not None
    (conflict,) = ask(WriteKind.APPLY, live, thing({"b": "x"}), crds=crds).conflicts
    assert (conflict.path, conflict.live, conflict.intended) == (".spec", {"a": "x"}, {"b": "x"})
    gone = {name: value for name, value in live.items() if name != "spec"}
    (conflict,) = ask(WriteKind.APPLY, gone, thing({"b": "x"}), crds=crds).conflicts
    assert conflict.live is MISSING


def test_nothing_that_was_made_up_shows() -> None:
    live = config_map({"k": "v"})
    found = ask(WriteKind.JSON_MERGE, live, {"data": {"k": "w"}})
    assert found.before == live
    assert found.after == config_map({"k": "w"})


def test_an_object_without_kind_takes_a_json_patch_and_a_merge_patch() -> None:
    assert ask(WriteKind.JSON_PATCH, {"a": 1}, [{"op": "add", "path": "/b", "value": 2}]).after == {"a": 1, "b": 2}
    assert ask(WriteKind.JSON_MERGE, {"a": 1, "b": [1]}, {"a": None}).after == {"b": [1]}


def test_kubectl_apply_tells_the_request_that_it_sends() -> None:
    found = ask(WriteKind.CLIENT_APPLY, config_map({"k": "v"}), config_map({"k": "w"}))
    assert found.request_sent is not None
    assert found.after is not None
    assert found.after["data"] == {"k": "w"}
    assert ask(WriteKind.JSON_MERGE, config_map({"k": "v"}), {}).request_sent is None


def test_a_dry_run_shows_the_result() -> None:
    found = ask(WriteKind.APPLY, config_map({"k": "v"}), config_map({"k": "w"}), dry_run=True, force=True)
    assert found.after is not None
    assert found.after["data"] == {"k": "w"}


def test_a_definition_that_is_none_is_refused() -> None:
    with pytest.raises(MalformedDefinition) as caught:
        ask(WriteKind.APPLY, None, thing({}), crds=({"kind": "CustomResourceDefinition"},))
    assert "spec" in str(caught.value)


def test_applying_the_result_again_changes_nothing() -> None:
    live = owned(config_map({"k": "v"}), "you")
    once = ask(WriteKind.APPLY, live, config_map({"n": "v"}))
    twice = ask(WriteKind.APPLY, once.after, config_map({"n": "v"}))
    assert (twice.after, twice.json_patch) == (once.after, [])


objects = st.none() | st.dictionaries(
    st.sampled_from(["apiVersion", "kind", "metadata", "data", "spec"]),
    st.sampled_from(["v1", "ConfigMap", "Pod", None, 1, [], {}]) | small_values,
    max_size=5,
)


@given(st.sampled_from(WriteKind), objects, small_values | objects, st.booleans())
def test_whatever_is_typed_gets_an_answer(kind: WriteKind, live: Any, body: Any, force: bool) -> None:
    found = ask(kind, live, body, force=force)
    assert 200 <= found.code < 600
    assert (found.after is None) or found.code < 300
    if found.code >= 300:
        assert isinstance(found.body, dict)
        assert found.body["kind"] == "Status"
        assert found.body["message"]


def test_the_time_of_the_write_is_the_one_that_was_given() -> None:
    write = Write(WriteKind.APPLY, None, config_map({"k": "v"}), manager="me")
    found = evaluate(replace(write, force=True), now=NOW, new_uid=lambda: "uid")
    assert found.after is not None
    assert found.after["metadata"]["creationTimestamp"] == "2030-01-01T00:00:00Z"


def test_a_dry_run_of_kubectl_apply_to_scale_shows_the_object_as_it_would_be() -> None:
    head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"}}
    pod = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": pod}
    live = owned({**head, "spec": spec}, "you")
    for dry_run in (False, True):
        found = ask(
            WriteKind.CLIENT_APPLY, live, {"spec": {"replicas": 5}}, subresource="scale", manager="", dry_run=dry_run
        )
        assert found.code == 200, found.body
        assert found.after is not None
        assert (found.after["kind"], found.after["spec"]["replicas"]) == ("Deployment", 5)


def test_counts_that_are_not_told_are_held_against_negative_ones() -> None:
    spec = {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
        },
    }
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    found = ask(
        WriteKind.JSON_MERGE, live, {"status": {"replicas": -1, "readyReplicas": -1}}, manager="", subresource="status"
    )
    assert isinstance(found.body, dict)
    causes = [(each["field"], each["message"]) for each in found.body["details"]["causes"]]
    assert ("status.updatedReplicas", "Invalid value: 0: cannot be greater than status.replicas") in causes
    assert ("status.availableReplicas", "Invalid value: 0: cannot be greater than readyReplicas") in causes


@pytest.mark.parametrize("conditions", [[[]], [{"type": {}}], {}, "x"])
@pytest.mark.parametrize("level", [{}, [], "a", None])
def test_a_flow_schema_of_an_odd_shape_is_answered(conditions: Any, level: Any) -> None:
    head = {"apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": "f"}}
    spec = {"priorityLevelConfiguration": {"name": level}}
    live = {**head, "spec": spec, "status": {"conditions": conditions}}
    for part in ("", "status"):
        assert ask(WriteKind.JSON_MERGE, live, {"metadata": {"labels": {"a": "b"}}}, subresource=part).code > 0


@pytest.mark.parametrize("replicas", [1, 2])
def test_a_live_object_that_does_not_fit_its_type_is_told_by_an_apply_that_changes_nothing_too(replicas: int) -> None:
    head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    spec = {"replicas": 1, "selector": {}, "template": {"spec": {"containers": ["web"]}}}
    found = ask(WriteKind.APPLY, {**head, "spec": spec}, {**head, "spec": {"replicas": replicas}}, force=True)
    assert isinstance(found.body, dict)
    assert (found.code, "cannot unmarshal string into Go struct field" in found.body["message"]) == (500, True)


def test_null_among_finalizers_is_an_empty_name() -> None:
    live = {**config_map({"a": "1"}), "metadata": {"name": "c", "finalizers": ["a/b"]}}
    found = ask(WriteKind.JSON_MERGE, live, {"metadata": {"finalizers": [None, "a/b"]}}, manager="")
    assert isinstance(found.body, dict)
    assert (found.code, "metadata.finalizers" in found.body["message"]) == (422, True)


@pytest.mark.parametrize("generation", [None, "x", 1.5, True, [], 10**30])
def test_a_live_object_with_an_odd_generation_is_answered(generation: Any) -> None:
    head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "generation": generation}}
    pod = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    live = {**head, "spec": {"replicas": 1, "selector": {"matchLabels": {"a": "b"}}, "template": pod}}
    assert ask(WriteKind.JSON_MERGE, live, {"spec": {"replicas": 2}}, manager="").code > 0


@pytest.mark.parametrize(
    ("share", "code"), [("9" * 4_999 + "%", 422), ("0" * 5_000 + "%", 422), ("101%", 422), ("100%", 200)]
)
def test_shares_of_any_length_are_answered(share: str, code: int) -> None:
    head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    pod = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    live = {**head, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": pod}}
    change = {"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": share}}}}
    assert ask(WriteKind.JSON_MERGE, live, change, manager="").code == code
