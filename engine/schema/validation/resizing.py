"""What the server refuses of a pod's resize.

Source: ValidatePodResize in pkg/apis/core/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.meta.object_meta import annotations_of
from engine.schema.qos import quality_of_service
from engine.schema.validation.cause import Cause, forbidden, invalid
from engine.schema.validation.pods import pod
from engine.schema.validation.rules import items, struct
from engine.value.equality import equal
from engine.value.model import Object

_MIRROR = "kubernetes.io/config.mirror"
_RESIZABLE = ("cpu", "memory")


def pod_resize(new: Object, live: Object) -> Iterator[Cause]:
    """A pod whose containers ask for other amounts: of processor time and memory alone, and of the same class."""
    yield from pod(new)
    if _MIRROR in annotations_of(live):
        yield forbidden("", "static pods cannot be resized")
        return
    before, after = quality_of_service(live), quality_of_service(new)
    if before != after:
        yield invalid("spec", after, "Pod QOS Class may not change as a result of resizing")
    others_change = False
    for name in ("initContainers", "containers"):
        pairs = zip(items(struct(new, "spec"), name), items(struct(live, "spec"), name), strict=True)
        for index, (now, then) in enumerate(pairs):
            at = f"spec.{name}[{index}].resources"
            yield from _removed(struct(now, "resources"), struct(then, "resources"), at)
            others_change = others_change or not equal(_others(now), _others(then))
    if others_change:
        yield forbidden("spec", "only cpu and memory resources are mutable")


def _removed(now: Object, then: Object, path: str) -> Iterator[Cause]:
    for name in ("requests", "limits"):
        if any(key not in struct(now, name) for key in struct(then, name) if key in _RESIZABLE):
            yield forbidden(f"{path}.{name}", f"resource {name} cannot be removed")


def _others(container: Object) -> Object:
    """What a container has beside its processor time, its memory and how they are resized."""
    resources = struct(container, "resources")
    rest = {name: value for name, value in resources.items() if name not in ("requests", "limits")}
    for name in ("requests", "limits"):
        rest[name] = {key: value for key, value in struct(resources, name).items() if key not in _RESIZABLE}
    return {**{k: v for k, v in container.items() if k not in ("resources", "resizePolicy")}, "resources": rest}
