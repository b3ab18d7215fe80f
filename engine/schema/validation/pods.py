"""What the server refuses of a pod, and of a template of one.

Source: pkg/apis/core/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.containers import containers
from engine.schema.validation.metadata import annotation_map
from engine.schema.validation.names import (
    label_faults,
    label_value_faults,
    qualified_name_faults,
    subdomain_faults,
)
from engine.schema.validation.rules import formed, items, label_selector, labels, non_negative, one_of, struct
from engine.schema.validation.volumes import volume_names, volumes
from engine.value.equality import equal
from engine.value.model import Object

RESTART_POLICIES = ("Always", "OnFailure", "Never")
_DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_OPERATOR_TEXT = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'

_POD_FIXED = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def template(value: Object, path: str) -> Iterator[Cause]:
    """A pod template."""
    metadata = struct(value, "metadata")
    yield from labels(struct(metadata, "labels"), f"{path}.metadata.labels")
    yield from annotation_map(struct(metadata, "annotations"), f"{path}.metadata.annotations")
    yield from pod_spec(struct(value, "spec"), f"{path}.spec")


def pod(obj: Object) -> Iterator[Cause]:
    """A new pod."""
    yield from pod_spec(struct(obj, "spec"), "spec")


def pod_spec(spec: Object, path: str) -> Iterator[Cause]:
    """What a pod is to be."""
    yield from volumes(items(spec, "volumes"), f"{path}.volumes")
    mountable = volume_names(items(spec, "volumes"))
    seen: set[str] = set()
    if not items(spec, "containers"):
        yield required(f"{path}.containers")
    yield from containers(items(spec, "containers"), mountable, f"{path}.containers", seen)
    yield from containers(items(spec, "initContainers"), mountable, f"{path}.initContainers", seen)
    yield from one_of(spec, "restartPolicy", RESTART_POLICIES, path, needed=True)
    yield from one_of(spec, "dnsPolicy", _DNS_POLICIES, path, needed=True)
    yield from labels(struct(spec, "nodeSelector"), f"{path}.nodeSelector")
    yield from _names(spec, path)
    yield from _seconds(spec, path)
    for index, each in enumerate(items(spec, "imagePullSecrets")):
        if not each.get("name"):
            yield required(f"{path}.imagePullSecrets[{index}].name")
    yield from tolerations(items(spec, "tolerations"), f"{path}.tolerations")
    for index, each in enumerate(items(spec, "topologySpreadConstraints")):
        yield from _spread(each, f"{path}.topologySpreadConstraints[{index}]")
    for index, each in enumerate(items(spec, "hostAliases")):
        if not each.get("ip"):
            yield required(f"{path}.hostAliases[{index}].ip")


def _names(spec: Object, path: str) -> Iterator[Cause]:
    yield from formed(spec.get("serviceAccountName"), subdomain_faults, f"{path}.serviceAccountName")
    yield from formed(spec.get("nodeName"), subdomain_faults, f"{path}.nodeName")
    yield from formed(spec.get("hostname"), label_faults, f"{path}.hostname")
    yield from formed(spec.get("subdomain"), label_faults, f"{path}.subdomain")
    yield from formed(spec.get("priorityClassName"), subdomain_faults, f"{path}.priorityClassName")
    yield from formed(spec.get("runtimeClassName"), subdomain_faults, f"{path}.runtimeClassName")


def _seconds(spec: Object, path: str) -> Iterator[Cause]:
    yield from non_negative(spec, ("terminationGracePeriodSeconds",), path)
    deadline = spec.get("activeDeadlineSeconds")
    if isinstance(deadline, int) and not 1 <= deadline <= 2**31 - 1:
        yield invalid(f"{path}.activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive")


def tolerations(values: list[Any], path: str) -> Iterator[Cause]:
    """What a pod puts up with."""
    for index, each in enumerate(values):
        yield from _toleration(each, f"{path}[{index}]")


def _toleration(value: Object, path: str) -> Iterator[Cause]:
    key, operator, effect = value.get("key"), value.get("operator", ""), value.get("effect", "")
    if key:
        for fault in qualified_name_faults(str(key)):
            yield invalid(f"{path}.key", key, fault)
    elif operator != "Exists":
        yield invalid(f"{path}.operator", operator, _OPERATOR_TEXT)
    if value.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield invalid(f"{path}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
    if operator in ("Equal", ""):
        for fault in label_value_faults(str(value.get("value", ""))):
            yield invalid(f"{path}.operator", value.get("value"), fault)
    elif operator == "Exists":
        if value.get("value"):
            yield invalid(f"{path}.operator", value, "value must be empty when `operator` is 'Exists'")
    else:
        yield not_supported(f"{path}.operator", operator, ("Equal", "Exists"))
    if effect and effect not in EFFECTS:
        yield not_supported(f"{path}.effect", effect, EFFECTS)


def _spread(value: Object, path: str) -> Iterator[Cause]:
    skew = value.get("maxSkew", 0)
    if isinstance(skew, int) and skew <= 0:
        yield invalid(f"{path}.maxSkew", skew, "must be greater than zero")
    if not value.get("topologyKey"):
        yield required(f"{path}.topologyKey", "can not be empty")
    choices = ("DoNotSchedule", "ScheduleAnyway")
    if value.get("whenUnsatisfiable") not in choices:
        yield not_supported(f"{path}.whenUnsatisfiable", value.get("whenUnsatisfiable", ""), choices)
    if isinstance(value.get("labelSelector"), dict):
        yield from label_selector(value["labelSelector"], f"{path}.labelSelector")


def pod_update(new: Object, live: Object) -> Iterator[Cause]:
    """A pod that replaces another: little of it may change."""
    spec, old = struct(new, "spec"), struct(live, "spec")
    yield from pod(new)
    for name in ("containers", "initContainers"):
        if len(items(spec, name)) != len(items(old, name)):
            yield forbidden(f"spec.{name}", "pod updates may not add or remove containers")
            return
        for index, each in enumerate(items(spec, name)):
            if not str(each.get("image") or "").strip():
                yield required(f"spec.{name}[{index}].image")
    kept = dict(spec)
    yield from _deadline(spec, old)
    if "activeDeadlineSeconds" in old:
        kept["activeDeadlineSeconds"] = old["activeDeadlineSeconds"]
    else:
        kept.pop("activeDeadlineSeconds", None)
    for name in ("containers", "initContainers"):
        if name in old:
            kept[name] = [
                {**a, "image": b.get("image")} for a, b in zip(items(spec, name), items(old, name), strict=True)
            ]
    yield from _only_more_tolerations(items(spec, "tolerations"), items(old, "tolerations"))
    kept.pop("tolerations", None)
    if "tolerations" in old:
        kept["tolerations"] = old["tolerations"]
    if not equal(kept, old):
        yield forbidden("spec", _POD_FIXED)


def _deadline(spec: Object, old: Object) -> Iterator[Cause]:
    new, before = spec.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds")
    path = "spec.activeDeadlineSeconds"
    if new is None and before is not None:
        yield invalid(path, new, "must not update from a positive integer to nil value")
    elif isinstance(new, int) and isinstance(before, int) and new > before:
        yield invalid(path, new, f"must be less than or equal to previous value {before}")


def _only_more_tolerations(new: list[Any], old: list[Any]) -> Iterator[Cause]:
    bare = [{k: v for k, v in each.items() if k != "tolerationSeconds"} for each in new]
    for each in old:
        plain = {k: v for k, v in each.items() if k != "tolerationSeconds"}
        if not any(equal(plain, other) for other in bare):
            yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
            return
    yield from tolerations(new, "spec.tolerations")
