"""What the server refuses of volumes, claims and classes of storage, and of what drives them.

Source: pkg/apis/{core,storage}/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.names import qualified_name_faults, subdomain_faults
from engine.schema.validation.rules import formed, items, label_selector, needs, one_of, struct, unchanged
from engine.schema.validation.volumes import source
from engine.value.equality import equal
from engine.value.model import Object, Value

_ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
_NOT_SOURCES = frozenset(
    (
        "accessModes",
        "capacity",
        "claimRef",
        "mountOptions",
        "nodeAffinity",
        "persistentVolumeReclaimPolicy",
        "storageClassName",
        "volumeAttributesClassName",
        "volumeMode",
    )
)
_CLAIM_FIXED = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def _modes(spec: Object, detail: str = "") -> Iterator[Cause]:
    modes = items(spec, "accessModes")
    if not modes:
        yield required("spec.accessModes", detail)
    for mode in modes:
        if mode not in _ACCESS_MODES:
            yield not_supported("spec.accessModes", mode, _ACCESS_MODES)
    if "ReadWriteOncePod" in modes and len(modes) > 1:
        yield forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes")


def _amount(text: Value) -> Any:
    """The amount that a text spells, none if it spells none."""
    try:
        return parse_quantity(str(text)).amount
    except MalformedQuantity:
        return 0


def persistent_volume(obj: Object) -> Iterator[Cause]:
    """A persistent volume."""
    spec = struct(obj, "spec")
    yield from _modes(spec)
    capacity = struct(spec, "capacity")
    if not capacity:
        yield required("spec.capacity")
    if "storage" not in capacity or len(capacity) > 1:
        yield not_supported("spec.capacity", capacity, ("storage",))
    for name, amount in capacity.items():
        if _amount(amount) <= 0:
            yield invalid(f"spec.capacity[{name}]", amount, "must be greater than zero")
    yield from one_of(spec, "persistentVolumeReclaimPolicy", ("Delete", "Recycle", "Retain"), "spec")
    given = [name for name in spec if name not in _NOT_SOURCES and isinstance(spec[name], dict)]
    if not given:
        yield required("spec", "must specify a volume type")
    for name in given[1:]:
        yield forbidden(f"spec.{name}", "may not specify more than 1 volume type")
    for name in given[:1]:
        yield from source(spec[name], name, f"spec.{name}")
    yield from formed(spec.get("storageClassName"), subdomain_faults, "spec.storageClassName")
    yield from one_of(spec, "volumeMode", ("Block", "Filesystem"), "spec")


def persistent_volume_update(new: Object, live: Object) -> Iterator[Cause]:
    """A persistent volume that replaces another: what it is made of stays."""
    yield from persistent_volume(new)
    yield from persistent_volume(new)  # the reference checks twice
    spec, old = struct(new, "spec"), struct(live, "spec")
    sources = [{k: v for k, v in each.items() if k not in _NOT_SOURCES} for each in (spec, old)]
    if not equal(sources[0], sources[1]):
        yield forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")
    yield from unchanged(spec, old, ("volumeMode",), "spec")


def persistent_volume_claim(obj: Object) -> Iterator[Cause]:
    """A persistent volume claim."""
    spec = struct(obj, "spec")
    yield from _modes(spec, "at least 1 access mode is required")
    if isinstance(spec.get("selector"), dict):
        yield from label_selector(spec["selector"], "spec.selector")
    requests = struct(struct(spec, "resources"), "requests")
    if "storage" not in requests:
        yield required("spec.resources[storage]")
    elif _amount(requests["storage"]) <= 0:
        yield invalid("spec.resources[storage]", requests["storage"], "must be greater than zero")
    yield from formed(spec.get("storageClassName"), subdomain_faults, "spec.storageClassName")
    yield from one_of(spec, "volumeMode", ("Block", "Filesystem"), "spec")


def persistent_volume_claim_update(new: Object, live: Object) -> Iterator[Cause]:
    """A claim that replaces another: only what a bound claim asks for may grow."""
    yield from persistent_volume_claim(new)
    spec, old = dict(struct(new, "spec")), struct(live, "spec")
    before = struct(struct(old, "resources"), "requests").get("storage")
    wanted = struct(struct(spec, "resources"), "requests").get("storage")
    if struct(live, "status").get("phase") == "Bound" and before is not None and wanted is not None:
        requests = {**struct(struct(spec, "resources"), "requests"), "storage": before}
        spec["resources"] = {**struct(spec, "resources"), "requests": requests}
    if not spec.get("volumeName") and "volumeName" in spec:
        spec.pop("volumeName")
    if not old.get("volumeName"):
        spec.pop("volumeName", None)
    if not equal(spec, old):
        yield forbidden("spec", _CLAIM_FIXED)
    granted = struct(struct(live, "status"), "capacity").get("storage")
    if _amount(wanted) < _amount(before) and _amount(wanted) <= _amount(granted):
        yield forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")


def storage_class(obj: Object) -> Iterator[Cause]:
    """A storage class."""
    provisioner = obj.get("provisioner")
    if not provisioner:
        yield required("provisioner")
    else:
        for fault in qualified_name_faults(str(provisioner).lower()):
            yield invalid("provisioner", provisioner, fault)
    yield from one_of(obj, "reclaimPolicy", ("Delete", "Retain"), "")
    modes = ("Immediate", "WaitForFirstConsumer")
    if not obj.get("volumeBindingMode"):
        yield required("volumeBindingMode")
    elif obj["volumeBindingMode"] not in modes:
        yield not_supported("volumeBindingMode", obj["volumeBindingMode"], modes)
    for key in struct(obj, "parameters"):
        if not key:
            yield invalid("parameters", key, "field must not be empty")


def storage_class_update(new: Object, live: Object) -> Iterator[Cause]:
    """A storage class that replaces another."""
    yield from storage_class(new)
    yield from unchanged(new, live, ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"), "")


def csi_driver(obj: Object) -> Iterator[Cause]:
    """A CSI driver."""
    spec = struct(obj, "spec")
    for name in ("attachRequired", "podInfoOnMount", "storageCapacity"):
        if spec.get(name) is None:
            yield required(f"spec.{name}")
    for mode in items(spec, "volumeLifecycleModes"):
        if mode not in ("Ephemeral", "Persistent"):
            yield not_supported("spec.volumeLifecycleModes", mode, ("Persistent", "Ephemeral"))
    yield from one_of(spec, "fsGroupPolicy", ("File", "None", "ReadWriteOnceWithFSType"), "spec")


def csi_driver_update(new: Object, live: Object) -> Iterator[Cause]:
    """A CSI driver that replaces another."""
    yield from csi_driver(new)
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("attachRequired", "volumeLifecycleModes"), "spec")


def csi_node(obj: Object) -> Iterator[Cause]:
    """A CSI node."""
    for index, each in enumerate(items(struct(obj, "spec"), "drivers")):
        yield from needs(each, ("name", "nodeID"), f"spec.drivers[{index}]")


def csi_storage_capacity(obj: Object) -> Iterator[Cause]:
    """A CSI storage capacity."""
    if not obj.get("storageClassName"):
        yield required("storageClassName")
    if isinstance(obj.get("nodeTopology"), dict):
        yield from label_selector(obj["nodeTopology"], "nodeTopology")


def csi_storage_capacity_update(new: Object, live: Object) -> Iterator[Cause]:
    """A CSI storage capacity that replaces another."""
    yield from csi_storage_capacity(new)
    yield from unchanged(new, live, ("nodeTopology", "storageClassName"), "")


def volume_attachment(obj: Object) -> Iterator[Cause]:
    """A volume attachment."""
    spec = struct(obj, "spec")
    yield from needs(spec, ("attacher", "nodeName"), "spec")
    claimed, inline = struct(spec, "source").get("persistentVolumeName"), struct(spec, "source").get("inlineVolumeSpec")
    if claimed is None and inline is None:
        yield required("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName")
    elif claimed == "":
        yield required("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName")


def volume_attachment_update(new: Object, live: Object) -> Iterator[Cause]:
    """A volume attachment that replaces another."""
    yield from volume_attachment(new)
    if not equal(struct(new, "spec"), struct(live, "spec")):
        yield invalid("spec", struct(new, "spec"), "field is immutable")


def volume_attributes_class(obj: Object) -> Iterator[Cause]:
    """A volume attributes class."""
    if not obj.get("driverName"):
        yield required("driverName")
    if not struct(obj, "parameters"):
        yield required("parameters", "must contain at least one key/value pair")


def volume_attributes_class_update(new: Object, live: Object) -> Iterator[Cause]:
    """A volume attributes class that replaces another."""
    yield from volume_attributes_class(new)
    yield from unchanged(new, live, ("driverName", "parameters"), "")
