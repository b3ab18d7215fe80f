"""Whether a patch exchanges a map for a map or a list for a list, which precise mode never does.

A patch does so if an operation puts a container on a member or item that holds one of its kind, or if a member of a
map goes and one of its kind comes in its place later. Items of lists may go and come.
"""

from __future__ import annotations

import json
from typing import Any

import jsonpatch
from jsonpointer import JsonPointer


def exchanges_a_container(before: Any, patch: list[dict[str, Any]]) -> bool:
    """Return True if some operation of `patch` exchanges a container of what `before` has become by then."""
    document = json.loads(json.dumps(before))
    taken: dict[str, Any] = {}
    for operation in patch:
        op, value = operation["op"], _value(document, operation)
        if op in ("remove", "move"):
            source = operation.get("from", operation["path"])
            parent, _ = JsonPointer(source).to_last(document)
            if isinstance(parent, dict):
                taken[source] = JsonPointer(source).resolve(document)
            document = jsonpatch.apply_patch(document, [{"op": "remove", "path": source}])
        if op in ("add", "replace", "move", "copy"):
            held = _held(document, JsonPointer(operation["path"]), op, taken)
            if isinstance(held, (dict, list)) and type(held) is type(value):
                return True
            put = "replace" if op == "replace" else "add"
            document = jsonpatch.apply_patch(document, [{"op": put, "path": operation["path"], "value": value}])
    return False


def _held(document: Any, pointer: JsonPointer, op: str, taken: dict[str, Any]) -> Any:
    """Return what stands, or once stood, where a value is put; None where an item is inserted."""
    if not pointer.parts:
        return document
    parent, last = pointer.to_last(document)
    if isinstance(parent, dict):
        return parent.get(last, taken.get(pointer.path))
    return parent[int(last)] if op == "replace" else None


def _value(document: Any, operation: dict[str, Any]) -> Any:
    if "from" in operation:
        return JsonPointer(operation["from"]).resolve(document)
    return operation.get("value")
