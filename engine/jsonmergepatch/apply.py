"""Applies a JSON merge patch, by RFC 7386 or as the API server does.

Both merge maps member by member, take null for removal and everything else for the new value. They differ in what
happens to nulls inside a value that becomes new: the RFC drops them from maps and keeps them inside lists; Kubernetes
drops them from maps that sit in lists, too, unless the list takes the place of a map, when it stays as it is.

Source: RFC 7386 (RFC 7396 has the same rules); evanphx/json-patch 4 as in Kubernetes 1.36.
"""

from __future__ import annotations

from enum import Enum

from engine.jsonmergepatch.failures import PatchNotAnObject
from engine.value.model import Object, Value, kind_of


class Dialect(Enum):
    """Whose rules a patch is applied by."""

    STRICT = "strict"
    """RFC 7386."""
    KUBERNETES = "kubernetes"
    """The API server's library."""


def apply_merge_patch(document: Value, patch: Value, dialect: Dialect = Dialect.KUBERNETES) -> Value:
    """Return `document` with the merge patch applied. Parts that did not change are shared; no input is changed.

    Raises:
        PatchNotAnObject: the patch is no map (the API server wants one; by the RFC it replaces the document).
    """
    if isinstance(patch, dict):
        return _merge(document if isinstance(document, dict) else {}, patch, dialect)
    if dialect is Dialect.KUBERNETES:
        raise PatchNotAnObject(kind_of(patch).value)
    return patch


def _merge(document: Object, patch: Object, dialect: Dialect) -> Object:
    merged = dict(document)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = _member(merged.get(name), value, dialect)
    return merged


def _member(current: Value, value: Value, dialect: Dialect) -> Value:
    if isinstance(current, dict):
        return _merge(current, value, dialect) if isinstance(value, dict) else value
    return _without_nulls(value, dialect)


def _without_nulls(value: Value, dialect: Dialect) -> Value:
    if isinstance(value, dict):
        return {name: _without_nulls(member, dialect) for name, member in value.items() if member is not None}
    if isinstance(value, list) and dialect is Dialect.KUBERNETES:
        return [_without_nulls(item, dialect) for item in value]
    return value
