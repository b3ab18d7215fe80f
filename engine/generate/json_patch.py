"""JSON Patches from two documents, proven by python jsonpatch, an implementation that shares no code with ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonpatch

from engine.errors import EngineError
from engine.generate.exact import exact_size, identical
from engine.generate.model import Answer, Format, Generated, Impossible, Order
from engine.generate.objects import is_object
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import diff
from engine.json_patch.operation import Dialect
from engine.json_patch.options import Root
from engine.said import said
from engine.value.limits import DEFAULT_LIMITS
from engine.value.model import Object, Value


def generate_json_patch(order: Order) -> Answer:
    """Return the JSON Patch from the first document to the second, as its options ask."""
    options = order.options
    if is_object(order.before) and is_object(order.after):
        options = replace(options, root=Root.KEPT)
    patch = diff(order.before, order.after, options)
    if not proves(order.before, patch, order.after):
        return Impossible(
            Format.JSON_PATCH, said("The patch that was made does not give the second document. Please report it.")
        )
    return Generated(
        format=Format.JSON_PATCH,
        patch=patch,
        operations=sum(operation["op"] != "test" for operation in patch),
        size=exact_size(patch),
        proved_by=f"python jsonpatch {jsonpatch.__version__}",
        notes=tuple(_notes(order, patch)),
    )


def proves(before: Value, patch: list[Object], after: Value) -> bool:
    """Return True if the other implementation, applying `patch` to `before`, gives `after` to the letter."""
    document, operations = json.loads(json.dumps([before, patch]))
    try:
        made: Any = jsonpatch.apply_patch(document, operations, in_place=True)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
        return False
    return identical(made, after)


def _notes(order: Order, patch: list[Object]) -> list[str]:
    notes: list[str] = []
    if len(patch) > DEFAULT_LIMITS.max_operations:
        notes.append(
            said(
                "The API server takes at most %(most)s operations; these are %(number)s.",
                most=f"{DEFAULT_LIMITS.max_operations:,}",
                number=f"{len(patch):,}",
            )
        )
    try:
        made = apply_json_patch(order.before, patch, Dialect.KUBERNETES)
    except EngineError as error:
        notes.append(said("Kubernetes would refuse it: %(error)s.", error=str(error)))
    else:
        if not identical(made, order.after):
            notes.append(said("Kubernetes would give another document."))
    return notes
