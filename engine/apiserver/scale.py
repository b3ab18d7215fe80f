"""/scale: an object's replicas, and who owns them, as an object of its own.

Ownership is translated both ways. On the way in, whoever owns the replicas of the object owns those of its Scale. On
the way back, whoever lost them there loses them in the object, and whoever is new gets an entry for the subresource,
which has no time: the server looks it up among those of the object, where it is not yet.

Source: the scale handlers of the registry and of apiextensions, and managedfields' ScaleHandler, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.apiserver.failures import Invalid
from engine.fieldpath.element import Path, field_element
from engine.fieldpath.field_set import FieldSet, field_set
from engine.fieldpath.managed import VersionedSet
from engine.managedfields.entries import Managed, decode_entries, encode_entries, entries_of
from engine.meta.gvk import GroupVersionKind
from engine.meta.manager import ManagerIdentifier
from engine.meta.object_meta import metadata_of, text_of
from engine.schema.catalog import KindInfo, definition
from engine.schema.validation.cause import invalid
from engine.value.model import Object, Value

SCALE = GroupVersionKind("autoscaling", "v1", "Scale")

_IN_SCALE: Path = ("f:spec", "f:replicas")
_SHOWN = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


def scale_kind(of: KindInfo) -> KindInfo:
    """Return the kind of the Scale of another kind's objects: its resource is theirs, as messages name it."""
    return KindInfo(
        gvk=SCALE,
        resource=of.resource,
        singular=of.singular,
        namespaced=of.namespaced,
        type=definition("io.k8s.api.autoscaling.v1.Scale"),
    )


def replicas_path(info: KindInfo) -> tuple[str, ...]:
    """Return where an object of the kind says how many it wants, as member names."""
    scale = info.custom.scale if info.custom is not None else None
    return _names(scale.get("specReplicasPath", "") if scale else "") or ("spec", "replicas")


def _names(path: Any) -> tuple[str, ...]:
    return tuple(name for name in str(path).split(".") if name)


def scale_of(obj: Object, info: KindInfo) -> Object:
    """Return the Scale of an object, its managedFields left out."""
    scale = info.custom.scale if info.custom is not None else None
    wanted = _at(obj, replicas_path(info))
    have = _at(obj, _names(scale.get("statusReplicasPath", "")) if scale else ("status", "replicas"))
    selector = _selector(obj, scale)
    status: Object = {"replicas": have if isinstance(have, int) else 0}
    if selector:
        status["selector"] = selector
    metadata = metadata_of(obj)
    return {
        "kind": SCALE.kind,
        "apiVersion": SCALE.api_version,
        "metadata": {name: metadata[name] for name in _SHOWN if name in metadata},
        "spec": {"replicas": wanted} if wanted else {},
        "status": status,
    }


def _at(value: Value, path: tuple[str, ...]) -> Value:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _selector(obj: Object, scale: Object | None) -> str:
    if scale is not None:
        found = _at(obj, _names(scale.get("labelSelectorPath", "")))
        return found if isinstance(found, str) else ""
    selector = _at(obj, ("spec", "selector"))
    if not isinstance(selector, dict):
        return ""
    if "matchLabels" not in selector and "matchExpressions" not in selector:
        return _equalities(selector)
    parts = [_equalities(selector.get("matchLabels") or {}), *map(_expression, selector.get("matchExpressions") or ())]
    return ",".join(part for part in parts if part)


def _equalities(labels: Any) -> str:
    """Return labels as a selector; what is no map, which only a hand-made live object has, selects nothing."""
    return ",".join(f"{name}={labels[name]}" for name in sorted(labels)) if isinstance(labels, dict) else ""


def _expression(expression: Mapping[str, Any]) -> str:
    key, operator = expression.get("key", ""), expression.get("operator")
    values = ",".join(sorted(expression.get("values") or ()))
    if operator in ("In", "NotIn"):
        return f"{key} {operator.lower()} ({values})"
    return f"!{key}" if operator == "DoesNotExist" else str(key)


def to_scale(obj: Object, paths: Mapping[str, tuple[str, ...]]) -> list[Object]:
    """Return the managedFields of an object's Scale. paths tells, per API version of the object, where replicas are."""
    managed = decode_entries(entries_of(obj))
    fields: dict[ManagerIdentifier, VersionedSet] = {}
    for manager, owned in managed.fields.items():
        path = _field_path(paths, owned.api_version)
        if path is not None and path in owned.fields:
            fields[manager] = VersionedSet(field_set((_IN_SCALE,)), SCALE.api_version, owned.applied)
    return encode_entries(Managed(fields, managed.times))


def to_parent(obj: Object, scale: Object, api_version: str, paths: Mapping[str, tuple[str, ...]]) -> list[Object]:
    """Return the managedFields of an object after a write to its Scale; api_version is the object's own."""
    managed, scaled = decode_entries(entries_of(obj)), dict(decode_entries(entries_of(scale)).fields)
    fields: dict[ManagerIdentifier, VersionedSet] = {}
    for manager, owned in managed.fields.items():
        path = _field_path(paths, owned.api_version)
        if owned.api_version not in paths:
            continue
        if path is None or path not in owned.fields:
            fields[manager] = owned
        elif manager in scaled:
            fields[manager] = owned
            del scaled[manager]
        else:
            rest = owned.fields.difference(field_set((path,)))
            if rest:
                fields[manager] = owned.with_fields(rest)
    own = _field_path(paths, api_version)
    assert own is not None
    for manager, owned in scaled.items():
        if _IN_SCALE not in owned.fields:
            continue
        fields[manager] = VersionedSet(_only(own), api_version, owned.applied)
    return encode_entries(Managed(fields, managed.times))


def _only(path: Path) -> FieldSet:
    return field_set((path,))


def _field_path(paths: Mapping[str, tuple[str, ...]], api_version: str) -> Path | None:
    names = paths.get(api_version)
    return tuple(field_element(name) for name in names) if names else None


def scaled(obj: Object, scale: Object, info: KindInfo, entries: list[Object]) -> Object:
    """Return the object with the replicas, and the resourceVersion, that its Scale asks for.

    Raises:
        Invalid: fewer than none.
    """
    wanted = _at(scale, ("spec", "replicas")) or 0
    if isinstance(wanted, int) and wanted < 0:
        cause = invalid("spec.replicas", wanted, "must be greater than or equal to 0")
        raise Invalid(SCALE.kind, SCALE.group, text_of(obj, "name"), (cause,))
    metadata = {**metadata_of(obj), "managedFields": entries}
    version = text_of(scale, "resourceVersion")
    if version:
        metadata["resourceVersion"] = version
    return {**_with(obj, replicas_path(info), wanted), "metadata": metadata}


def _with(obj: Object, path: tuple[str, ...], value: Value) -> Object:
    if len(path) == 1:
        return {**obj, path[0]: value}
    below = obj.get(path[0])
    return {**obj, path[0]: _with(below if isinstance(below, dict) else {}, path[1:], value)}
