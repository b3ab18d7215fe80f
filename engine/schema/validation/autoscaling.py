"""What the server refuses of horizontal pod autoscalers.

Source: pkg/apis/autoscaling/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.names import path_segment_faults
from engine.schema.validation.rules import items, one_of, struct
from engine.value.model import Object

_METRICS = ("ContainerResource", "External", "Object", "Pods", "Resource")
_METRIC_FIELDS = {
    "containerResource": "ContainerResource",
    "external": "External",
    "object": "Object",
    "pods": "Pods",
    "resource": "Resource",
}


def horizontal_pod_autoscaler(obj: Object) -> Iterator[Cause]:
    """A horizontal pod autoscaler, of either version."""
    spec = struct(obj, "spec")
    least, most = spec.get("minReplicas"), spec.get("maxReplicas", 0)
    if isinstance(least, int) and least < 1:
        yield invalid("spec.minReplicas", least, "must be greater than or equal to 1")
    if most < 1:
        yield required("spec.maxReplicas", "must be set and greater than 0")
    if isinstance(least, int) and most < least:
        yield invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")
    yield from _scale_target(struct(spec, "scaleTargetRef"), "spec.scaleTargetRef")
    for index, each in enumerate(items(spec, "metrics")):
        yield from _metric(each, f"spec.metrics[{index}]")
    for name in ("scaleUp", "scaleDown"):
        rules = struct(spec, "behavior").get(name)
        if isinstance(rules, dict):
            yield from _scaling_rules(rules, f"spec.behavior.{name}")


_LONGEST_WINDOW = 3600
_LONGEST_PERIOD = 1800


def _scaling_rules(value: Object, path: str) -> Iterator[Cause]:
    window = value.get("stabilizationWindowSeconds")
    if isinstance(window, int):
        yield from _seconds(window, 0, _LONGEST_WINDOW, f"{path}.stabilizationWindowSeconds")
    yield from one_of(value, "selectPolicy", ("Disabled", "Max", "Min"), path)
    if not items(value, "policies"):
        yield required(f"{path}.policies", "must specify at least one Policy")
    for index, each in enumerate(items(value, "policies")):
        at = f"{path}.policies[{index}]"
        if each.get("type") not in ("Percent", "Pods"):
            yield not_supported(f"{at}.type", each.get("type", ""), ("Percent", "Pods"))
        if each.get("value", 0) <= 0:
            yield invalid(f"{at}.value", each.get("value", 0), "must be greater than zero")
        yield from _seconds(each.get("periodSeconds", 0), 1, _LONGEST_PERIOD, f"{at}.periodSeconds")


def _seconds(value: int, least: int, most: int, path: str) -> Iterator[Cause]:
    if value < least:
        yield invalid(path, value, f"must be greater than {'or equal to ' if not least else ''}zero")
    if value > most:
        yield invalid(path, value, f"must be less than or equal to {most}")


def _scale_target(value: Object, path: str) -> Iterator[Cause]:
    version = value.get("apiVersion", "")
    if version and "/" not in version and version != "v1":
        yield invalid(f"{path}.apiVersion", version, "apiVersion must specify API group")
    for name in ("kind", "name"):
        if not value.get(name):
            yield required(f"{path}.{name}")
        else:
            for fault in path_segment_faults(str(value[name])):
                yield invalid(f"{path}.{name}", value[name], fault)
    if not version and value.get("kind") != "ReplicationController":
        yield invalid(f"{path}.apiVersion", version, "apiVersion must specify API group")


def _metric(value: Object, path: str) -> Iterator[Cause]:
    kind = value.get("type", "")
    if not kind:
        yield required(f"{path}.type", "must specify a metric source type")
    if kind not in _METRICS:
        yield not_supported(f"{path}.type", kind, _METRICS)
        yield not_supported(f"{path}.type", kind, _METRICS)  # the reference checks twice
    given = [name for name in _METRIC_FIELDS if isinstance(value.get(name), dict)]
    for name in given[1:]:
        yield forbidden(f"{path}.{name}", "may not specify more than one metric source type")
    expected = next((name for name, each in _METRIC_FIELDS.items() if each == kind), None)
    if expected is not None and expected not in given:
        yield required(f"{path}.{expected}", "must populate information for the given metric source")
    for name in given[:1]:
        yield from _metric_source(value[name], name, f"{path}.{name}")


def _metric_source(value: Object, name: str, path: str) -> Iterator[Cause]:
    if name in ("resource", "containerResource") and not value.get("name"):
        yield required(f"{path}.name", "must specify a resource name")
    if name == "containerResource" and not value.get("container"):
        yield required(f"{path}.container", "must specify a container")
    if name in ("pods", "external", "object") and not struct(value, "metric").get("name"):
        yield required(f"{path}.metric.name", "must specify a metric name")
    yield from _metric_target(struct(value, "target"), f"{path}.target")


def _metric_target(value: Object, path: str) -> Iterator[Cause]:
    if not value.get("type"):
        yield required(f"{path}.type", "must specify a metric target type")
    elif value["type"] not in ("Utilization", "Value", "AverageValue"):
        yield invalid(f"{path}.type", value["type"], "must be either Utilization, Value, or AverageValue")
    share = value.get("averageUtilization")
    if isinstance(share, int) and share < 1:
        yield invalid(f"{path}.averageUtilization", share, "must be greater than 0")
