"""Custom resources: the kinds that a CustomResourceDefinition makes, their defaults and what is pruned of them.

Source: apiextensions of Kubernetes 1.36: structural schemas, defaulting and pruning.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.said import said
from engine.schema import openapi
from engine.schema.catalog import OBJECT_META, Catalog, CustomResource, KindInfo, builtin_catalog, definition
from engine.schema.deduced import untyped_atomic
from engine.schema.elements import TypeRef
from engine.value.model import Object, Value

_ENVELOPE: Object = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"$ref": OBJECT_META}}


@dataclass(eq=False)
class MalformedDefinition(EngineError):
    """A CustomResourceDefinition that lacks what a kind needs; `path` tells what."""

    path: str
    expected: str

    def __str__(self) -> str:
        return said(
            "the CustomResourceDefinition has no %(path)s: expected %(expected)s",
            path=self.path,
            expected=self.expected,
        )


def kinds_of_definition(crd: Object) -> tuple[KindInfo, ...]:
    """Return the kinds, one per served version, that a CustomResourceDefinition makes.

    Raises:
        MalformedDefinition: it lacks its group, its names or its versions.
    """
    spec = _map_at(crd, "spec", said("a map"))
    names = _map_at(spec, "names", said("the kind's names"), "spec.names")
    group = _text_at(spec, "group", said("an API group"), "spec.group")
    kind = _text_at(names, "kind", said("the name of the kind"), "spec.names.kind")
    plural = _text_at(names, "plural", said("the name of the resource"), "spec.names.plural")
    versions = spec.get("versions")
    if not isinstance(versions, list) or not versions:
        raise MalformedDefinition("spec.versions", said("a list of at least one version"))
    return tuple(
        _kind_info(
            GroupVersionKind(group, _text_at(version, "name", said("a version"), "spec.versions[].name"), kind),
            plural,
            names.get("singular") or kind.lower(),
            spec.get("scope", "Namespaced") == "Namespaced",
            version,
        )
        for version in versions
        if isinstance(version, dict) and version.get("served", True)
    )


def catalog_with(crds: Iterable[Object]) -> Catalog:
    """Return the built-in kinds with those that some CustomResourceDefinitions make; of one kind the last counts.

    Raises:
        MalformedDefinition: one of them lacks its group, its names or its versions.
    """
    catalog = builtin_catalog()
    for crd in crds:
        catalog = catalog.with_kinds(kinds_of_definition(crd))
    return catalog


def _kind_info(gvk: GroupVersionKind, plural: str, singular: str, namespaced: bool, version: Object) -> KindInfo:
    holder = version.get("schema")
    schema = holder.get("openAPIV3Schema") if isinstance(holder, dict) else None
    if not isinstance(schema, dict):
        schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    subresources = version.get("subresources")
    subresources = subresources if isinstance(subresources, dict) else {}
    scale = subresources.get("scale")
    custom = CustomResource(
        schema, bool(version.get("storage", True)), "status" in subresources, scale if isinstance(scale, dict) else None
    )
    return KindInfo(
        gvk=gvk,
        resource=plural,
        singular=singular,
        namespaced=namespaced,
        type=custom_type(schema),
        subresources=tuple(sorted(subresources)),
        has_generation=True,
        put_without_resource_version=422,
        custom=custom,
    )


def custom_type(schema: Object) -> TypeRef:
    """Return the type of a custom resource's objects: its schema with the envelope that every object has."""
    if not schema.get("properties"):
        schema = {**schema, "x-kubernetes-preserve-unknown-fields": True}
    whole = {**schema, "type": "object", "properties": {**schema.get("properties", {}), **_ENVELOPE}}
    return openapi.type_ref(whole, _own_or_metadata)


def _own_or_metadata(name: str) -> TypeRef:
    """The type that a `$ref` stands for: metadata is known; a definition's own reference, which is refused, is not."""
    return definition(name) if name == OBJECT_META else untyped_atomic()


def _map_at(holder: Object, name: str, expected: str, path: str = "") -> Object:
    found = holder.get(name)
    if not isinstance(found, dict):
        raise MalformedDefinition(path or name, expected)
    return found


def _text_at(holder: Object, name: str, expected: str, path: str) -> str:
    found = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(found, str) or not found:
        raise MalformedDefinition(path, expected)
    return found


