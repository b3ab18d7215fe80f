"""OpenAPI schemas with Kubernetes' extensions, read as types.

Rules, as kube-openapi converts OpenAPI for server-side apply (Kubernetes 1.36):
- `x-kubernetes-list-type` decides how a list's items relate. Without it `x-kubernetes-patch-strategy: merge` makes a
  list associative, by its merge key or as a set; any other list is atomic.
- An object without properties and additionalProperties is free-form; one with properties knows only those, unless
  `x-kubernetes-preserve-unknown-fields` opens it, which its descendants inherit.
- A schema without a type is anything, owned as a whole; an int-or-string is an untyped scalar.
- A relationship written beside a `$ref` overrides that of the referred type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.schema.deduced import deduced, untyped_atomic
from engine.schema.elements import (
    Atom,
    ElementRelationship,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructField,
    TypeRef,
)
from engine.schema.patch_meta import NO_PATCH_META, PatchMeta
from engine.value.model import MISSING, Object

Resolve = Callable[[str], TypeRef]
"""Returns the type that a definition's name stands for."""

_PREFIX = "#/components/schemas/"
_MAP_RELATIONSHIPS = {"atomic": ElementRelationship.ATOMIC, "granular": ElementRelationship.SEPARABLE}
_ANYTHING_FORMATS = {"int-or-string"}


def type_ref(schema: Object, resolve: Resolve, preserve_unknown: bool = False) -> TypeRef:
    """Return the type that `schema` describes. Nothing is converted before it is walked.

    resolve gives the type of a `$ref`; preserve_unknown says that an ancestor keeps unknown fields.
    """
    name = reference(schema)
    if name:
        referred = resolve(name)
        relationship = _MAP_RELATIONSHIPS.get(schema.get("x-kubernetes-map-type", ""))
        if relationship is None and schema.get("x-kubernetes-list-type") == "atomic":
            relationship = ElementRelationship.ATOMIC
        return referred if relationship is None else referred.with_relationship(relationship)
    if not schema.get("type") and not _is_int_or_string(schema):
        return deduced() if preserve_unknown or _preserves(schema) else untyped_atomic()
    return TypeRef(lambda: atom(schema, resolve, preserve_unknown))


def reference(schema: Object) -> str:
    """Return the definition that a schema refers to, plainly or as the only member of allOf; empty if none."""
    ref = schema.get("$ref")
    if ref is None:
        parts = schema.get("allOf")
        ref = parts[0].get("$ref") if isinstance(parts, list) and len(parts) == 1 else None
    return ref.removeprefix(_PREFIX) if isinstance(ref, str) else ""


def atom(schema: Object, resolve: Resolve, preserve_unknown: bool = False) -> Atom:
    """Return the type that `schema` itself describes, references inside it left to be resolved."""
    preserve_unknown = preserve_unknown or _preserves(schema)
    kind = schema.get("type", "")
    if kind == "object":
        return Atom(map=_map_type(schema, resolve, preserve_unknown))
    if kind == "array":
        return Atom(list=_list_type(schema, resolve, preserve_unknown))
    if not kind and not _is_int_or_string(schema):
        return (deduced() if preserve_unknown else untyped_atomic()).atom
    return Atom(_scalar(schema))


def _preserves(schema: Object) -> bool:
    return schema.get("x-kubernetes-preserve-unknown-fields") is True


def _is_int_or_string(schema: Object) -> bool:
    return schema.get("x-kubernetes-int-or-string") is True or schema.get("format") in _ANYTHING_FORMATS


def _scalar(schema: Object) -> Scalar:
    kind, written = schema.get("type"), schema.get("format", "")
    if _is_int_or_string(schema):
        return Scalar(ScalarType.UNTYPED, "int-or-string")
    if kind in ("integer", "number"):
        return Scalar(ScalarType.NUMERIC, written or ("int64" if kind == "integer" else "double"))
    if kind == "boolean":
        return Scalar(ScalarType.BOOLEAN)
    if kind == "string" and written in ("", "byte"):
        return Scalar(ScalarType.STRING, written)
    return Scalar(ScalarType.UNTYPED, written)


def _list_type(schema: Object, resolve: Resolve, preserve_unknown: bool) -> ListType:
    items = schema.get("items")
    items_type = type_ref(items, resolve, preserve_unknown) if isinstance(items, dict) else untyped_atomic()
    keys = _list_keys(schema)
    if keys is None:
        return ListType(items_type)
    return ListType(items_type, ElementRelationship.ASSOCIATIVE, keys)


def _list_keys(schema: Object) -> tuple[str, ...] | None:
    """The keys of an associative list, () for a set, None for an atomic list."""
    list_type = schema.get("x-kubernetes-list-type")
    if list_type == "map":
        return tuple(schema.get("x-kubernetes-list-map-keys", ()))
    if list_type == "set":
        return ()
    if list_type is None and "merge" in _patch_meta(schema).strategies:
        merge_key = _patch_meta(schema).merge_key
        return (merge_key,) if merge_key else ()
    return None


def _map_type(schema: Object, resolve: Resolve, preserve_unknown: bool) -> MapType:
    properties: dict[str, Any] = schema.get("properties") or {}
    required = frozenset(schema.get("required") or ())
    fields = {
        name: _struct_field(name, member, resolve, preserve_unknown, name in required)
        for name, member in properties.items()
    }
    relationship = _MAP_RELATIONSHIPS.get(schema.get("x-kubernetes-map-type", ""), ElementRelationship.SEPARABLE)
    return MapType(fields, _values_type(schema, resolve, preserve_unknown), relationship)


def _values_type(schema: Object, resolve: Resolve, preserve_unknown: bool) -> TypeRef | None:
    """The type of members that are not declared: None if there may be none."""
    additional = schema.get("additionalProperties")
    if isinstance(additional, dict):
        return type_ref(additional, resolve, preserve_unknown)
    if additional is True:
        return deduced()
    if additional is None and (preserve_unknown or not schema.get("properties")):
        return deduced()
    return None


def _struct_field(name: str, schema: Object, resolve: Resolve, preserve_unknown: bool, required: bool) -> StructField:
    default = schema.get("default", MISSING)
    return StructField(name, type_ref(schema, resolve, preserve_unknown), default, required, _patch_meta(schema))


def _patch_meta(schema: Object) -> PatchMeta:
    strategy = schema.get("x-kubernetes-patch-strategy", "")
    merge_key = schema.get("x-kubernetes-patch-merge-key", "")
    if not strategy and not merge_key:
        return NO_PATCH_META
    return PatchMeta(tuple(filter(None, strategy.split(","))), merge_key)
