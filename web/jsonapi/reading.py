"""Requests to the JSON API: checked against the description, and documents in them read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError
from engine.generate.exact import read_exactly
from engine.managedfields.entries import entries_of
from engine.value.codec import parse_json
from engine.value.failures import LimitExceeded
from engine.value.limits import Limits, check_managers, check_shape
from engine.value.model import Object, Value
from web.jsonapi.description import REQUESTS, Schema
from web.limits import with_setting

_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
}


@dataclass(eq=False)
class Unusable(Exception):
    """A request that cannot be answered: code is that of HTTP, sentence says why."""

    code: int
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def read_request(operation: str, text: bytes, limits: Limits) -> dict[str, Any]:
    """Return the members of a request's body, defaults filled in.

    Raises:
        Unusable: it is no JSON, or not what the operation takes.
    """
    schema = REQUESTS[operation]
    whole = replace(limits, max_bytes=limits.max_bytes * 4, max_nodes=limits.max_nodes * 4)
    try:
        told = parse_json(text.decode("utf-8"), whole)
    except UnicodeDecodeError as error:
        raise Unusable(400, f"The body is no text in UTF-8 (byte {error.start}). Send JSON in UTF-8.") from None
    except EngineError as error:
        raise Unusable(_code(error), f"The body cannot be used: {with_setting(error)}.") from None
    if not isinstance(told, dict):
        raise Unusable(400, "The body is no JSON object. See /api/openapi.json for what is expected.")
    known = schema["properties"]
    for name in told:
        if name not in known:
            raise Unusable(400, f"There is no {name!r} in such a request; expected {', '.join(known)}.")
    for name in schema["required"]:
        if name not in told:
            raise Unusable(400, f"The request lacks {name!r}. See /api/openapi.json for what is expected.")
    for name, value in told.items():
        _check(name, value, known[name])
    return {name: told.get(name, part.get("default")) for name, part in known.items()}


def _check(name: str, value: Value, schema: Schema) -> None:
    wanted = _TYPES.get(str(schema.get("type")))
    if wanted is not None and not isinstance(value, wanted[0]):
        raise Unusable(400, f"{name!r} is not {wanted[1]}. Correct it in the request.")
    if "enum" in schema and value not in schema["enum"]:
        expected = ", ".join(map(repr, schema["enum"]))
        raise Unusable(400, f"{name!r} is {value!r}; expected one of {expected}.")
    if isinstance(value, list) and len(value) > schema.get("maxItems", len(value)):
        raise Unusable(413, f"{name!r} holds {len(value):,} documents; at most {schema['maxItems']} are read.")


def document(name: str, value: Value, limits: Limits) -> Value:
    """Return a document of a request: a value as it is, a text read as YAML or JSON.

    Raises:
        Unusable: it cannot be read, or is too large.
    """
    try:
        if not isinstance(value, str):
            check_shape(value, limits)
            return value
        if not value.strip():
            return None
        read = read_exactly(value, limits)
        read.require_unique_keys()
    except EngineError as error:
        raise Unusable(_code(error), f"The document {name!r} cannot be used: {with_setting(error)}.") from None
    return read.value


def object_or_none(name: str, value: Value, limits: Limits) -> Object | None:
    """Return a document that must be an object, or nothing. Raises: as `document`, and where it is something else."""
    found = document(name, value, limits)
    if found is not None and not isinstance(found, dict):
        raise Unusable(400, f"The document {name!r} is no object: expected a map with apiVersion, kind and metadata.")
    try:
        check_managers(entries_of(found or {}), limits)
    except LimitExceeded as error:
        raise Unusable(413, f"The document {name!r} cannot be used: {with_setting(error)}.") from None
    return found


def objects(name: str, values: list[Value] | None, limits: Limits) -> tuple[Object, ...]:
    """Return a list of documents that must be objects. Raises: as `object_or_none`."""
    if len(values or ()) > limits.max_documents:
        error = LimitExceeded("documents", limits.max_documents, len(values or ()))
        raise Unusable(413, f"The documents {name!r} cannot be used: {with_setting(error)}.")
    found = (object_or_none(name, value, limits) for value in values or [])
    return tuple(each for each in found if each is not None)


def _code(error: EngineError) -> int:
    return 413 if isinstance(error, LimitExceeded) else 400
