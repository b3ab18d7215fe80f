"""What the server refuses of device classes, claims and slices.

Source: pkg/apis/resource/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, duplicate, invalid, required, too_many
from engine.schema.validation.names import label_faults, subdomain_faults
from engine.schema.validation.rules import items, named, non_negative, struct, unchanged
from engine.value.equality import equal
from engine.value.model import Object, Value


def device_class(obj: Object) -> Iterator[Cause]:
    """A device class."""
    for index, each in enumerate(items(struct(obj, "spec"), "selectors")):
        if not isinstance(each.get("cel"), dict):
            yield required(f"spec.selectors[{index}].cel")


def resource_claim(obj: Object) -> Iterator[Cause]:
    """A claim of devices."""
    yield from _claim(struct(obj, "spec"), "spec")


def resource_claim_template(obj: Object) -> Iterator[Cause]:
    """A template of claims of devices."""
    yield from _claim(struct(struct(obj, "spec"), "spec"), "spec.spec")


def _claim(spec: Object, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, each in enumerate(items(struct(spec, "devices"), "requests")):
        at, name = f"{path}.devices.requests[{index}]", each.get("name", "")
        yield from named(name, subdomain_faults, f"{at}.name")
        if name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        if not isinstance(each.get("exactly"), dict) and not items(each, "firstAvailable"):
            yield required(at, "exactly one of `exactly` or `firstAvailable` is required")
        elif isinstance(each.get("exactly"), dict) and not each["exactly"].get("deviceClassName"):
            yield required(f"{at}.exactly.deviceClassName")


def claim_kept(new: Object, live: Object) -> Iterator[Cause]:
    """A claim that replaces another: its spec stays."""
    if not equal(struct(new, "spec"), struct(live, "spec")):
        yield invalid("spec", struct(new, "spec"), "field is immutable")


_PLACES = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")
"""The ways to say where a slice's devices are."""
_MAX_DEVICES = 128


def resource_slice(obj: Object) -> Iterator[Cause]:
    """A slice of the devices of a driver."""
    spec = struct(obj, "spec")
    yield from named(spec.get("driver"), subdomain_faults, "spec.driver")
    pool = struct(spec, "pool")
    yield from named(pool.get("name"), pool_name_faults, "spec.pool.name")
    if not _positive(pool.get("resourceSliceCount")):
        yield invalid("spec.pool.resourceSliceCount", pool.get("resourceSliceCount", 0), "must be greater than zero")
    yield from non_negative(pool, ("generation",), "spec.pool")
    if sum(1 for name in _PLACES if spec.get(name)) != 1:
        told = ", ".join(f"`{name}`" for name in _PLACES)
        yield required("spec", f"exactly one of {told} is required")
    yield from _devices(items(spec, "devices"))


def _positive(value: Value) -> bool:
    return isinstance(value, int) and value > 0


def pool_name_faults(name: str) -> list[str]:
    """Return what is wrong with a pool's name: subdomains with slashes between."""
    return [fault for part in name.split("/") for fault in subdomain_faults(part)]


def _devices(values: list[Any]) -> Iterator[Cause]:
    if len(values) > _MAX_DEVICES:
        yield too_many("spec.devices", len(values), _MAX_DEVICES)
    seen: set[str] = set()
    for index, each in enumerate(values):
        at, name = f"spec.devices[{index}].name", str(each.get("name", ""))
        yield from named(name, label_faults, at)
        if name in seen:
            yield duplicate(at, name)
        seen.add(name)


def resource_slice_update(new: Object, live: Object) -> Iterator[Cause]:
    """A slice that replaces another: driver, pool and node stay."""
    yield from resource_slice(new)
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("driver",), "spec")
    yield from unchanged(
        struct(struct(new, "spec"), "pool"), struct(struct(live, "spec"), "pool"), ("name",), "spec.pool"
    )
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("nodeName",), "spec")
