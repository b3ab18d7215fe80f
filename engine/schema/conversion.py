"""Kinds that are served in several versions: what one version's object is in another.

Custom resources keep their fields and change their apiVersion. A built-in kind whose versions differ has a line in
`_CONVERTERS` for each way, and one in `_STORED` for the version in which it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.meta.gvk import GroupVersionKind
from engine.schema.autoscaling import autoscaler_v1_to_v2, autoscaler_v2_to_v1
from engine.value.model import Object

Convert = Callable[[Object], Object]

_AUTOSCALER_V1 = GroupVersionKind("autoscaling", "v1", "HorizontalPodAutoscaler")
_AUTOSCALER_V2 = GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")

_CONVERTERS: Mapping[tuple[GroupVersionKind, GroupVersionKind], Convert] = {
    (_AUTOSCALER_V1, _AUTOSCALER_V2): autoscaler_v1_to_v2,
    (_AUTOSCALER_V2, _AUTOSCALER_V1): autoscaler_v2_to_v1,
}

_STORED: Mapping[GroupVersionKind, GroupVersionKind] = {_AUTOSCALER_V1: _AUTOSCALER_V2}


def stored_kind(gvk: GroupVersionKind) -> GroupVersionKind:
    """Return the version of a built-in kind in which its objects are kept."""
    return _STORED.get(gvk, gvk)


def convert(obj: Object, have: GroupVersionKind, want: GroupVersionKind) -> Object:
    """Return `obj`, of kind `have`, as an object of kind `want`; the input is not changed."""
    if have == want:
        return obj
    change = _CONVERTERS.get((have, want))
    return {**(change(obj) if change else obj), "apiVersion": want.api_version}
