"""Subresources that write a part of an object: resize, ephemeral containers, finalize, approval."""

from __future__ import annotations

from typing import Any

import pytest

from engine.meta.gvk import GroupVersionKind
from tests.support.cluster import Cluster

POD = GroupVersionKind("", "v1", "Pod")
NAME = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "conf"}}


def pod(**resources: Any) -> dict[str, Any]:
    return {**NAME, "spec": {"containers": [{"name": "a", "image": "i:1", "resources": resources}]}}


def running(**resources: Any) -> Cluster:
    cluster = Cluster(POD)
    assert cluster.create(pod(**resources), "creator").code == 201
    return cluster


def resources_of(obj: Any) -> Any:
    return obj["spec"]["containers"][0]["resources"]


def test_a_resize_changes_what_a_container_asks_for() -> None:
    cluster = running(requests={"cpu": "1"})
    answer = cluster.strategic(
        {"spec": {"containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}},
        "sizer",
        subresource="resize",
    )
    assert answer.code == 200, answer.body
    assert resources_of(cluster.object) == {"requests": {"cpu": "2"}}
    assert cluster.object["metadata"]["generation"] == 2


def test_the_main_resource_refuses_what_resize_takes() -> None:
    cluster = running(requests={"cpu": "1"})
    body = {"spec": {"containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}}
    assert cluster.strategic(body, "sizer").code == 422


def test_a_resize_owns_resources_under_its_own_entry() -> None:
    cluster = running(requests={"cpu": "1"})
    cluster.strategic(
        {"spec": {"containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}},
        "sizer",
        subresource="resize",
    )
    entry = next(each for each in cluster.managed_fields if each["manager"] == "sizer")
    assert (entry["operation"], entry["subresource"]) == ("Update", "resize")
    cpu: dict[str, Any] = {"f:resources": {"f:requests": {"f:cpu": {}}}}
    assert entry["fieldsV1"] == {"f:spec": {"f:containers": {'k:{"name":"a"}': cpu}}}


def test_an_applied_resize_owns_nothing_but_resources() -> None:
    cluster = running(requests={"cpu": "1"})
    wanted = pod(requests={"cpu": "1"})
    wanted["metadata"] = {"name": "conf", "labels": {"a": "b"}}
    assert cluster.apply(wanted, "sizer", subresource="resize").code == 200
    entry = next(each for each in cluster.managed_fields if each["manager"] == "sizer")
    cpu: dict[str, Any] = {"f:resources": {"f:requests": {"f:cpu": {}}}}
    assert entry["fieldsV1"] == {"f:spec": {"f:containers": {'k:{"name":"a"}': cpu}}}
    assert "labels" not in cluster.object["metadata"]


def test_a_resize_leaves_all_else_as_it_was() -> None:
    cluster = running(requests={"cpu": "1"})
    body = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"terminationGracePeriodSeconds": 1},
        "status": {"phase": "Failed"},
    }
    before = cluster.object
    assert cluster.strategic(body, "sizer", subresource="resize").code == 200
    assert cluster.object == before


@pytest.mark.parametrize(
    ("was", "wanted", "cause"),
    [
        (
            {"requests": {"cpu": "1"}},
            {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "1", "memory": "1Gi"}},
            (
                "FieldValueInvalid",
                "spec",
                'Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing',
            ),
        ),
        (
            {"requests": {"cpu": "1"}},
            {"requests": {"ephemeral-storage": "1Gi"}},
            ("FieldValueForbidden", "spec", "Forbidden: only cpu and memory resources are mutable"),
        ),
        (
            {"requests": {"cpu": "1", "memory": "1Gi"}},
            {"requests": {"memory": None}},
            (
                "FieldValueForbidden",
                "spec.containers[0].resources.requests",
                "Forbidden: resource requests cannot be removed",
            ),
        ),
    ],
)
def test_what_a_resize_is_refused(was: Any, wanted: Any, cause: tuple[str, str, str]) -> None:
    cluster = running(**was)
    body = {"spec": {"containers": [{"name": "a", "resources": wanted}]}}
    answer = cluster.strategic(body, "sizer", subresource="resize")
    assert answer.code == 422
    assert cause in answer.causes


def test_a_container_joins_a_pod_for_a_while() -> None:
    cluster = running()
    body = {"spec": {"ephemeralContainers": [{"name": "debug", "image": "i:1"}], "nodeName": "n"}}
    answer = cluster.strategic(body, "debugger", subresource="ephemeralcontainers")
    assert answer.code == 200, answer.body
    assert answer.body["spec"]["ephemeralContainers"][0]["name"] == "debug"
    assert "nodeName" not in answer.body["spec"]


def test_a_namespace_is_finalized_through_its_own_subresource() -> None:
    cluster = Cluster(GroupVersionKind("", "v1", "Namespace"), name="lab")
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "lab"}}, "creator")
    body = {**cluster.object, "spec": {}}
    answer = cluster.update(body, "controller", subresource="finalize")
    assert (answer.code, answer.body["spec"]) == (200, {})


@pytest.mark.parametrize("subresource", ["log", "exec", "eviction", "binding", "portforward"])
def test_what_needs_a_running_cluster_is_no_document(subresource: str) -> None:
    cluster = running()
    answer = cluster.ask("PATCH", {}, kind="application/merge-patch+json", manager="m", subresource=subresource)
    assert (answer.code, answer.reason) == (405, "MethodNotAllowed")
