"""What the server refuses of configuration and of what a cluster is made of: maps, secrets, quotas, nodes, leases.

Source: pkg/apis/{core,coordination,node,scheduling}/validation of Kubernetes 1.36.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.schema.validation.cause import Cause, duplicate, forbidden, invalid, not_supported, required, too_long
from engine.schema.validation.names import config_key_faults, qualified_name_faults, subdomain_faults
from engine.schema.validation.pods import EFFECTS
from engine.schema.validation.rules import items, named, struct, unchanged
from engine.value.equality import equal
from engine.value.model import Object, Value

MAX_DATA_BYTES = 1 << 20
"""What all data of a ConfigMap or Secret may add up to."""

_FROZEN = "field is immutable when `immutable` is set"
_SECRET_KEYS = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}
_SCOPES = (
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass",
)


def config_map(obj: Object) -> Iterator[Cause]:
    """A config map."""
    data, binary = struct(obj, "data"), struct(obj, "binaryData")
    for name, values in (("data", data), ("binaryData", binary)):
        for key in values:
            for fault in config_key_faults(key):
                yield invalid(f"{name}[{key}]", key, fault)
    for key in data:
        if key in binary:
            yield invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
    yield from _size({**data, **binary}, "")


def _size(values: Object, path: str) -> Iterator[Cause]:
    if sum(len(str(value).encode("utf-8", "replace")) for value in values.values()) > MAX_DATA_BYTES:
        yield too_long(path, MAX_DATA_BYTES)


def config_map_update(new: Object, live: Object) -> Iterator[Cause]:
    """A config map that replaces another."""
    yield from config_map(new)
    if live.get("immutable"):
        if not new.get("immutable"):
            yield forbidden("immutable", _FROZEN)
        for name in ("data", "binaryData"):
            if not equal(new.get(name), live.get(name)):
                yield forbidden(name, _FROZEN)


def secret(obj: Object) -> Iterator[Cause]:
    """A secret."""
    data = struct(obj, "data")
    for key in data:
        for fault in config_key_faults(key):
            yield invalid(f"data[{key}]", key, fault)
    yield from _size(data, "data")
    for key in _SECRET_KEYS.get(str(obj.get("type")), ()):
        if key not in data:
            yield required(f"data[{key}]")
    if obj.get("type") == "kubernetes.io/basic-auth" and not {"username", "password"} & data.keys():
        yield required("data[username]")
        yield required("data[password]")
    account = struct(struct(obj, "metadata"), "annotations").get("kubernetes.io/service-account.name")
    if obj.get("type") == "kubernetes.io/service-account-token" and not account:
        yield required("metadata.annotations[kubernetes.io/service-account.name]")


def secret_update(new: Object, live: Object) -> Iterator[Cause]:
    """A secret that replaces another: its type stays."""
    yield from unchanged(new, live, ("type",), "")
    if live.get("immutable"):
        if not new.get("immutable"):
            yield forbidden("immutable", _FROZEN)
        if not equal(new.get("data"), live.get("data")):
            yield forbidden("data", _FROZEN)
    yield from secret(new)


def _amount(text: Value) -> Any:
    try:
        return parse_quantity(str(text)).amount
    except MalformedQuantity:
        return 0


_LIMITS = ("min", "default", "defaultRequest", "max")


def limit_range(obj: Object) -> Iterator[Cause]:
    """A limit range."""
    kinds: set[str] = set()
    for index, each in enumerate(items(struct(obj, "spec"), "limits")):
        at, kind = f"spec.limits[{index}]", each.get("type", "")
        for fault in qualified_name_faults(str(kind)):
            yield invalid(f"{at}.type", kind, fault)
        if kind in kinds:
            yield duplicate(f"{at}.type", kind)
        kinds.add(kind)
        if kind == "Pod":
            for name in ("default", "defaultRequest"):
                if struct(each, name):
                    yield forbidden(f"{at}.{name}", "may not be specified when `type` is 'Pod'")
        yield from _limit(each, at)


def _limit(value: Object, path: str) -> Iterator[Cause]:
    amounts = {name: struct(value, name) for name in _LIMITS}
    words = {"min": "min value", "default": "default value", "defaultRequest": "default request value"}
    limits = {"max": "max value", "default": "default limit value"}
    for resource in {r for each in amounts.values() for r in each}:
        for low, high in (
            ("min", "max"),
            ("min", "defaultRequest"),
            ("defaultRequest", "max"),
            ("defaultRequest", "default"),
            ("default", "max"),
        ):
            a, b = amounts[low].get(resource), amounts[high].get(resource)
            if a is not None and b is not None and _amount(a) > _amount(b):
                field = high if low == "min" and high == "defaultRequest" else low
                shown = a if field == low else b
                word = limits.get(high, words.get(high, high))
                yield invalid(f"{path}.{field}[{resource}]", shown, f"{words[low]} {a} is greater than {word} {b}")


def resource_quota(obj: Object) -> Iterator[Cause]:
    """A resource quota."""
    spec = struct(obj, "spec")
    for resource, amount in struct(spec, "hard").items():
        for fault in qualified_name_faults(resource):
            yield invalid(f"spec.hard[{resource}]", resource, fault)
        if _amount(amount) < 0:
            yield invalid(f"spec.hard[{resource}]", amount, "must be greater than or equal to 0")
    for scope in items(spec, "scopes"):
        if scope not in _SCOPES:
            yield invalid("spec.scopes", items(spec, "scopes"), "unsupported scope")


def resource_quota_update(new: Object, live: Object) -> Iterator[Cause]:
    """A resource quota that replaces another: its scopes stay."""
    yield from resource_quota(new)
    before, after = items(struct(live, "spec"), "scopes"), items(struct(new, "spec"), "scopes")
    if sorted(before) != sorted(after):
        yield invalid("spec.scopes", struct(new, "spec").get("scopes"), "field is immutable")


def node(obj: Object) -> Iterator[Cause]:
    """A node."""
    spec = struct(obj, "spec")
    yield from _taints(items(spec, "taints"))
    yield from _ranges(items(spec, "podCIDRs"))


def _taints(values: list[Any]) -> Iterator[Cause]:
    seen: list[tuple[Value, Value]] = []
    for index, each in enumerate(values):
        at, key, effect = f"metadata.taints[{index}]", each.get("key", ""), each.get("effect", "")
        for fault in qualified_name_faults(str(key)):
            yield invalid(f"{at}.key", key, fault)
        if not effect:
            yield required(f"{at}.effect")
        elif effect not in EFFECTS:
            yield not_supported(f"{at}.effect", effect, EFFECTS)
        if effect and (key, effect) in seen:
            value = {"Key": key, "Value": each.get("value", ""), "Effect": effect, "TimeAdded": each.get("timeAdded")}
            told = duplicate(at, value)
            yield Cause(told.reason, told.field, f"{told.message}: taints must be unique by key and effect pair")
        seen.append((key, effect))


def _ranges(values: list[Any]) -> Iterator[Cause]:
    for index, each in enumerate(values):
        try:
            ipaddress.ip_network(str(each), strict=False)
        except ValueError:
            yield invalid(
                f"spec.podCIDRs[{index}]", each, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
            )
    families = {":" in str(each) for each in values}
    if len(values) > 2 or (len(values) == 2 and len(families) < 2):
        yield invalid("spec.podCIDRs", values, "may specify no more than one CIDR for each IP family")


def node_update(new: Object, live: Object) -> Iterator[Cause]:
    """A node that replaces another: its address ranges are set once."""
    spec, old = struct(new, "spec"), struct(live, "spec")
    yield from node(new)
    yield from _taints(items(spec, "taints"))  # the reference checks these twice
    if items(old, "podCIDRs") and items(spec, "podCIDRs") != items(old, "podCIDRs"):
        yield forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid')
    if old.get("providerID") and spec.get("providerID") != old.get("providerID"):
        yield forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid')


def lease(obj: Object) -> Iterator[Cause]:
    """A lease."""
    spec = struct(obj, "spec")
    seconds, transitions = spec.get("leaseDurationSeconds"), spec.get("leaseTransitions")
    if isinstance(seconds, int) and seconds <= 0:
        yield invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")
    if isinstance(transitions, int) and transitions < 0:
        yield invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")


def priority_class(obj: Object) -> Iterator[Cause]:
    """A priority class."""
    name = str(struct(obj, "metadata").get("name", ""))
    value = obj.get("value", 0)
    if name.startswith("system-"):
        told = "priority class names with 'system-' prefix are reserved for system use only"
        yield forbidden("metadata.name", told)
    elif isinstance(value, int) and value > 1_000_000_000:
        told = "maximum allowed value of a user defined priority is 1000000000"
        yield forbidden("value", told)
    if obj.get("preemptionPolicy") not in (None, "Never", "PreemptLowerPriority"):
        yield not_supported("preemptionPolicy", obj["preemptionPolicy"], ("Never", "PreemptLowerPriority"))


def priority_class_update(new: Object, live: Object) -> Iterator[Cause]:
    """A priority class that replaces another."""
    if new.get("value", 0) != live.get("value", 0):
        yield forbidden("value", "may not be changed in an update.")
    yield from unchanged(new, live, ("preemptionPolicy",), "")


def runtime_class(obj: Object) -> Iterator[Cause]:
    """A runtime class."""
    yield from named(obj.get("handler"), subdomain_faults, "handler")


def runtime_class_update(new: Object, live: Object) -> Iterator[Cause]:
    """A runtime class that replaces another."""
    yield from runtime_class(new)
    yield from unchanged(new, live, ("handler",), "")


def controller_revision(obj: Object) -> Iterator[Cause]:
    """A controller revision."""
    if not isinstance(obj.get("data"), dict):
        yield required("data", "data is mandatory")
    if obj.get("revision", 0) < 0:
        yield invalid("revision", obj["revision"], "must be greater than or equal to 0")


def controller_revision_update(new: Object, live: Object) -> Iterator[Cause]:
    """A controller revision that replaces another."""
    yield from controller_revision(new)
    yield from unchanged(new, live, ("data",), "")
