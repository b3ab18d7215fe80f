"""When two values are equal, and the order in which values sort."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cmp_to_key
from typing import Any

from engine.value.model import Kind, Value, kind_of

_RANK = {Kind.NULL: 0, Kind.BOOLEAN: 1, Kind.NUMBER: 2, Kind.STRING: 3, Kind.LIST: 4, Kind.MAP: 5}
_BOOLEAN = _RANK[Kind.BOOLEAN]


def equal(a: Value, b: Value) -> bool:
    """Return True if `a` and `b` are the same JSON value: 1 is 1.0, and neither is true.

    The order of a map's members does not count; that of a list's items does.

    Source: RFC 6902 section 4.6.
    """
    # Python's own comparison is quick and errs in one way only: it takes True for 1 and False for 0. So what it
    # calls different is different, and what it calls equal is looked at again.
    return a is b or (a == b and _same_kinds(a, b))


def _same_kinds(a: Any, b: Any) -> bool:
    """Return True if `a`, which Python finds equal to `b`, has booleans in the same places."""
    pending = [(a, b)]
    while pending:
        left, right = pending.pop()
        if left is right:
            continue
        if isinstance(left, dict):
            pending += [(member, right[name]) for name, member in left.items()]
        elif isinstance(left, list):
            pending += zip(left, right, strict=True)
        elif isinstance(left, bool) is not isinstance(right, bool):
            return False
    return True


def identity(value: Value) -> Hashable:
    """Return what is equal, and has one hash, for two values exactly where `equal` is true of them."""
    if isinstance(value, bool):
        return (_BOOLEAN, value)
    if isinstance(value, dict):
        return (_RANK[Kind.MAP], frozenset((name, identity(member)) for name, member in value.items()))
    if isinstance(value, list):
        return (_RANK[Kind.LIST], tuple(identity(item) for item in value))
    return value


def compare(a: Value, b: Value) -> int:
    """Return a negative number, 0 or a positive one as `a` sorts before, with or after `b`.

    The order is total: null, booleans, numbers, strings (by code point), lists (item by item), maps (by their sorted
    names, then by their members). It is 0 exactly where `equal` is true.
    """
    kind = kind_of(a)
    if kind is not kind_of(b):
        return _RANK[kind] - _RANK[kind_of(b)]
    if isinstance(a, list):
        return _compare_lists(a, b)
    if isinstance(a, dict):
        return _compare_maps(a, b)
    return 0 if a is None else _compare_scalars(a, b)


def _compare_scalars(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)


def _compare_lists(a: Any, b: Any) -> int:
    for left, right in zip(a, b, strict=False):
        order = compare(left, right)
        if order:
            return order
    return int(len(a) - len(b))


def _compare_maps(a: Any, b: Any) -> int:
    names, others = sorted(a), sorted(b)
    return _compare_lists(names, others) or _compare_lists([a[n] for n in names], [b[n] for n in others])


order_key = cmp_to_key(compare)
"""A key function for `sorted`, after `compare`."""
