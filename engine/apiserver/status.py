"""The Status that each failure is: its code, its reason, and the words of the reference.

Source: apimachinery's API errors and the API server's answers, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from engine.apiserver.failures import (
    AlreadyExists,
    BadRequest,
    Expired,
    Forbidden,
    Invalid,
    MethodNotAllowed,
    NotFound,
    StaleVersion,
    UnknownKind,
    UnprocessablePatch,
    UnsupportedMediaType,
)
from engine.errors import EngineError
from engine.fieldpath.element import render_path
from engine.json_patch.failures import TooManyOperations
from engine.merge.conflict import Conflicts
from engine.meta.manager import APPLY, ManagerIdentifier
from engine.schema.validation.cause import Cause, quote
from engine.value.failures import LimitExceeded
from engine.value.model import Object


@singledispatch
def status_of(error: EngineError) -> Object:
    """Return the Status that answers `error`. A failure that has no Status of its own is a 500, as in the reference."""
    return _status(500, str(error))


def _status(code: int, message: str, reason: str = "", details: Object | None = None) -> Object:
    status: Object = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": str(message),
    }
    if reason:
        status["reason"] = reason
    if details is not None:
        status["details"] = details
    status["code"] = code
    return status


def _about(name: str, group: str, kind: str, causes: Iterable[Cause] = ()) -> Object:
    told = [{"reason": c.reason, "message": c.message, "field": c.field} for c in causes]
    details: Object = {"name": name, "group": group, "kind": kind, "causes": told}
    return {key: value for key, value in details.items() if value}


@status_of.register
def _(error: NotFound) -> Object:
    return _status(404, str(error), "NotFound", _about(error.name, error.group, error.resource))


@status_of.register
def _(error: AlreadyExists) -> Object:
    return _status(409, str(error), "AlreadyExists", _about(error.name, error.group, error.resource))


@status_of.register
def _(error: StaleVersion) -> Object:
    return _status(409, str(error), "Conflict", _about(error.name, error.group, error.resource))


@status_of.register
def _(error: Invalid) -> Object:
    return _status(422, str(error), "Invalid", _about(error.name, error.group, error.kind, error.causes))


@status_of.register
def _(error: BadRequest) -> Object:
    return _status(400, str(error), "BadRequest")


@status_of.register
def _(error: Expired) -> Object:
    return _status(410, str(error), "Expired")


@status_of.register
def _(error: UnsupportedMediaType) -> Object:
    return _status(415, str(error), "UnsupportedMediaType", {})


@status_of.register
def _(error: TooManyOperations) -> Object:
    return _status(413, str(error), "RequestEntityTooLarge", {})


@status_of.register
def _(error: LimitExceeded) -> Object:
    return _status(413, str(error), "RequestEntityTooLarge", {})


@status_of.register
def _(error: UnprocessablePatch) -> Object:
    return _status(422, str(error), "Invalid", {})


@status_of.register
def _(error: UnknownKind) -> Object:
    return _status(404, str(error), "NotFound", {})


@status_of.register
def _(error: MethodNotAllowed) -> Object:
    return _status(405, str(error), "MethodNotAllowed", {})


@status_of.register
def _(error: Forbidden) -> Object:
    return _status(403, str(error), "Forbidden", _about(error.name, error.group, error.resource))


@status_of.register
def _(error: Conflicts) -> Object:  # type: ignore[type-arg]
    causes = [
        Cause("FieldManagerConflict", render_path(c.path), f"conflict with {spell_manager(c.manager)}")
        for c in error.conflicts
    ]
    return _status(409, _conflict_message(error), "Conflict", _about("", "", "", causes))


def _conflict_message(error: Conflicts[ManagerIdentifier]) -> str:
    conflicts = error.conflicts
    if len(conflicts) == 1:
        only = conflicts[0]
        return f"Apply failed with 1 conflict: conflict with {spell_manager(only.manager)}: {render_path(only.path)}"
    paths: dict[ManagerIdentifier, list[str]] = {}
    for conflict in conflicts:
        paths.setdefault(conflict.manager, []).append(f"- {render_path(conflict.path)}")
    lines = []
    for manager in sorted(paths, key=lambda each: each.order):
        lines += [f"conflicts with {spell_manager(manager)}:", *paths[manager]]
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)


def spell_manager(manager: ManagerIdentifier) -> str:
    """Return a manager as conflicts name it: `"ci" with subresource "status" using apps/v1`."""
    text = quote(manager.manager)
    if manager.subresource:
        text += f" with subresource {quote(manager.subresource)}"
    return text if manager.operation == APPLY else f"{text} using {manager.api_version}"
