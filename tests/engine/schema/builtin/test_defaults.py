"""What the server fills in, of every built-in kind: defaults.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.meta.gvk import gvk_of
from tests.support.cluster import Cluster

CASES = yaml.safe_load(Path(__file__).with_name("defaults.yaml").read_text("utf-8"))
VOLATILE = ("creationTimestamp", "managedFields", "namespace", "resourceVersion", "uid")
GONE = "(gone)"

CONTAINER = {"name": "a", "image": "i"}
POD_SPEC = {
    "initContainers": [{**CONTAINER, "name": "b", "livenessProbe": {"httpGet": {"port": 1}}}],
    "containers": [{**CONTAINER, "ports": [{"containerPort": 1}], "env": [{"name": "E"}]}],
    "volumes": [{"name": "v", "secret": {"secretName": "s"}}],
}


def differences(given: Any, stored: Any, path: str = "") -> dict[str, Any]:
    """Return the places where two values differ, and what is stored there."""
    if isinstance(given, dict) and isinstance(stored, dict):
        out = {f"{path}.{name}": GONE for name in given if name not in stored}
        for name, value in stored.items():
            at = f"{path}.{name}"
            out |= differences(given[name], value, at) if name in given else {at: value}
        return out
    if isinstance(given, list) and isinstance(stored, list) and len(given) == len(stored):
        pairs = enumerate(zip(given, stored, strict=True))
        return {at: told for i, (a, b) in pairs for at, told in differences(a, b, f"{path}[{i}]").items()}
    return {} if given == stored else {path: stored}


def cluster_for(given: dict[str, Any]) -> Cluster:
    """Return a cluster without objects that is asked about the given one."""
    return Cluster(gvk_of(given), name=given["metadata"]["name"])


def created(given: dict[str, Any]) -> dict[str, Any]:
    """Return an object as it is stored."""
    answer = cluster_for(given).create(given, "test")
    assert answer.code == 201, answer.body
    return without_volatile(answer.body)


def without_volatile(obj: dict[str, Any]) -> dict[str, Any]:
    """Return an object without what differs from run to run."""
    return {**obj, "metadata": {name: value for name, value in obj["metadata"].items() if name not in VOLATILE}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["phrase"])
def test_what_is_filled_in(case: dict[str, Any]) -> None:
    assert differences(case["given"], created(case["given"])) == case["stored"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["phrase"])
def test_what_is_stored_is_filled_in_no_further(case: dict[str, Any]) -> None:
    cluster = cluster_for(case["given"])
    cluster.create(case["given"], "test")
    before = without_volatile(cluster.object)
    after = without_volatile(cluster.update(cluster.object, "test").body)
    assert differences(before, after) == case.get("rewritten", {})


def pod_spec_of(kind: str, group: str, *path: str) -> dict[str, Any]:
    """Return the pod spec of a workload, as it is stored."""
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {**POD_SPEC, "restartPolicy": policy_of(kind)}}
    spec: dict[str, Any] = {"template": template}
    if group == "apps":
        spec["selector"] = {"matchLabels": {"a": "b"}}
    if kind == "CronJob":
        spec = {"schedule": "* * * * *", "jobTemplate": {"spec": spec}}
    version = f"{group}/v1" if group else "v1"
    found: Any = created({"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec})
    for step in path:
        found = found[step]
    return dict(found)


def policy_of(kind: str) -> str:
    """Return a restart policy that a kind allows."""
    return "Never" if kind in ("Job", "CronJob") else "Always"


@pytest.mark.parametrize(
    ("kind", "group", "path"),
    [
        ("DaemonSet", "apps", ("spec", "template", "spec")),
        ("Deployment", "apps", ("spec", "template", "spec")),
        ("ReplicaSet", "apps", ("spec", "template", "spec")),
        ("StatefulSet", "apps", ("spec", "template", "spec")),
        ("ReplicationController", "", ("spec", "template", "spec")),
        ("Job", "batch", ("spec", "template", "spec")),
        ("CronJob", "batch", ("spec", "jobTemplate", "spec", "template", "spec")),
    ],
)
def test_pods_get_the_same_wherever_they_are_nested(kind: str, group: str, path: tuple[str, ...]) -> None:
    spec = {**POD_SPEC, "restartPolicy": policy_of(kind)}
    pod = created({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec})
    of_pods_alone = {"enableServiceLinks": True}
    assert {**pod_spec_of(kind, group, *path), **of_pods_alone} == pod["spec"]
