"""What the API server does with each kind of write, beside ownership."""

from __future__ import annotations

from typing import Any

import pytest

from engine.meta.gvk import GroupVersionKind
from tests.support.cluster import LAB, Cluster, config_map, definition_of, thing, version_of

WORDS = {"type": "object", "additionalProperties": {"type": "string"}}
SPEC: dict[str, Any] = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "maximum": 3, "default": 1},
        "name": {"type": "string", "maxLength": 3},
        "note": {"type": "string", "nullable": True},
        "filled": {"type": "string", "default": "x"},
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"a": {"type": "string", "default": "d"}}},
    },
}


def lab(spec: dict[str, Any] = SPEC, **options: Any) -> Cluster:
    return Cluster(LAB, [definition_of(spec, **options)])


def held_to(cluster: Cluster, spec: dict[str, Any]) -> None:
    """Put the cluster under another schema."""
    cluster.server.catalog = lab(spec).server.catalog


def test_a_created_object_gets_its_identity() -> None:
    cluster = Cluster()
    answer = cluster.create(config_map({"k": "v"}), "u")
    assert answer.code == 201
    metadata = answer.body["metadata"]
    assert metadata["uid"] == "00000000-0000-4000-8000-000000000001"
    assert (metadata["creationTimestamp"], metadata["namespace"]) == ("2030-01-01T00:00:01Z", "default")


def test_a_second_object_of_a_name_is_refused() -> None:
    cluster = Cluster()
    cluster.create(config_map(), "u")
    answer = cluster.create(config_map(), "u")
    assert (answer.code, answer.reason) == (409, "AlreadyExists")
    assert answer.message == 'configmaps "conf" already exists'


def test_an_absent_object_is_not_found() -> None:
    answer = Cluster().ask("GET")
    assert (answer.code, answer.reason, answer.message) == (404, "NotFound", 'configmaps "conf" not found')


def test_an_apply_creates_what_is_absent_and_another_patch_does_not() -> None:
    cluster = Cluster()
    assert cluster.merge({"data": {"k": "v"}}, "u").code == 404
    assert cluster.apply(config_map({"k": "v"}), "u").code == 201


def test_a_dry_run_stores_nothing() -> None:
    cluster = Cluster()
    assert cluster.apply(config_map({"k": "v"}), "u", dryRun="All").code == 201
    assert cluster.stored is None
    cluster.apply(config_map({"k": "v"}), "u")
    before = cluster.stored
    answer = cluster.apply(config_map({"k": "w"}), "u", dryRun="All")
    assert answer.body["data"] == {"k": "w"}
    assert answer.body["metadata"]["resourceVersion"] == before["metadata"]["resourceVersion"]
    assert cluster.stored == before


def test_a_put_with_a_stale_version_is_refused_and_with_none_is_not() -> None:
    cluster = Cluster()
    version = version_of(cluster.create(config_map({"k": "v"}), "u"))
    cluster.merge({"data": {"k": "w"}}, "u")
    stale = cluster.update(config_map({"k": "x"}, resourceVersion=str(version)), "u")
    assert (stale.code, stale.reason, stale.causes) == (409, "Conflict", [])
    assert cluster.update(config_map({"k": "x"}), "u").code == 200


def test_a_put_of_a_custom_resource_without_a_version_is_refused() -> None:
    cluster = lab()
    cluster.create(thing({}), "u")
    answer = cluster.update(thing({"size": 2}), "u")
    assert answer.code == 422
    assert [field for _, field, _ in answer.causes] == ["metadata.resourceVersion"]


def test_generation_grows_with_what_is_not_metadata() -> None:
    cluster = lab()
    generations = [
        cluster.create(thing({}), "u"),
        cluster.merge({"metadata": {"labels": {"l": "x"}}}, "u"),
        cluster.merge({"spec": {"size": 2}}, "u"),
        cluster.merge({"spec": {"size": 2}}, "u"),
    ]
    assert [each.body["metadata"]["generation"] for each in generations] == [1, 1, 2, 2]


def test_status_does_not_count_for_generation_and_spec_does_not_go_through_status() -> None:
    cluster = lab(status=True)
    cluster.create({**thing({"size": 2}), "status": {"phase": "Up"}}, "u")
    assert "status" not in cluster.object
    answer = cluster.merge({"spec": {"size": 3}, "status": {"phase": "Up"}}, "u", subresource="status")
    assert (answer.body["spec"]["size"], answer.body["status"]) == (2, {"phase": "Up"})
    assert answer.body["metadata"]["generation"] == 1


