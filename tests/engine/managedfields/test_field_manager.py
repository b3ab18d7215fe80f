"""The bookkeeping of managedFields, each rule as one small story on a ConfigMap or a custom resource."""

from __future__ import annotations

from typing import Any

import pytest

from engine.meta.last_applied import LAST_APPLIED, encode_last_applied
from engine.schema.structural import kinds_of_definition
from tests.support.cluster import LAB, Cluster, config_map, definition_of, thing, version_of

WORDS = {"type": "object", "additionalProperties": {"type": "string"}}
FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def entries(cluster: Cluster) -> list[tuple[str, str, str, Any]]:
    return [
        (each["manager"], each["operation"], each.get("time", "")[-3:-1], each["fieldsV1"])
        for each in cluster.managed_fields
    ]


def data(*names: str) -> dict[str, Any]:
    return {"f:data": {f"f:{name}": {} for name in names}}


def whole(*names: str) -> dict[str, Any]:
    return {"f:data": {".": {}, **{f"f:{name}": {} for name in names}}}


def test_a_created_object_is_its_creators_whole() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}, labels={"l": "x"}), "maker")
    fields = {**whole("k"), "f:metadata": {"f:labels": {".": {}, "f:l": {}}}}
    assert entries(cluster) == [("maker", "Update", "01", fields)]


def test_without_a_name_the_manager_is_the_user_agent_up_to_the_slash() -> None:
    cluster = Cluster()
    cluster.ask("POST", config_map({"k": "v"}))
    assert [each[0] for each in entries(cluster)] == ["tests"]


def test_name_and_namespace_are_nobodys() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}, namespace="default"), "a")
    assert entries(cluster) == [("a", "Apply", "01", data("k"))]


def test_an_applier_that_owns_nothing_leaves_no_entry() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "maker")
    cluster.apply(config_map(), "a")
    assert [each[0] for each in entries(cluster)] == ["maker"]


def test_the_first_apply_books_all_that_is_live_before_it() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "maker")
    cluster.json_patch([{"op": "replace", "path": "/metadata/managedFields", "value": []}], "eraser")
    assert entries(cluster) == []
    cluster.apply(config_map({"n": "v"}), "a")
    assert sorted(entries(cluster)) == [
        ("a", "Apply", "04", data("n")),
        ("before-first-apply", "Update", "04", whole("k")),
    ]


def test_an_object_without_entries_stays_untracked_until_an_apply() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "maker")
    cluster.merge({"metadata": {"managedFields": [{}]}, "data": {"k": "w"}}, "eraser")
    cluster.merge({"data": {"k": "x"}}, "later")
    assert entries(cluster) == []
    assert cluster.object["data"] == {"k": "x"}


def test_becoming_a_co_owner_has_no_time_and_moves_none() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    cluster.apply(config_map({"k": "v"}), "b")
    assert entries(cluster) == [("b", "Apply", "", data("k")), ("a", "Apply", "01", data("k"))]


def test_giving_up_a_shared_field_moves_no_time() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v", "l": "v"}), "a")
    cluster.apply(config_map({"k": "v", "n": "v"}), "b")
    cluster.apply(config_map({"n": "v"}), "b")
    assert entries(cluster) == [("a", "Apply", "01", data("k", "l")), ("b", "Apply", "02", data("n"))]


def test_those_who_lose_fields_keep_their_time() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v", "l": "v"}), "a")
    cluster.apply(config_map({"k": "w"}), "b", force=True)
    assert entries(cluster) == [("a", "Apply", "01", data("l")), ("b", "Apply", "02", data("k"))]


def test_an_update_that_takes_a_field_gets_the_time_though_its_set_stays() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "u")
    cluster.merge({"data": {"k": "w"}}, "u")
    assert entries(cluster) == [("u", "Update", "02", whole("k"))]


def test_a_write_that_changes_nothing_changes_no_entry() -> None:
    cluster = Cluster()
    version = version_of(cluster.create(config_map({"k": "v"}), "u"))
    assert version_of(cluster.merge({"data": {"k": "v"}}, "other")) == version
    assert version_of(cluster.update(config_map({"k": "v"}), "other")) == version
    assert entries(cluster) == [("u", "Update", "01", whole("k"))]


