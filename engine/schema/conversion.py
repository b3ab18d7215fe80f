"""Kinds that are served in several versions: what one version's object is in another.

Custom resources keep their fields and change their apiVersion. A built-in kind whose versions differ has its own pair
of functions in `_CONVERTERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.meta.gvk import GroupVersionKind
from engine.value.model import Object

Convert = Callable[[Object], Object]

_CONVERTERS: Mapping[tuple[GroupVersionKind, GroupVersionKind], Convert] = {}


def convert(obj: Object, have: GroupVersionKind, want: GroupVersionKind) -> Object:
    """Return `obj`, of kind `have`, as an object of kind `want`; the input is not changed."""
    if have == want:
        return obj
    change = _CONVERTERS.get((have, want))
    return {**(change(obj) if change else obj), "apiVersion": want.api_version}