def test_empty_labels_of_an_apply_are_stored_but_not_shown() -> None:
    cluster = lab()
    cluster.apply(thing({}), "a")
    version = cluster.stored["metadata"]["resourceVersion"]
    answer = cluster.apply(thing({}, labels={}), "a")
    assert "labels" not in answer.body["metadata"]
    assert cluster.stored["metadata"]["labels"] == {}
    assert answer.body["metadata"]["resourceVersion"] != version


def test_defaults_are_filled_in_after_the_merge_and_not_owned() -> None:
    cluster = lab()
    answer = cluster.apply(thing({"inner": {}}), "a")
    assert answer.body["spec"] == {"size": 1, "filled": "x", "inner": {"a": "d"}}
    assert cluster.owned()[("a", "Apply")] == {"f:spec": {"f:inner": {}}}


def test_a_field_that_its_owner_drops_returns_to_its_default() -> None:
    cluster = lab()
    cluster.apply(thing({"size": 3}), "a")
    assert cluster.apply(thing({}), "a").body["spec"]["size"] == 1


def test_unchanged_invalid_values_are_tolerated_on_update() -> None:
    cluster = lab({**SPEC, "properties": {**SPEC["properties"], "size": {"type": "integer"}}})
    cluster.create(thing({"size": 9, "name": "a"}), "u")
    held_to(cluster, SPEC)
    assert cluster.merge({"spec": {"name": "b"}}, "u").code == 200
    refused = cluster.merge({"spec": {"size": 8}}, "u")
    assert (refused.code, [field for _, field, _ in refused.causes]) == (422, ["spec.size"])
    assert cluster.merge({"spec": {"size": 2}}, "u").code == 200


NULLS: list[tuple[str, Any, Any]] = [
    ("a field that may be null", {"note": None}, {"note": None}),
    ("a field that may not, and has no default", {"name": None}, {}),
    ("a field that may not, and has a default", {"filled": None}, {"filled": "x"}),
]


@pytest.mark.parametrize(("phrase", "sent", "stored"), NULLS, ids=[each[0] for each in NULLS])
def test_null_sent_by_post_and_put(phrase: str, sent: Any, stored: Any) -> None:
    cluster = lab()
    defaults = {"size": 1, "filled": "x"}
    assert cluster.create(thing(sent), "u").body["spec"] == {**defaults, **stored}
    version = cluster.stored["metadata"]["resourceVersion"]
    assert cluster.update(thing(sent, resourceVersion=version), "u").body["spec"] == {**defaults, **stored}


def test_null_in_a_merge_patch_removes_even_where_null_may_be() -> None:
    cluster = lab()
    cluster.create(thing({"note": "n", "name": "a"}), "u")
    assert cluster.merge({"spec": {"note": None, "name": None}}, "u").body["spec"] == {"size": 1, "filled": "x"}


def test_null_by_json_patch_is_a_value_where_null_may_be() -> None:
    cluster = lab()
    cluster.create(thing({}), "u")
    patch = [{"op": "add", "path": f"/spec/{name}", "value": None} for name in ("note", "name", "filled")]
    assert cluster.json_patch(patch, "u").body["spec"] == {"size": 1, "filled": "x", "note": None}


def test_null_in_an_intent_is_refused_where_it_may_not_be() -> None:
    cluster = lab()
    assert cluster.apply(thing({"note": None}), "a").body["spec"]["note"] is None
    refused = cluster.apply(thing({"name": None}), "a")
    assert (refused.code, [field for _, field, _ in refused.causes]) == (422, ["spec.name"])


def test_unknown_fields_are_pruned_with_a_warning() -> None:
    answer = lab().create(thing({"unknown": 1}), "u")
    assert (answer.code, answer.warnings) == (201, ('unknown field "spec.unknown"',))
    assert "unknown" not in answer.body["spec"]


def test_unknown_fields_are_pruned_silently_or_refused_as_asked() -> None:
    assert lab().create(thing({"unknown": 1}), "u", fieldValidation="Ignore").warnings == ()
    refused = lab().create(thing({"unknown": 1}), "u", fieldValidation="Strict")
    assert refused.code == 400
    assert 'strict decoding error: unknown field "spec.unknown"' in refused.message


def test_unknown_fields_of_an_intent_are_a_failure_of_the_reference() -> None:
    answer = lab().apply(thing({"unknown": 1}), "a")
    assert answer.code == 500
    assert ".spec.unknown: field not declared in schema" in answer.message


