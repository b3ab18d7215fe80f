"""What a rule sees of a value: its fields by the names and of the types that the schema gives them.

Rules:
- A number is a double, and an integer an int, however it was written; an int-or-string is what it is.
- Text of the formats date and date-time is a moment, of duration a duration, of byte bytes.
- A struct shows its declared fields. A name that is no identifier of CEL shows under its escaped form, too
  (`a-b` as `a__dash__b`); as it is, it can be had in backticks.
- Of an object's metadata name and generateName show.

Source: apiextensions' CEL values, Kubernetes 1.36. There, two sets, or two map lists, are equal in any order; CEL
compares lists in theirs.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.value.model import Object, Value

_ESCAPES: Mapping[str, str] = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_ESCAPED = re.compile(r"__|[./-]")
_KEYWORDS = frozenset(
    (
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if"),
        *("import", "let", "loop", "package", "namespace", "return", "var", "void", "while"),
    )
)
_ENVELOPE: Object = {
    "apiVersion": {"type": "string"},
    "kind": {"type": "string"},
    "metadata": {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}}},
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A moment or a duration: the CEL function that makes it, and of what text."""

    function: str
    text: str


def rule_value(value: Value, schema: Object) -> Any:
    """Return what a rule sees of a value: plain Python, with a Typed for each moment and duration."""
    if isinstance(value, dict):
        return _map_value(value, schema)
    if isinstance(value, list):
        items = schema.get("items") or {}
        return [rule_value(item, items) for item in value]
    if isinstance(value, str):
        return _text_value(value, schema.get("format", ""))
    if schema.get("type") == "number" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if schema.get("type") == "integer" and isinstance(value, float):
        return int(value)
    return value


def object_value(obj: Object, schema: Object) -> Any:
    """Return what a rule sees of a whole object, or of one embedded in another."""
    return rule_value(obj, {**schema, "properties": {**(schema.get("properties") or {}), **_ENVELOPE}})


def _map_value(value: Object, schema: Object) -> Any:
    if schema.get("x-kubernetes-embedded-resource"):
        return object_value(value, {**schema, "x-kubernetes-embedded-resource": False})
    additional = schema.get("additionalProperties")
    if isinstance(additional, dict):
        return {name: rule_value(member, additional) for name, member in value.items()}
    if additional is True or not schema.get("type"):
        return value
    out: dict[str, Any] = {}
    for name, member_schema in _declared(schema).items():
        if name in value:
            member = rule_value(value[name], member_schema)
            out[name] = out[escaped(name)] = member
    return out


def _declared(schema: Object) -> dict[str, Any]:
    return schema.get("properties") or {}


def escaped(name: str) -> str:
    """Return a field's name as CEL can spell it."""
    if name in _KEYWORDS:
        return f"__{name}__"
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], name)


def _text_value(text: str, written: str) -> Any:
    if written == "date-time":
        return Typed("timestamp", text)
    if written == "date":
        return Typed("timestamp", f"{text}T00:00:00Z")
    if written == "duration":
        return Typed("duration", text)
    if written == "byte":
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:
            return text
    return text
