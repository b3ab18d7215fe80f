"""What the server refuses of an object's metadata.

On an update the reference checks twice, once for all kinds and once for the kind, and tells twice.

Source: apimachinery's ObjectMeta validation, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.meta.object_meta import metadata_of
from engine.schema.catalog import KindInfo
from engine.schema.validation.cause import Cause, invalid, required, too_long
from engine.schema.validation.names import (
    label_1035_faults,
    label_faults,
    path_segment_faults,
    qualified_name_faults,
    subdomain_faults,
)
from engine.schema.validation.rules import items, labels, struct
from engine.value.model import Object

MAX_ANNOTATION_BYTES = 256 * 1024
"""What all annotations of an object may add up to, keys and values."""

_NAME_FAULTS: Mapping[str, Callable[[str], list[str]]] = {
    "ClusterRole": path_segment_faults,
    "ClusterRoleBinding": path_segment_faults,
    "Namespace": label_faults,
    "Role": path_segment_faults,
    "RoleBinding": path_segment_faults,
    "Service": label_1035_faults,
    "CSIDriver": subdomain_faults,
}
"""What a kind's names may look like, where it is not a subdomain."""

_STANDARD_FINALIZERS = frozenset(("kubernetes", "orphan", "foregroundDeletion"))
_MAX_SUBRESOURCE_BYTES = 256


def validate_metadata(obj: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with the metadata of a new object."""
    return (*_identity(metadata_of(obj), info), *_common(metadata_of(obj), info))


def validate_metadata_update(new: Object, live: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with the metadata of an object that replaces `live`."""
    metadata, old = metadata_of(new), metadata_of(live)
    causes = [
        invalid(f"metadata.{name}", metadata.get(name), "field is immutable")
        for name in ("name", "namespace", "uid")
        if metadata.get(name) != old.get(name)
    ]
    causes += _common(metadata, info)
    return tuple(causes) * 2


def _identity(metadata: Object, info: KindInfo) -> Iterator[Cause]:
    name = metadata.get("name")
    if not name:
        yield required("metadata.name", "name or generateName is required")
        return
    faults = _NAME_FAULTS.get(info.gvk.kind, subdomain_faults) if info.custom is None else subdomain_faults
    for fault in faults(str(name)):
        yield invalid("metadata.name", name, fault)


def _common(metadata: Object, info: KindInfo) -> Iterator[Cause]:
    yield from labels(struct(metadata, "labels"), "metadata.labels")
    yield from annotation_map(struct(metadata, "annotations"), "metadata.annotations")
    for index, reference in enumerate(items(metadata, "ownerReferences")):
        yield from _owner(reference, f"metadata.ownerReferences[{index}]")
    yield from _single_controller(items(metadata, "ownerReferences"))
    yield from _finalizers(items(metadata, "finalizers"), info)
    for index, entry in enumerate(items(metadata, "managedFields")):
        yield from _entry(entry, f"metadata.managedFields[{index}]")


def annotation_map(values: Mapping[str, Any], path: str) -> Iterator[Cause]:
    """Annotation keys, and the size of all."""
    for key in values:
        for fault in qualified_name_faults(key.lower()):
            yield invalid(path, key, fault)
    size = sum(len(k.encode("utf-8", "replace")) + len(str(v).encode("utf-8", "replace")) for k, v in values.items())
    if size > MAX_ANNOTATION_BYTES:
        yield too_long(path, MAX_ANNOTATION_BYTES)


def _owner(reference: Object, path: str) -> Iterator[Cause]:
    for name, detail in (
        ("apiVersion", "version must not be empty"),
        ("kind", "must not be empty"),
        ("name", "must not be empty"),
        ("uid", "must not be empty"),
    ):
        if not reference.get(name):
            yield invalid(f"{path}.{name}", reference.get(name, ""), detail)


def _single_controller(references: list[Any]) -> Iterator[Cause]:
    controllers = [each for each in references if each.get("controller")]
    if len(controllers) > 1:
        names = [f"{each.get('kind')}/{each.get('name')}" for each in controllers]
        told = f'Only one reference can have Controller set to true. Found "true" in references for {names[0]} and '
        yield invalid("metadata.ownerReferences", references, told + names[1])


def _finalizers(finalizers: list[Any], info: KindInfo) -> Iterator[Cause]:
    for given in finalizers:
        name = "" if given is None else str(given)  # a list of texts reads null as an empty one
        faults = qualified_name_faults(name)
        for fault in faults:
            yield invalid("metadata.finalizers", name, fault)
        if not faults and info.custom is None and "/" not in name and name not in _STANDARD_FINALIZERS:
            yield invalid(
                "metadata.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified"
            )
    if {"orphan", "foregroundDeletion"} <= set(map(str, finalizers)):
        yield invalid(
            "metadata.finalizers",
            finalizers,
            "finalizer orphan and foregroundDeletion cannot be both set",
        )


def _entry(entry: Object, path: str) -> Iterator[Cause]:
    operation, fields_type = entry.get("operation", ""), entry.get("fieldsType", "")
    if operation not in ("Apply", "Update"):
        yield invalid(f"{path}.operation", operation, "must be `Apply` or `Update`")
    if fields_type not in ("", "FieldsV1"):
        yield invalid(f"{path}.fieldsType", fields_type, "must be `FieldsV1`")
    if len(str(entry.get("subresource", "")).encode("utf-8", "replace")) > _MAX_SUBRESOURCE_BYTES:
        yield too_long(f"{path}.subresource", _MAX_SUBRESOURCE_BYTES)
