"""What the server warns of without refusing it.

Source: pkg/api/pod/warnings.go and the registry strategies, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.meta.gvk import GroupVersionKind
from engine.meta.object_meta import metadata_of
from engine.value.equality import equal
from engine.value.model import Object, Value

_DEPRECATED: Mapping[GroupVersionKind, str] = {
    GroupVersionKind("", "v1", "ComponentStatus"): "v1 ComponentStatus is deprecated in v1.19+",
    GroupVersionKind("", "v1", "Endpoints"): (
        "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"
    ),
}

_POD_SPECS: Mapping[str, tuple[str, ...]] = {
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "Deployment": ("spec", "template", "spec"),
    "Job": ("spec", "template", "spec"),
    "Pod": ("spec",),
    "PodTemplate": ("template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "ReplicationController": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
}
"""Where a kind says what its pods are."""


def deprecation(gvk: GroupVersionKind) -> tuple[str, ...]:
    """Return what any request to a kind is warned of."""
    text = _DEPRECATED.get(gvk)
    return (text,) if text else ()


def written(new: Object, live: Object | None, gvk: GroupVersionKind) -> tuple[str, ...]:
    """Return what the writer of `new` is warned of; a write that does not count as a change warns of nothing."""
    steps = _POD_SPECS.get(gvk.kind)
    if steps is None or gvk.group not in ("", "apps", "batch"):
        return ()
    if live is not None and equal(new.get(steps[0]), live.get(steps[0])) and _generation(new) == _generation(live):
        return ()
    spec: Any = new
    for step in steps:
        spec = spec.get(step) if isinstance(spec, dict) else None
    return tuple(_pod(spec, ".".join(steps))) if isinstance(spec, dict) else ()


def _generation(obj: Object) -> Value:
    return metadata_of(obj).get("generation")


def _pod(spec: Object, path: str) -> Iterator[str]:
    for name in ("initContainers", "containers"):
        for index, each in enumerate(spec.get(name) or ()):
            yield from _container(each, f"{path}.{name}[{index}]")


def _container(value: Object, path: str) -> Iterator[str]:
    ports: dict[tuple[Any, Any], int] = {}
    for index, each in enumerate(value.get("ports") or ()):
        key = (each.get("containerPort"), each.get("protocol"))
        if key in ports:
            yield f"{path}.ports[{index}]: duplicate port definition with {path}.ports[{ports[key]}]"
        ports.setdefault(key, index)
    names: set[str] = set()
    for index, each in enumerate(value.get("env") or ()):
        name = each.get("name")
        if name in names:
            told = f'hides previous definition of "{name}", which may be dropped when using apply'
            yield f"{path}.env[{index}]: {told}"
        names.add(name)