def test_duplicates_are_refused_in_an_intent_and_by_the_schema() -> None:
    assert lab().apply(thing({"tags": ["x", "x"]}), "a").code == 500
    refused = lab().create(thing({"tags": ["x", "x"]}), "u")
    assert refused.causes == [("FieldValueDuplicate", "spec.tags[1]", 'Duplicate value: "x"')]


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("an apply without a manager", {"manager": ""}, 422, "fieldManager"),
    ("a manager's name that is too long", {"manager": "m" * 129}, 422, "fieldManager"),
    ("a manager's name that cannot be printed", {"manager": "a\tb"}, 422, "fieldManager"),
    ("a dry run of another kind", {"manager": "a", "dryRun": "Some"}, 422, "dryRun"),
    ("an unknown way of validation", {"manager": "a", "fieldValidation": "Maybe"}, 422, "fieldValidation"),
]


@pytest.mark.parametrize(("phrase", "options", "code", "field"), REFUSED, ids=[each[0] for each in REFUSED])
def test_bad_parameters_are_refused(phrase: str, options: dict[str, Any], code: int, field: str) -> None:
    answer = Cluster().apply(config_map(), **options)
    assert (answer.code, [each[1] for each in answer.causes]) == (code, [field])


def test_force_is_for_apply_alone() -> None:
    cluster = Cluster()
    cluster.create(config_map(), "u")
    assert [each[1] for each in cluster.merge({}, "u", force=True).causes] == ["force"]


def test_a_custom_resource_takes_no_strategic_merge_patch() -> None:
    cluster = lab()
    cluster.create(thing({}), "u")
    assert cluster.strategic({"spec": {"size": 2}}, "u").code == 415


def test_an_intent_names_its_kind_and_the_object() -> None:
    cluster = Cluster()
    assert cluster.apply({"data": {}}, "a").code == 400
    assert cluster.apply({**config_map(), "kind": "Secret"}, "a").code == 400
    assert cluster.apply({**config_map(), "metadata": {"name": "other"}}, "a").code == 400
    assert cluster.apply({**config_map(), "metadata": {}}, "a").code == 201


def test_what_identifies_an_object_cannot_change() -> None:
    cluster = Cluster()
    cluster.create(config_map(), "u")
    refused = cluster.merge({"metadata": {"uid": "other"}}, "u")
    assert refused.code in (409, 422)
    assert cluster.stored["metadata"]["uid"] != "other"


def test_a_delete_tells_what_is_gone() -> None:
    cluster = Cluster()
    cluster.create(config_map(), "u")
    answer = cluster.ask("DELETE")
    assert (answer.code, answer.body["details"]["name"]) == (200, "conf")
    assert cluster.stored is None


def test_an_unknown_kind_or_subresource_is_not_found() -> None:
    cluster = Cluster()
    cluster.create(config_map(), "u")
    assert cluster.ask("GET", subresource="scale").code == 404
    assert cluster.ask("GET", version="v9").code == 404
    assert cluster.ask("TRACE").code == 405


def test_conflicts_with_several_managers_are_told_by_manager() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    cluster.merge({"data": {"l": "v", "m": "v"}}, "u")
    refusal = cluster.apply(config_map({"k": "w", "l": "w", "m": "w"}), "b")
    assert refusal.message == (
        'Apply failed with 3 conflicts: conflicts with "a":\n- .data.k\n'
        'conflicts with "u" using v1:\n- .data.l\n- .data.m'
    )


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"replicas": "many"}, "unrecognized type: int32"),
        ({"replicas": 1.5}, "cannot convert float64 to int32"),
        ({"paused": 1}, "unrecognized type: bool"),
        ({"template": {"spec": {"hostname": 5}}}, "cannot convert int64 to string"),
        ({"strategy": "now"}, "cannot restore struct from: string"),
        ({"template": {"spec": {"nodeSelector": "all"}}}, "cannot restore map from string"),
    ],
)
def test_a_strategic_merge_words_what_it_cannot_convert(spec: dict[str, Any], told: str) -> None:
    cluster = Cluster(GroupVersionKind("apps", "v1", "Deployment"))
    labels = {"a": "b"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "i"}]}}
    body = {"spec": {"selector": {"matchLabels": labels}, "template": template}}
    created = cluster.create({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "conf"}, **body}, "u")
    assert created.code == 201, created.body
    answer = cluster.strategic({"spec": spec}, "u")
    assert answer.code == 422
    assert [field for _, field, _ in answer.causes] == ["patch"]
    assert answer.message.endswith(": " + told)


def test_a_version_that_is_stored_from_now_on_joins_those_before() -> None:
    cluster = Cluster(
        GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), name="things.lab.example"
    )
    assert cluster.create(definition_of(SPEC), "u").code == 201
    crd = cluster.object
    (first,) = crd["spec"]["versions"]
    crd["spec"]["versions"] = [{**first, "storage": False}, {**first, "name": "v2"}]
    answer = cluster.update(crd, "u")
    assert answer.code == 200, answer.body
    assert answer.body["status"]["storedVersions"] == ["v1", "v2"]
