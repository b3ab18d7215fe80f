"""What the server fills in for pods and for what makes pods, where it depends on other fields.

Each function gets a copy of its own and changes it.

Source: pkg/apis/{core,apps,batch,autoscaling}/v1 defaults of Kubernetes 1.36.
"""

from __future__ import annotations

import copy
from typing import Any

from engine.value.model import Object

_ROLLING = "RollingUpdate"
_VOLUME_SOURCES_APART = ("name",)


def container(value: Object) -> None:
    """A container's image is pulled always if its tag is latest, and otherwise if it is not there."""
    image = value.get("image")
    if "imagePullPolicy" not in value:
        value["imagePullPolicy"] = (
            "Always" if _tag(image if isinstance(image, str) else "") == "latest" else ("IfNotPresent")
        )


def _tag(image: str) -> str:
    """The tag of an image; `latest` if it names neither a tag nor a digest; empty if there is no image."""
    if not image:
        return ""
    if "@" in image:
        rest, _, _ = image.partition("@")
        name = rest.rpartition("/")[2]
        return name.partition(":")[2]
    name = image.rpartition("/")[2]
    return name.partition(":")[2] or "latest"


def probe_terminations(value: Object) -> None:
    """A gRPC probe without a service asks for the server as a whole."""
    grpc = value.get("grpc")
    if isinstance(grpc, dict) and "service" not in grpc:
        value["grpc"] = {**grpc, "service": ""}


def volume(value: Object) -> None:
    """A volume without a source is an empty directory."""
    if not any(name for name in value if name not in _VOLUME_SOURCES_APART):
        value["emptyDir"] = {}


def _with_host_ports(value: Object) -> Object:
    if not isinstance(value.get("ports"), list):
        return value
    ports = [{**port, "hostPort": port.get("hostPort") or port.get("containerPort", 0)} for port in value["ports"]]
    return {**value, "ports": ports}


def pod(value: Object) -> None:
    """A pod's containers ask for what they are limited to, if they do not say what they ask for.

    On the host's network a container's port is the host's, in a pod but not in a template.
    """
    spec = dict(value.get("spec") or {})
    spec.setdefault("enableServiceLinks", True)
    for name in ("containers", "initContainers"):
        if isinstance(spec.get(name), list):
            spec[name] = [_with_requests(each) for each in spec[name]]
            if spec.get("hostNetwork"):
                spec[name] = [_with_host_ports(each) for each in spec[name]]
    value["spec"] = spec


def _with_requests(value: Object) -> Object:
    resources = value.get("resources") or {}
    limits = resources.get("limits")
    if not limits:
        return value
    return {**value, "resources": {**resources, "requests": {**limits, **(resources.get("requests") or {})}}}


def deployment_strategy(value: Object) -> None:
    """A rolling update replaces a quarter at a time."""
    value.setdefault("type", _ROLLING)
    if value["type"] == _ROLLING:
        value["rollingUpdate"] = {"maxUnavailable": "25%", "maxSurge": "25%", **(value.get("rollingUpdate") or {})}


def daemon_set_strategy(value: Object) -> None:
    """A rolling update replaces one at a time."""
    value.setdefault("type", _ROLLING)
    if value["type"] == _ROLLING:
        value["rollingUpdate"] = {"maxUnavailable": 1, "maxSurge": 0, **(value.get("rollingUpdate") or {})}


def stateful_set_strategy(value: Object) -> None:
    """A rolling update begins with the last one and leaves none out."""
    value.setdefault("type", _ROLLING)
    if value["type"] == _ROLLING:
        value["rollingUpdate"] = {"partition": 0, **(value.get("rollingUpdate") or {})}


def stateful_set_spec(value: Object) -> None:
    """Claims made from a template are whole objects."""
    templates = value.get("volumeClaimTemplates")
    if isinstance(templates, list):
        value["volumeClaimTemplates"] = [
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                **t,
                "status": {**(t.get("status") or {}), "phase": (t.get("status") or {}).get("phase", "Pending")},
            }
            for t in templates
        ]


def replication_controller(value: Object) -> None:
    """Labels and selector are those of the pods."""
    spec = dict(value.get("spec") or {})
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
    if labels:
        if not spec.get("selector"):
            spec["selector"] = dict(labels)
        if not (value.get("metadata") or {}).get("labels"):
            value["metadata"] = {**(value.get("metadata") or {}), "labels": dict(labels)}
    value["spec"] = spec


def job(value: Object) -> None:
    """One pod, once; six tries. A cron job's template is not filled in, only the jobs that it makes are."""
    spec = dict(value.get("spec") or {})
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    spec.setdefault("parallelism", 1)
    if "backoffLimit" not in spec:
        spec["backoffLimit"] = 2**31 - 1 if "backoffLimitPerIndex" in spec else 6
    spec.setdefault("podReplacementPolicy", "Failed" if spec.get("podFailurePolicy") else "TerminatingOrFailed")
    for name, default in (("completionMode", "NonIndexed"), ("suspend", False), ("manualSelector", False)):
        spec.setdefault(name, default)
    value["spec"] = spec
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels")
    if labels and not (value.get("metadata") or {}).get("labels"):
        value["metadata"] = {**(value.get("metadata") or {}), "labels": dict(labels)}


def horizontal_pod_autoscaler(value: Object) -> None:
    """Four fifths of the requested processor time, if nothing else is measured."""
    spec = dict(value.get("spec") or {})
    if not spec.get("metrics"):
        target = {"type": "Utilization", "averageUtilization": 80}
        spec["metrics"] = [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]
    if isinstance(spec.get("behavior"), dict):
        spec["behavior"] = _behavior(spec["behavior"])
    value["spec"] = spec


_UP: Object = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
_DOWN: Object = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}


def _behavior(value: Object) -> Object:
    return {
        **value,
        "scaleUp": _rules(value.get("scaleUp"), _UP),
        "scaleDown": _rules(value.get("scaleDown"), _DOWN),
    }


def _rules(given: Any, defaults: Object) -> Object:
    rules: Object = {**copy.deepcopy(defaults), **(given or {})}
    if not rules["policies"]:
        rules["policies"] = copy.deepcopy(defaults["policies"])
    return rules
