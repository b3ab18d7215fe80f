"""Is the schema of a CustomResourceDefinition one that custom resources can be served by?

A schema must be structural: types are said outside of allOf, anyOf, oneOf and not, which only narrow values; every
property and item has a type, or is an int-or-string, or keeps unknown fields. Expressions of validation rules are
not compiled here, and the restrictions on `metadata` inside a schema are not checked.

Source: the structural schema validation of apiextensions, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from engine.schema.pattern import BadPattern, check_pattern
from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.structural import validate_custom
from engine.value.model import Object, Value

TYPES = ("array", "boolean", "integer", "number", "object", "string")
LIST_TYPES = ("atomic", "map", "set")
MAP_TYPES = ("atomic", "granular")
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_UNSUPPORTED = ("$ref", "id", "definitions", "dependencies", "patternProperties", "additionalItems")
_JUNCTIONS = ("allOf", "anyOf", "oneOf")
_EMPTY_IN_JUNCTIONS = ("type", "title", "description")
_ABSENT_IN_JUNCTIONS = ("additionalProperties", "default")
_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]


def schema_causes(schema: Object, path: str) -> tuple[Cause, ...]:
    """Return what keeps a version's openAPIV3Schema, which is at `path`, from being served."""
    causes = tuple(chain(_root(schema, path), _schema(schema, path, "at the root")))
    return causes or tuple(_defaults(schema, path))


def _root(schema: Object, path: str) -> Iterator[Cause]:
    if schema.get("type") not in (None, "", "object"):
        yield invalid(f"{path}.type", schema["type"], "must be object at the root")
    if schema.get("nullable"):
        yield forbidden(f"{path}.nullable", "nullable cannot be true at the root")


def _schema(schema: Any, path: str, where: str) -> Iterator[Cause]:
    """What is wrong with a schema that says a type; `where` tells what it is the schema of."""
    if not isinstance(schema, dict):
        yield invalid(path, schema, "must be a schema object")
        return
    yield from _plain(schema, path)
    yield from _typed(schema, path, where)
    yield from _list_topology(schema, path)
    yield from _map_topology(schema, path)
    yield from _closed(schema, path)
    for index, rule in enumerate(_list(schema.get("x-kubernetes-validations"))):
        yield from _rule(rule if isinstance(rule, dict) else {}, f"{path}.x-kubernetes-validations[{index}]")
    for name in _JUNCTIONS:
        for index, inner in enumerate(_list(schema.get(name))):
            if not (schema.get("x-kubernetes-int-or-string") and _list(schema.get("anyOf")) == _INT_OR_STRING):
                yield from _narrowing(inner, f"{path}.{name}[{index}]")
    if schema.get("not") is not None:
        yield from _narrowing(schema["not"], f"{path}.not")
    for name, inner in _map(schema.get("properties")).items():
        yield from _schema(inner, f"{path}.properties[{name}]", "for specified object fields")
    if isinstance(schema.get("items"), dict):
        yield from _schema(schema["items"], f"{path}.items", "for specified array items")
    if isinstance(schema.get("additionalProperties"), dict):
        at = f"{path}.additionalProperties"
        yield from _schema(schema["additionalProperties"], at, "for specified object fields")


def _plain(schema: Object, path: str) -> Iterator[Cause]:
    """What is wrong with a schema wherever it stands."""
    kind, pattern = schema.get("type") or "", schema.get("pattern") or ""
    if kind == "null":
        yield forbidden(f"{path}.type", "type cannot be set to null, use nullable as an alternative")
    elif kind and kind not in TYPES:
        yield not_supported(f"{path}.type", kind, TYPES)
    for name in _UNSUPPORTED:
        if schema.get(name):
            yield forbidden(f"{path}.{name}", f"{name} is not supported")
    if schema.get("uniqueItems"):
        reason = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield forbidden(f"{path}.uniqueItems", reason)
    if pattern and _broken(pattern):
        yield invalid(f"{path}.pattern", pattern, f"must be a valid regular expression, but isn't: {_broken(pattern)}")
    items = schema.get("items")
    if isinstance(items, list):
        yield forbidden(f"{path}.items", "items must be a schema object and not an array")
    elif items is not None and not isinstance(items, dict):
        yield invalid(f"{path}.items", items, "items must be a schema object")


def _rule(rule: Object, path: str) -> Iterator[Cause]:
    """What is wrong with a validation rule, its expressions left aside."""
    text, message = str(rule.get("rule") or "").strip(), str(rule.get("message") or "")
    if not text:
        yield required(f"{path}.rule", "rule is not specified")
    elif message and not message.strip():
        yield invalid(f"{path}.message", message, "message must be non-empty if specified")
    elif "\n" in message.strip():
        yield invalid(f"{path}.message", message, "message must not contain line breaks")
    elif "\n" in text and not message:
        yield required(f"{path}.message", "message must be specified if rule contains line breaks")
    expression = str(rule.get("messageExpression") or "")
    if expression and not expression.strip():
        yield required(f"{path}.messageExpression", "must be non-empty if specified")
    if rule.get("reason") not in (None, *_REASONS):
        yield not_supported(f"{path}.reason", rule["reason"], _REASONS)


def _broken(pattern: str) -> str:
    try:
        check_pattern(pattern)
    except BadPattern as error:
        return error.reason
    return ""


