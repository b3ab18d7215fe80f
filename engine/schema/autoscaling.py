"""HorizontalPodAutoscaler in autoscaling/v1 and in autoscaling/v2.

Version 1 has one metric, the share of the requested processor time. All else that version 2 says stands in annotations
of the version 1 object, as JSON in version 1's own spelling, and goes back to its fields from there.

Source: pkg/apis/autoscaling/v1 conversion of Kubernetes 1.36.
"""

from __future__ import annotations

import json
from typing import Any

from engine.meta.object_meta import annotations_of, metadata_of
from engine.value.model import Object, Value

_PREFIX = "autoscaling.alpha.kubernetes.io/"
_METRICS, _BEHAVIOR = _PREFIX + "metrics", _PREFIX + "behavior"
_CONDITIONS, _CURRENT = _PREFIX + "conditions", _PREFIX + "current-metrics"
_ANNOTATIONS = (_METRICS, _BEHAVIOR, _CONDITIONS, _CURRENT)
_DEFAULT_SHARE = 80


def autoscaler_v1_to_v2(obj: Object) -> Object:
    """Return an autoscaling/v1 object as one of autoscaling/v2; without any metric it gets the default one."""
    notes = annotations_of(obj)
    spec, status = dict(obj.get("spec") or {}), dict(obj.get("status") or {})
    share = spec.pop("targetCPUUtilizationPercentage", None)
    metrics = [_metric_to_v2(each) for each in _read(notes.get(_METRICS), list)]
    if share is not None:
        metrics.insert(0, _cpu(share))
    if not metrics:
        metrics = [_cpu(_DEFAULT_SHARE)]
    spec["metrics"] = metrics
    behavior = _read(notes.get(_BEHAVIOR), dict)
    if behavior:
        spec["behavior"] = behavior
    current = status.pop("currentCPUUtilizationPercentage", None)
    found = [_current_to_v2(each) for each in _read(notes.get(_CURRENT), list)]
    if current is not None:
        found.insert(0, {"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": current}}})
    status["currentMetrics"] = found or None
    conditions = _read(notes.get(_CONDITIONS), list)
    if conditions:
        status["conditions"] = conditions
    return {**_without_notes(obj), "spec": spec, "status": status}


def autoscaler_v2_to_v1(obj: Object) -> Object:
    """Return an autoscaling/v2 object as one of autoscaling/v1."""
    spec, status = dict(obj.get("spec") or {}), dict(obj.get("status") or {})
    share, others = _split(spec.pop("metrics", None) or [], "target")
    notes: dict[str, str] = {}
    if share is not None:
        spec["targetCPUUtilizationPercentage"] = share
    if others:
        notes[_METRICS] = _write([_metric_to_v1(each) for each in others])
    behavior = spec.pop("behavior", None)
    if behavior:
        notes[_BEHAVIOR] = _write(behavior)
    current, found = _split(status.pop("currentMetrics", None) or [], "current")
    if current is not None:
        status["currentCPUUtilizationPercentage"] = current
    if found:
        notes[_CURRENT] = _write([_current_to_v1(each) for each in found])
    conditions = status.pop("conditions", None)
    if conditions:
        notes[_CONDITIONS] = _write(conditions)
    status.setdefault("currentReplicas", 0)
    return {**_with_notes(_without_notes(obj), notes), "spec": spec, "status": status}


def _cpu(share: Value) -> Object:
    target = {"type": "Utilization", "averageUtilization": share}
    return {"type": "Resource", "resource": {"name": "cpu", "target": target}}


def _split(metrics: list[Any], field: str) -> tuple[Value, list[Any]]:
    """The share of the processor's time, if one of the metrics is that, and the others."""
    share: Value = None
    others = []
    for each in metrics:
        resource = each.get("resource") or {}
        found = (resource.get(field) or {}).get("averageUtilization")
        if share is None and each.get("type") == "Resource" and resource.get("name") == "cpu" and found is not None:
            share = found
        else:
            others.append(each)
    return share, others


_TO_V1 = {
    "averageUtilization": "targetAverageUtilization",
    "averageValue": "targetAverageValue",
    "value": "targetValue",
}
_CURRENT_TO_V1 = {
    "averageUtilization": "currentAverageUtilization",
    "averageValue": "currentAverageValue",
    "value": "currentValue",
}


def _flat(metric: Object, field: str, names: dict[str, str]) -> Object:
    """A metric with its amounts beside its name, as version 1 spells them."""
    out: Object = {"type": metric.get("type", "")}
    for source, content in metric.items():
        if not isinstance(content, dict):
            continue
        flat = {k: v for k, v in content.items() if k not in (field, "metric", "describedObject")}
        for name, value in (content.get(field) or {}).items():
            if name in names:
                flat[names[name]] = value
        named = content.get("metric") or {}
        if "name" in named:
            flat["metricName"] = named["name"]
        if "selector" in named:
            flat["metricSelector" if source == "external" else "selector"] = named["selector"]
        if "describedObject" in content:
            flat["target"] = content["describedObject"]
        out[source] = flat
    return out


def _metric_to_v1(metric: Object) -> Object:
    return _flat(metric, "target", _TO_V1)


def _current_to_v1(metric: Object) -> Object:
    return _flat(metric, "current", _CURRENT_TO_V1)


def _deep(metric: Object, field: str, names: dict[str, str]) -> Object:
    """A metric with its amounts in a struct of their own, as version 2 spells them."""
    out: Object = {"type": metric.get("type", "")}
    back = {flat: name for name, flat in names.items()}
    kinds = {"averageUtilization": "Utilization", "averageValue": "AverageValue", "value": "Value"}
    for source, content in metric.items():
        if not isinstance(content, dict):
            continue
        moved = (*back, "metricName", "metricSelector", "selector", "target")
        deep = {k: v for k, v in content.items() if k not in moved}
        amounts: Object = {back[k]: v for k, v in content.items() if k in back}
        if field == "target" and amounts:
            amounts = {"type": kinds[next(iter(amounts))], **amounts}
        deep[field] = amounts
        if "metricName" in content:
            deep["metric"] = {"name": content["metricName"]}
            selector = content.get("metricSelector", content.get("selector"))
            if selector is not None:
                deep["metric"]["selector"] = selector
        if "target" in content:
            deep["describedObject"] = content["target"]
        out[source] = deep
    return out


def _metric_to_v2(metric: Object) -> Object:
    return _deep(metric, "target", _TO_V1)


def _current_to_v2(metric: Object) -> Object:
    return _deep(metric, "current", _CURRENT_TO_V1)


def _read(text: Value, kind: type) -> Any:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, kind) else kind()


def _write(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _without_notes(obj: Object) -> Object:
    notes = annotations_of(obj)
    if not any(name in notes for name in _ANNOTATIONS):
        return obj
    return _with_annotations(obj, {k: v for k, v in notes.items() if k not in _ANNOTATIONS})


def _with_notes(obj: Object, notes: dict[str, str]) -> Object:
    return _with_annotations(obj, {**annotations_of(obj), **notes}) if notes else obj


def _with_annotations(obj: Object, annotations: Object) -> Object:
    metadata = {k: v for k, v in metadata_of(obj).items() if k != "annotations"}
    return {**obj, "metadata": {**metadata, "annotations": annotations} if annotations else metadata}