def test_ten_update_managers_are_kept_and_the_oldest_fold() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "m00")
    for number in range(1, 10):
        cluster.merge({"data": {f"k{number}": "v"}}, f"m{number:02}")
    assert len(cluster.managed_fields) == 10
    assert "ancient-changes" not in [each[0] for each in entries(cluster)]
    cluster.merge({"data": {"k10": "v"}}, "m10")
    assert len(cluster.managed_fields) == 10
    assert ("ancient-changes", "Update", "02", whole("k", "k1")) in entries(cluster)
    cluster.merge({"data": {"k11": "v"}}, "m11")
    assert len(cluster.managed_fields) == 10
    assert ("ancient-changes", "Update", "03", whole("k", "k1", "k2")) in entries(cluster)


@pytest.mark.parametrize("sent", [[], [{}]])
def test_an_empty_list_or_entry_clears_a_built_in_kinds_entries(sent: list[Any]) -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "u")
    cluster.merge({"metadata": {"managedFields": sent}}, "eraser")
    assert cluster.managed_fields == []


def test_a_custom_resources_empty_list_does_not_clear_but_an_empty_entry_does() -> None:
    cluster = Cluster(LAB, [definition_of(FREE)])
    cluster.create(thing({"k": "v"}), "u")
    cluster.merge({"metadata": {"managedFields": []}}, "eraser")
    assert [each[0] for each in entries(cluster)] == ["u"]
    cluster.merge({"metadata": {"managedFields": [{}]}}, "eraser")
    assert cluster.managed_fields == []


def test_entries_that_a_put_leaves_out_stay() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    cluster.update(config_map({"k": "v", "n": "v"}), "u")
    assert entries(cluster) == [("a", "Apply", "01", data("k")), ("u", "Update", "02", data("n"))]


def test_entries_that_a_put_changes_are_taken_over() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    live = cluster.object
    sent = [{**each, "manager": "b"} for each in live["metadata"]["managedFields"]]
    cluster.update({**live, "metadata": {**live["metadata"], "managedFields": sent}}, "u")
    assert entries(cluster) == [("b", "Apply", "01", data("k"))]


@pytest.mark.parametrize(
    "broken",
    [
        {"operation": "Delete"},
        {"apiVersion": ""},
        {"fieldsType": "FieldsV2"},
        {"fieldsV1": {"nonsense": {}}},
    ],
    ids=str,
)
def test_entries_that_cannot_be_read_are_not_taken_over(broken: dict[str, Any]) -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    live = cluster.object
    sent = [{**each, **broken} for each in live["metadata"]["managedFields"]]
    cluster.update({**live, "metadata": {**live["metadata"], "managedFields": sent}}, "u")
    assert [each[0] for each in entries(cluster)] == ["a"]


def test_kubectl_is_forgiven_what_client_side_apply_put_there() -> None:
    cluster = Cluster()
    last = encode_last_applied(config_map({"k": "v"}))
    cluster.create(config_map({"k": "v"}, annotations={LAST_APPLIED: last}), "kubectl-client-side-apply")
    assert cluster.apply(config_map({"k": "w"}), "ci").code == 409
    assert cluster.apply(config_map({"k": "w"}), "kubectl").code == 200
    assert cluster.object["data"] == {"k": "w"}


def test_kubectl_is_not_forgiven_what_was_changed_since() -> None:
    cluster = Cluster()
    last = encode_last_applied(config_map({"k": "v", "l": "v"}))
    cluster.create(config_map({"k": "v", "l": "v"}, annotations={LAST_APPLIED: last}), "kubectl-client-side-apply")
    cluster.merge({"data": {"k": "changed"}}, "editor")
    refusal = cluster.apply(config_map({"k": "w", "l": "w"}), "kubectl")
    assert refusal.code == 409
    assert refusal.causes == [("FieldManagerConflict", ".data.k", 'conflict with "editor" using v1')]


def test_the_server_keeps_the_annotation_up_to_date_for_kubectl_alone() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}, annotations={LAST_APPLIED: "{}"}), "kubectl-client-side-apply")
    cluster.apply(config_map({"n": "v"}), "ci")
    assert cluster.object["metadata"]["annotations"][LAST_APPLIED] == "{}"
    intent = config_map({"n": "v"})
    cluster.apply(intent, "kubectl")
    assert cluster.object["metadata"]["annotations"][LAST_APPLIED] == encode_last_applied(intent)


def test_the_annotation_is_not_made_where_there_is_none() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "kubectl")
    assert "annotations" not in cluster.object["metadata"]


def two_versions() -> dict[str, Any]:
    crd = definition_of(WORDS, status=True)
    (first,) = crd["spec"]["versions"]
    crd["spec"]["versions"] = [first, {**first, "name": "v2", "storage": False}]
    return crd


