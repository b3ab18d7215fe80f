"""What `kubectl apply --server-side` sends to take over from client-side apply; migrations.json holds recorded ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.clientapply.migration import client_side_appliers, migration_patch
from engine.meta.last_applied import LAST_APPLIED

RECORDED = json.loads(Path(__file__).with_name("migrations.json").read_text("utf-8"))
NOTE = {"f:metadata": {"f:annotations": {f"f:{LAST_APPLIED}": {}}}}


def held(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": "7", "managedFields": list(entries)}}


def entry(manager: str, operation: str, fields: Any, version: str = "v1", **more: Any) -> dict[str, Any]:
    told = {"manager": manager, "operation": operation, "apiVersion": version}
    return {**told, "fieldsType": "FieldsV1", "fieldsV1": fields, **more}


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_kubectl_sends_the_same(case: dict[str, Any]) -> None:
    patch = migration_patch(held(*case["before"]), case["manager"])
    assert patch == [
        {"op": "replace", "path": "/metadata/managedFields", "value": case["after"]},
        {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
    ]


def test_the_clients_entry_becomes_the_appliers_where_it_has_none() -> None:
    client = entry("kubectl-client-side-apply", "Update", {**NOTE, "f:data": {"f:a": {}}})
    patch = migration_patch(held(client), "kubectl")
    assert patch is not None
    assert patch[0]["value"] == [{**client, "manager": "kubectl", "operation": "Apply"}]


def test_any_manager_that_owns_the_annotation_migrates() -> None:
    obj = held(entry("argocd", "Update", NOTE), entry("other", "Update", {"f:data": {"f:x": {}}}))
    assert client_side_appliers(obj) == {"argocd"}
    patch = migration_patch(obj, "argocd-apply")
    assert patch is not None
    assert [each["manager"] for each in patch[0]["value"]] == ["argocd-apply", "other"]


def test_an_entry_of_another_version_is_dropped_and_one_of_a_subresource_stays() -> None:
    client = "kubectl-client-side-apply"
    obj = held(
        entry("kubectl", "Apply", {"f:spec": {"f:a": {}}}, "v2"),
        entry(client, "Update", NOTE, "v1"),
        entry(client, "Update", {"f:status": {"f:b": {}}}, "v2", subresource="status"),
    )
    patch = migration_patch(obj, "kubectl")
    assert patch is not None
    assert patch[0]["value"] == [obj["metadata"]["managedFields"][0], obj["metadata"]["managedFields"][2]]


@pytest.mark.parametrize("obj", [held(), held(entry("kubectl", "Apply", NOTE)), {"metadata": {}}])
def test_there_is_nothing_to_take_over(obj: dict[str, Any]) -> None:
    assert migration_patch(obj, "kubectl") is None
