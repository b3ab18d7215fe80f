"""What the API server fills in, one module per API group."""

from __future__ import annotations

from engine.meta.gvk import GroupVersionKind
from engine.value.model import Object


def with_builtin_defaults(obj: Object, gvk: GroupVersionKind) -> Object:
    """Return the object with what the server fills in for its kind; the input is not changed."""
    return obj
