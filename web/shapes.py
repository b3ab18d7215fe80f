"""Whether what was pasted has the shape that such a document has on a real server.

A real API server never returns an object whose metadata are misshapen, nor serves a definition whose schema is: people
edit them by hand. Each fault names its place, what was found and what was expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.value.failures import Path
from engine.value.model import Kind, Object, Value, kind_of

TEXT, LIST, MAP, NUMBER, TRUTH = Kind.STRING, Kind.LIST, Kind.MAP, Kind.NUMBER, Kind.BOOLEAN

ENVELOPE = {"apiVersion": TEXT, "kind": TEXT, "metadata": MAP}
METADATA = {
    **dict.fromkeys(("name", "generateName", "namespace", "uid", "resourceVersion", "creationTimestamp"), TEXT),
    **dict.fromkeys(("labels", "annotations"), MAP),
    **dict.fromkeys(("finalizers", "ownerReferences", "managedFields"), LIST),
    "generation": NUMBER,
}
ENTRY = {
    **dict.fromkeys(("manager", "operation", "apiVersion", "time", "fieldsType", "subresource"), TEXT),
    "fieldsV1": MAP,
}
DEFINITION = {"spec": MAP}
DEFINITION_SPEC = {"group": TEXT, "scope": TEXT, "names": MAP, "versions": LIST}
NAMES = dict.fromkeys(("kind", "plural", "singular", "listKind"), TEXT)
VERSION = {"name": TEXT, "served": TRUTH, "storage": TRUTH, "schema": MAP, "subresources": MAP}
SCALE = dict.fromkeys(("specReplicasPath", "statusReplicasPath", "labelSelectorPath"), TEXT)
SCHEMA = {
    **dict.fromkeys(("type", "format", "pattern", "description", "title"), TEXT),
    **dict.fromkeys(("x-kubernetes-list-type", "x-kubernetes-map-type"), TEXT),
    **dict.fromkeys(("required", "enum", "allOf", "anyOf", "oneOf"), LIST),
    **dict.fromkeys(("x-kubernetes-list-map-keys", "x-kubernetes-validations"), LIST),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), NUMBER),
    **dict.fromkeys(("nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum"), TRUTH),
    **dict.fromkeys(("x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string"), TRUTH),
    "x-kubernetes-embedded-resource": TRUTH,
    **dict.fromkeys(("properties", "items", "not"), MAP),
}
LISTS_OF_TEXTS = ("required", "x-kubernetes-list-map-keys")
LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that is not of the kind that belongs at its path."""

    path: Path
    found: Kind
    expected: Kind


def object_faults(obj: Object) -> Iterator[Fault]:
    """Yield what is misshapen in the envelope, metadata and managedFields of an object.

    A document without a kind is any JSON: only its managedFields have to be what they claim to be.
    """
    if "kind" not in obj:
        yield from _entry_faults(obj.get("metadata"))
        return
    yield from _members(obj, ENVELOPE, ())
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        return
    # A server shows `creationTimestamp: null` where there is none; people write other members so.
    given = {name: value for name, value in metadata.items() if value is not None}
    yield from _members(given, METADATA, ("metadata",))
    yield from _entry_faults(metadata)


def _entry_faults(metadata: Any) -> Iterator[Fault]:
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    for path, entry in _items(entries, ("metadata", "managedFields")):
        yield from _shaped(entry, MAP, path)
        yield from _members(entry, ENTRY, path)


def definition_faults(crd: Object) -> Iterator[Fault]:
    """Yield what is misshapen in a CustomResourceDefinition, its schemas included."""
    yield from object_faults(crd)
    yield from _members(crd, DEFINITION, ())
    spec = crd.get("spec")
    if not isinstance(spec, dict):
        return
    yield from _members(spec, DEFINITION_SPEC, ("spec",))
    yield from _members(spec.get("names"), NAMES, ("spec", "names"))
    for path, version in _items(spec.get("versions"), ("spec", "versions")):
        yield from _shaped(version, MAP, path)
        if isinstance(version, dict):
            yield from _version_faults(version, path)


def _version_faults(version: Object, path: Path) -> Iterator[Fault]:
    yield from _members(version, VERSION, path)
    subresources, holder = version.get("subresources"), version.get("schema")
    if isinstance(subresources, dict):
        yield from _members(subresources, {"scale": MAP}, (*path, "subresources"))
        yield from _members(subresources.get("scale"), SCALE, (*path, "subresources", "scale"))
    if isinstance(holder, dict) and "openAPIV3Schema" in holder:
        yield from _schema_faults(holder["openAPIV3Schema"], (*path, "schema", "openAPIV3Schema"))


def _schema_faults(schema: Value, path: Path) -> Iterator[Fault]:
    if not isinstance(schema, dict):
        yield Fault(path, kind_of(schema), MAP)
        return
    yield from _members(schema, SCHEMA, path)
    for name in LISTS_OF_TEXTS:
        for place, item in _items(schema.get(name), (*path, name)):
            yield from _shaped(item, TEXT, place)
    for place, item in _items(schema.get("x-kubernetes-validations"), (*path, "x-kubernetes-validations")):
        yield from _shaped(item, MAP, place)
        yield from _members(item, dict.fromkeys(("rule", "message", "reason", "fieldPath"), TEXT), place)
    for place, inner in _inner_schemas(schema, path):
        yield from _schema_faults(inner, place)


def _inner_schemas(schema: Object, path: Path) -> Iterator[tuple[Path, Value]]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from (((*path, "properties", name), inner) for name, inner in properties.items())
    for name in ("items", "not"):
        if isinstance(schema.get(name), dict):
            yield (*path, name), schema[name]
    if not isinstance(schema.get("additionalProperties", True), bool):
        yield (*path, "additionalProperties"), schema["additionalProperties"]
    for name in LISTS_OF_SCHEMAS:
        yield from _items(schema.get(name), (*path, name))


def _members(holder: Any, kinds: Mapping[str, Kind], path: Path) -> Iterator[Fault]:
    """Yield the members of a map that are of another kind than `kinds` tells; absent ones are none."""
    if isinstance(holder, dict):
        for name, kind in kinds.items():
            if name in holder:
                yield from _shaped(holder[name], kind, (*path, name))


def _shaped(value: Value, kind: Kind, path: Path) -> Iterator[Fault]:
    if kind_of(value) is not kind:
        yield Fault(path, kind_of(value), kind)


def _items(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, list):
        yield from (((*path, index), item) for index, item in enumerate(value))