def in_v2(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "apiVersion": "lab.example/v2"}


def test_an_applier_that_moves_to_another_version_keeps_one_entry() -> None:
    cluster = Cluster(LAB, [two_versions()])
    cluster.apply(thing({"k": "v"}), "a")
    cluster.apply(in_v2(thing({"k": "v", "n": "v"})), "a", version="v2")
    assert [(each["manager"], each["apiVersion"]) for each in cluster.managed_fields] == [("a", "lab.example/v2")]
    assert cluster.apply(in_v2(thing({"k": "v"})), "a", version="v2").body["spec"] == {"k": "v"}


def test_an_updater_in_another_version_is_another_owner() -> None:
    cluster = Cluster(LAB, [two_versions()])
    cluster.create(thing({"k": "v"}), "u")
    cluster.merge({"spec": {"n": "v"}}, "u", version="v2")
    assert [(each["manager"], each["apiVersion"]) for each in cluster.managed_fields] == [
        ("u", "lab.example/v1"),
        ("u", "lab.example/v2"),
    ]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_status_is_ignored_by_an_apply_to_the_object_in_every_version(version: str) -> None:
    cluster = Cluster(LAB, [two_versions()])
    cluster.apply(thing({"k": "v"}), "a")
    cluster.merge({"status": {"phase": "Up"}}, "controller", subresource="status")
    intent = {**thing({"k": "v"}), "apiVersion": f"lab.example/{version}", "status": {"phase": "Down"}}
    answer = cluster.apply(intent, "a", version=version)
    assert answer.code == 200
    assert answer.body["status"] == {"phase": "Up"}
    mine = [each["fieldsV1"] for each in cluster.managed_fields if each["manager"] == "a"]
    assert mine == [{"f:spec": {"f:k": {}}}]


def test_writes_to_a_subresource_are_another_owners() -> None:
    cluster = Cluster(LAB, [two_versions()])
    cluster.create(thing({"k": "v"}), "c")
    cluster.merge({"status": {"phase": "Up"}}, "c", subresource="status")
    found = [(each["manager"], each.get("subresource", ""), each["fieldsV1"]) for each in cluster.managed_fields]
    assert found == [
        ("c", "", {"f:spec": {".": {}, "f:k": {}}}),
        ("c", "status", {"f:status": {".": {}, "f:phase": {}}}),
    ]


def test_managed_fields_sent_through_a_subresource_are_ignored() -> None:
    cluster = Cluster(LAB, [two_versions()])
    cluster.create(thing({"k": "v"}), "c")
    patch = {"metadata": {"managedFields": [{}]}, "status": {"phase": "Up"}}
    cluster.merge(patch, "d", subresource="status")
    assert [each[0] for each in entries(cluster)] == ["c", "d"]


def retyped(cluster: Cluster, spec: dict[str, Any]) -> None:
    cluster.server.catalog = cluster.server.catalog.with_kinds(kinds_of_definition(definition_of(spec)))


def test_fields_owned_in_a_map_that_turned_atomic_become_ownership_of_the_map() -> None:
    inner = {"type": "object", "properties": {"m": WORDS}}
    cluster = Cluster(LAB, [definition_of(inner)])
    cluster.apply(thing({"m": {"x": "v"}}), "a")
    cluster.apply(thing({"m": {"y": "v"}}), "b")
    retyped(cluster, {"type": "object", "properties": {"m": {**WORDS, "x-kubernetes-map-type": "atomic"}}})
    refusal = cluster.apply(thing({"m": {"z": "v"}}), "c")
    assert [(field, message) for _, field, message in refusal.causes] == [
        (".spec.m", 'conflict with "a"'),
        (".spec.m", 'conflict with "b"'),
    ]


def test_the_owner_of_a_map_that_turned_granular_goes_on_owning_the_map() -> None:
    atomic = {"type": "object", "properties": {"m": {**WORDS, "x-kubernetes-map-type": "atomic"}}}
    cluster = Cluster(LAB, [definition_of(atomic)])
    cluster.apply(thing({"m": {"x": "v"}}), "a")
    retyped(cluster, {"type": "object", "properties": {"m": WORDS}})
    assert cluster.apply(thing({"m": {"y": "v"}}), "b").code == 200
    assert cluster.owned()[("a", "Apply")] == {"f:spec": {"f:m": {}}}