def _typed(schema: Object, path: str, where: str) -> Iterator[Cause]:
    kind, either = schema.get("type") or "", schema.get("x-kubernetes-int-or-string")
    preserves = schema.get("x-kubernetes-preserve-unknown-fields")
    if either and kind:
        yield invalid(f"{path}.type", kind, "must be empty if x-kubernetes-int-or-string is true")
    if not kind and not either and (where == "at the root" or not preserves):
        yield required(f"{path}.type", f"must not be empty {where}")
    if schema.get("x-kubernetes-embedded-resource"):
        if kind != "object":
            yield invalid(f"{path}.type", kind, "must be object if x-kubernetes-embedded-resource is true")
        if not preserves and not schema.get("properties"):
            reason = "must not be empty if x-kubernetes-embedded-resource is true without "
            yield required(f"{path}.properties", f"{reason}x-kubernetes-preserve-unknown-fields")
    if preserves is False:
        yield invalid(f"{path}.x-kubernetes-preserve-unknown-fields", False, "must be true or undefined")
    if kind == "array" and schema.get("items") is None:
        yield required(f"{path}.items", "must be specified")


def _closed(schema: Object, path: str) -> Iterator[Cause]:
    additional = schema.get("additionalProperties")
    if additional is None:
        return
    at = f"{path}.additionalProperties"
    if not isinstance(additional, (bool, dict)):
        yield invalid(at, additional, "boolean or JSON schema expected")
    elif schema.get("properties"):
        yield forbidden(at, "additionalProperties and properties are mutual exclusive")
    elif additional is False:
        yield forbidden(at, "additionalProperties cannot be set to false")


def _list_topology(schema: Object, path: str) -> Iterator[Cause]:
    topology, keys = schema.get("x-kubernetes-list-type"), _list(schema.get("x-kubernetes-list-map-keys"))
    at, keys_at = f"{path}.x-kubernetes-list-type", f"{path}.x-kubernetes-list-map-keys"
    if topology is not None and topology not in LIST_TYPES:
        yield not_supported(at, topology, LIST_TYPES)
    if topology is not None:
        yield from _of_type(schema, path, "array", "must be array if x-kubernetes-list-type is specified")
    if keys and topology != "map":
        reason = "must be map if x-kubernetes-list-map-keys is non-empty"
        yield required(at, reason) if topology is None else invalid(at, topology, reason)
    if topology != "map":
        return
    if not keys:
        yield required(keys_at, "must not be empty if x-kubernetes-list-type is map")
    items = schema.get("items")
    if not isinstance(items, dict):
        yield required(f"{path}.items", "must have a schema if x-kubernetes-list-type is map")
        return
    yield from _of_type(
        items, f"{path}.items", "object", "must be object if parent array's x-kubernetes-list-type is map"
    )
    yield from _keys(keys, items, path, keys_at)


def _keys(keys: list[Any], items: Object, path: str, keys_at: str) -> Iterator[Cause]:
    properties = _map(items.get("properties"))
    if any(key not in properties for key in keys):
        yield invalid(keys_at, keys, "entries must all be names of item properties")
    for key in keys:
        found = _map(properties.get(key))
        at = f"{path}.items.properties[{key}]"
        if found.get("type") in ("array", "object"):
            yield invalid(
                f"{at}.type", found["type"], "must be a scalar type if parent array's x-kubernetes-list-type is map"
            )
        if found and found.get("default") is None and key not in _list(items.get("required")):
            reason = (
                "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"
            )
            yield required(f"{at}.default", reason)


def _map_topology(schema: Object, path: str) -> Iterator[Cause]:
    topology = schema.get("x-kubernetes-map-type")
    if topology is None:
        return
    if topology not in MAP_TYPES:
        yield not_supported(f"{path}.x-kubernetes-map-type", topology, MAP_TYPES)
    yield from _of_type(schema, path, "object", "must be object if x-kubernetes-map-type is specified")


def _of_type(schema: Object, path: str, wanted: str, reason: str) -> Iterator[Cause]:
    kind = schema.get("type") or ""
    if not kind:
        yield required(f"{path}.type", reason)
    elif kind != wanted:
        yield invalid(f"{path}.type", kind, reason)


def _narrowing(schema: Any, path: str) -> Iterator[Cause]:
    """What is wrong with a schema that only narrows what another one allows."""
    if not isinstance(schema, dict):
        yield invalid(path, schema, "must be a schema object")
        return
    yield from _plain(schema, path)
    for name in _EMPTY_IN_JUNCTIONS:
        if schema.get(name):
            yield forbidden(f"{path}.{name}", "must be empty to be structural")
    for name in _ABSENT_IN_JUNCTIONS:
        if schema.get(name) is not None:
            yield forbidden(f"{path}.{name}", "must be undefined to be structural")
    if schema.get("nullable"):
        yield forbidden(f"{path}.nullable", "must be false to be structural")
    for place, inner in _narrowed(schema):
        yield from _narrowing(inner, path + place)


def _narrowed(schema: Object) -> Iterator[tuple[str, Value]]:
    for name in _JUNCTIONS:
        yield from ((f".{name}[{index}]", inner) for index, inner in enumerate(_list(schema.get(name))))
    for name in ("not", "items"):
        if isinstance(schema.get(name), dict):
            yield f".{name}", schema[name]
    yield from ((f".properties[{name}]", inner) for name, inner in _map(schema.get("properties")).items())


def _defaults(schema: Object, path: str) -> Iterator[Cause]:
    """What is wrong with the defaults of a schema that is structural."""
    if schema.get("default") is not None:
        holder = {"type": "object", "properties": {"default": {**schema, "default": None}}}
        for cause in validate_custom({"default": schema["default"]}, holder):
            message = cause.message.replace(f": {cause.field} in body", f": {path}.{cause.field} in body", 1)
            yield Cause(cause.reason, f"{path}.{cause.field}", message)
    for name, inner in _map(schema.get("properties")).items():
        yield from _defaults(inner, f"{path}.properties[{name}]")
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            yield from _defaults(schema[name], f"{path}.{name}")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
