"""What the JSON API takes and answers, as an OpenAPI 3.1 document. Requests are checked by it, answers by tests."""

from __future__ import annotations

from typing import Any

from engine.apiserver.parts import WRITABLE
from engine.evaluation import WriteKind
from engine.generate.model import Format
from engine.json_patch.options import Fewest, Guard

Schema = dict[str, Any]

_DOCUMENT: Schema = {
    "description": "A document: a JSON value; or its text, YAML or JSON, as a string. Null, or nothing, is no document."
}
_DEFINITIONS: Schema = {
    "type": "array",
    "items": _DOCUMENT,
    "maxItems": 100,
    "description": "CustomResourceDefinitions that say how custom resources merge.",
}
_OBJECT: Schema = {"type": ["object", "null"]}
_TEXT: Schema = {"type": "string"}

_WRITE: dict[str, Schema] = {
    "kind": {
        "type": "string",
        "enum": [kind.value for kind in WriteKind],
        "default": WriteKind.APPLY.value,
        "description": "How body is written.",
    },
    "live": {**_DOCUMENT, "description": "The object as it is stored, with its managedFields; none: it is created."},
    "body": {**_DOCUMENT, "description": "The intent, patch, object or manifest that is written."},
    "crds": _DEFINITIONS,
    "manager": {"type": "string", "default": "kubectl", "description": "Who writes."},
    "force": {"type": "boolean", "default": False, "description": "An apply takes the fields that others own."},
    "dryRun": {"type": "boolean", "default": False},
    "subresource": {"type": "string", "enum": ["", *sorted(WRITABLE)], "default": ""},
    "fieldValidation": {"type": "string", "enum": ["Strict", "Warn", "Ignore"], "default": "Warn"},
}

_CONFLICT: Schema = {
    "type": "object",
    "required": ["path", "manager", "operation", "apiVersion", "subresource", "message"],
    "properties": {
        **dict.fromkeys(("path", "manager", "operation", "apiVersion", "subresource", "message"), _TEXT),
        "live": {"description": "What stands there now; absent where nothing does."},
        "intended": {"description": "What was to stand there; absent where nothing was."},
    },
    "additionalProperties": False,
}

_EVALUATION: Schema = {
    "type": "object",
    "required": ["code", "body", "warnings", "before", "after", "jsonPatch", "conflicts", "requestSent"],
    "properties": {
        "code": {"type": "integer", "description": "The HTTP code that the API server would answer."},
        "body": {"description": "What it would answer: the object, or a Status."},
        "warnings": {"type": "array", "items": _TEXT},
        "before": {**_OBJECT, "description": "The object as it was."},
        "after": {**_OBJECT, "description": "The object as it is then; null if the write is refused."},
        "jsonPatch": {"type": "array", "items": {"type": "object"}, "description": "From before to after."},
        "conflicts": {"type": "array", "items": _CONFLICT},
        "requestSent": {**_OBJECT, "description": "What kubectl sends for a kubectl apply; null for other writes."},
    },
    "additionalProperties": False,
}

_REASON: Schema = {
    "type": "object",
    "required": ["path", "reason", "sentence", "owners", "rule", "source"],
    "properties": {
        "path": {"type": "array", "items": {"type": ["string", "integer"]}},
        **dict.fromkeys(("reason", "sentence", "rule", "source"), _TEXT),
        "owners": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["manager", "operation", "subresource"],
                "properties": dict.fromkeys(("manager", "operation", "subresource"), _TEXT),
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}

_ORDER: dict[str, Schema] = {
    "before": _DOCUMENT,
    "after": _DOCUMENT,
    "format": {
        "type": "string",
        "enum": [each.value for each in Format],
        "default": Format.JSON_PATCH.value,
    },
    "fewest": {"type": "string", "enum": [each.value for each in Fewest], "default": Fewest.OPERATIONS.value},
    "guard": {"type": "string", "enum": [each.value for each in Guard], "default": Guard.NONE.value},
    "moves": {"type": "boolean", "default": True, "description": "A JSON Patch may move values."},
    "copies": {"type": "boolean", "default": True, "description": "A JSON Patch may copy values."},
    "key": {"type": "string", "default": "", "description": "Pair list items by this member; none: by the schema."},
    "manager": {"type": "string", "default": "kubectl", "description": "Who applies an intent."},
    "crds": _DEFINITIONS,
}

_PATCH: Schema = {
    "type": "object",
    "required": ["format", "possible"],
    "properties": {
        "format": _TEXT,
        "possible": {"type": "boolean", "description": "False: the format cannot say the change; reason tells why."},
        "patch": {"description": "The patch or intent, proved by applying it."},
        "operations": {"type": "integer"},
        "bytes": {"type": "integer", "description": "Of its compact JSON."},
        "provedBy": _TEXT,
        "notes": {"type": "array", "items": _TEXT},
        "reason": _TEXT,
        "path": {"type": ["array", "null"], "items": {"type": ["string", "integer"]}},
    },
    "additionalProperties": False,
}

_FAILURE: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string", "description": "What is wrong, where, and what to do."}},
    "additionalProperties": False,
}

REQUESTS: dict[str, Schema] = {
    "evaluate": {"type": "object", "required": ["body"], "properties": _WRITE, "additionalProperties": False},
    "explain": {"type": "object", "required": ["body"], "properties": _WRITE, "additionalProperties": False},
    "generate": {
        "type": "object",
        "required": ["before", "after"],
        "properties": _ORDER,
        "additionalProperties": False,
    },
}
"""What each operation takes."""

_ANSWERS: dict[str, tuple[str, Schema]] = {
    "evaluate": ("What an API server would answer to a write, and what the object becomes.", _EVALUATION),
    "explain": ("Why each field of a write's result is as it is.", {"type": "array", "items": _REASON}),
    "generate": ("What turns one document into another, in a format.", _PATCH),
}
_FAILURES = {
    "400": "The request is no such request.",
    "413": "A document is larger or deeper than is read.",
    "415": "The content type is not application/json.",
}


def description(version: str) -> Schema:
    """Return the OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Patchyard",
            "version": version,
            "description": "What Kubernetes makes of writes, and patches between documents. Nothing is stored.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": {f"/api/{name}": {"post": _operation(name)} for name in REQUESTS},
    }


def _operation(name: str) -> Schema:
    summary, answer = _ANSWERS[name]
    failures = {code: {"description": text, "content": _json(_FAILURE)} for code, text in _FAILURES.items()}
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": _json(REQUESTS[name])},
        "responses": {"200": {"description": summary, "content": _json(answer)}, **failures},
    }


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
