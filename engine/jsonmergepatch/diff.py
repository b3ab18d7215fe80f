"""Makes the JSON merge patch from one document to another, where there is one."""

from __future__ import annotations

from typing import Any

from engine.jsonmergepatch.apply import Dialect
from engine.jsonmergepatch.failures import NoMergePatch, PatchNotAnObject
from engine.value.equality import equal
from engine.value.failures import Path
from engine.value.model import Object, Value, kind_of


def diff(before: Value, after: Value, dialect: Dialect = Dialect.KUBERNETES) -> Value:
    """Return the smallest merge patch that turns `before` into `after`; `{}` if they are equal maps.

    Raises:
        NoMergePatch: `after` has a null that `before` has not; `path` leads there.
        PatchNotAnObject: `after` is no map, and the API server's dialect was asked for.
    """
    if isinstance(after, dict):
        start = before if isinstance(before, dict) else {}
        patch = changes(start, after)
        _check(patch, start, after, (), dialect)
        return patch
    if dialect is Dialect.KUBERNETES:
        raise PatchNotAnObject(kind_of(after).value)
    return after


def changes(before: Object, after: Object) -> Object:
    """Return the members in which two maps differ: new values, nulls for what is gone, maps for what differs inside.

    It is a merge patch from `before` to `after` unless `after` has nulls that `before` has not.
    """
    patch: Object = {}
    for name, value in after.items():
        current = before.get(name)
        if name not in before:
            patch[name] = value
        elif isinstance(current, dict) and isinstance(value, dict):
            inner = changes(current, value)
            if inner:
                patch[name] = inner
        elif not equal(current, value):
            patch[name] = value
    patch.update((name, None) for name in before if name not in after)
    return patch


def _check(patch: Object, before: Object, after: Object, path: Path, dialect: Dialect) -> None:
    for name, value in patch.items():
        if name not in after:
            continue
        here = (*path, name)
        current = before.get(name)
        if value is None:
            raise NoMergePatch(here)
        if isinstance(current, dict) and isinstance(after[name], dict):
            _check(value, current, after[name], here, dialect)
        elif not isinstance(current, dict) or isinstance(value, dict):
            _check_new(value, here, dialect)


def _check_new(value: Any, path: Path, dialect: Dialect) -> None:
    """Refuse a new value with nulls that would be dropped from it."""
    if isinstance(value, dict):
        for name, member in value.items():
            if member is None:
                raise NoMergePatch((*path, name))
            _check_new(member, (*path, name), dialect)
    elif isinstance(value, list) and dialect is Dialect.KUBERNETES:
        for index, item in enumerate(value):
            _check_new(item, (*path, index), dialect)
