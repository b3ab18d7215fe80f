"""What the server refuses of each built-in kind, beside metadata."""

from __future__ import annotations

from engine.schema.catalog import KindInfo
from engine.schema.validation.cause import Cause
from engine.value.model import Object


def validate_builtin(obj: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with a new object."""
    return ()


def validate_builtin_update(new: Object, live: Object, info: KindInfo, subresource: str) -> tuple[Cause, ...]:
    """Return what is wrong with an object that replaces `live`, written to the object or to a subresource."""
    return ()