def with_defaults(value: Value, schema: Object) -> Value:
    """Return `value` with the schema's defaults where members are absent, or null and may not be."""
    if isinstance(value, dict):
        return _map_with_defaults(value, schema)
    if isinstance(value, list):
        items = _schema_at(schema, "items")
        return [with_defaults(_instead_of_null(item, items), items) for item in value]
    return value


def _map_with_defaults(value: Object, schema: Object) -> Object:
    properties: dict[str, Any] = schema.get("properties") or {}
    additional = _schema_at(schema, "additionalProperties")
    out: Object = {}
    for name, member in value.items():
        member_schema = properties.get(name, additional)
        out[name] = with_defaults(_instead_of_null(member, member_schema), member_schema)
    for name, member_schema in properties.items():
        if name not in value and member_schema.get("default") is not None:
            out[name] = with_defaults(copy.deepcopy(member_schema["default"]), member_schema)
    return out


def _instead_of_null(value: Value, schema: Object) -> Value:
    if value is None and not schema.get("nullable") and schema.get("default") is not None:
        default: Value = copy.deepcopy(schema["default"])
        return default
    return value


def without_nulls(value: Object, schema: Object) -> Object:
    """Return the object without members that are null, may not be, and have no default. Items of lists stay."""
    out = _without_nulls({k: v for k, v in value.items() if k not in _ENVELOPE}, schema)
    return {**{k: v for k, v in value.items() if k in _ENVELOPE}, **out}


def _without_nulls(value: Any, schema: Object) -> Any:
    if isinstance(value, list):
        items = _schema_at(schema, "items")
        return [_without_nulls(item, items) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, member, member_schema in members(value, schema):
        known = bool(member_schema) and not member_schema.get("nullable")
        if member is None and known and member_schema.get("default") is None:
            continue
        out[name] = _without_nulls(member, member_schema)
    return out


def _schema_at(schema: Object, name: str) -> Object:
    found = schema.get(name)
    return found if isinstance(found, dict) else {}


def pruned(value: Object, schema: Object) -> tuple[Object, tuple[str, ...]]:
    """Return the object without fields that its schema does not know, and the paths of those, `spec.unknown`.

    The envelope (apiVersion, kind, metadata) is left alone.
    """
    whole = {**schema, "properties": {**schema.get("properties", {}), "apiVersion": {}, "kind": {}, "metadata": {}}}
    whole["properties"]["metadata"] = {"x-kubernetes-preserve-unknown-fields": True}
    dropped: list[str] = []
    kept = _prune_map(value, whole, "", dropped)
    return kept, tuple(sorted(dropped))


def _prune(value: Value, schema: Object, path: str, dropped: list[str]) -> Value:
    if isinstance(value, dict):
        return _prune_map(value, schema, path, dropped)
    if isinstance(value, list):
        items = _schema_at(schema, "items")
        if not items and schema.get("x-kubernetes-preserve-unknown-fields"):
            return value
        return [_prune(item, items, f"{path}[{i}]", dropped) for i, item in enumerate(value)]
    return value


def _prune_map(value: Object, schema: Object, path: str, dropped: list[str]) -> Object:
    if schema.get("x-kubernetes-embedded-resource"):
        schema = {**schema, "properties": {**schema.get("properties", {}), **dict.fromkeys(_ENVELOPE, _KEEP)}}
    properties: dict[str, Any] = schema.get("properties") or {}
    additional = schema.get("additionalProperties")
    preserves = schema.get("x-kubernetes-preserve-unknown-fields") is True
    out: Object = {}
    for name, member in value.items():
        where = f"{path}.{name}" if path else name
        if name in properties:
            out[name] = _prune(member, properties[name], where, dropped)
        elif isinstance(additional, dict):
            out[name] = _prune(member, additional, where, dropped)
        elif preserves or additional is True:
            out[name] = member
        else:
            dropped.append(where)
    return out


_KEEP: Object = {"x-kubernetes-preserve-unknown-fields": True}


def members(value: Value, schema: Object) -> Iterator[tuple[str | int, Value, Object]]:
    """Yield each member or item of a value, with the step that leads to it and its schema, where it has one."""
    if isinstance(value, dict):
        properties: dict[str, Any] = schema.get("properties") or {}
        additional = _schema_at(schema, "additionalProperties")
        for name, member in value.items():
            yield name, member, properties.get(name, additional)
    elif isinstance(value, list):
        items = _schema_at(schema, "items")
        for index, item in enumerate(value):
            yield index, item, items
