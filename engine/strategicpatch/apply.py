"""Applies a strategic merge patch, and combines two patches into one.

Maps merge member by member; null removes; a member that is new or of another type takes the patch's value, without
nulls and without maps that hold `$patch`. Lists merge if their field says so (by merge key, or as a set of scalars),
else they are replaced. Directives are described in `directives`, the order of lists in `lists`.

Combining two patches (`combine`) is the same walk that keeps what an application would use up: nulls, deletions and
directives stay in the outcome, since it is a patch again.

Known deviation: the reference goes through a map in random order, so of several failures in one patch it reports any;
here the first in the patch's order is reported.

Source: strategicpatch of k8s.io/apimachinery, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from typing import Any

from engine.schema.elements import TypeRef
from engine.strategicpatch.directives import (
    DELETE,
    DELETE_FROM_LIST,
    ELEMENT_ORDER,
    MERGE,
    PATCH,
    REPLACE,
    RETAIN_KEYS,
    agreed,
    handle_patch_directive,
    list_named,
    new_value,
    retained,
    same_type,
)
from engine.strategicpatch.failures import (
    ListMergeDirective,
    NoMergeKey,
    OrderMismatch,
    PatchNotAMap,
    UnknownDirective,
    UnorderableList,
    WrongType,
)
from engine.strategicpatch.go_text import LIST, MAP, go_type
from engine.strategicpatch.lists import (
    Items,
    Positions,
    element_type,
    in_order,
    merge_key_of,
    sameness,
    without_repeats,
    without_values,
)
from engine.strategicpatch.patch_schema import Member, list_member, map_member, type_name
from engine.value.model import MISSING, Object, Value, kind_of


class _Purpose(Enum):
    """What a merge is for."""

    APPLY = "apply"
    """To change an object: directives do their work and go."""
    COMBINE = "combine"
    """To make one patch of two: directives and nulls are kept."""


def apply_strategic_merge_patch(document: Object, patch: Value, type: TypeRef | None) -> Object:
    """Return `document`, of the given type, with the strategic merge patch applied. No input is changed.

    Raises:
        BadPatchFormat: a directive has the wrong form (the API server answers 400).
        StrategicPatchFailure: the patch cannot be applied (it answers 500).

    Source: the API server of Kubernetes 1.36.
    """
    if not isinstance(patch, dict):
        raise PatchNotAMap(kind_of(patch).value)
    return _merge_maps(document, patch, type, _Purpose.APPLY)


def combine(first: Object, second: Object, type: TypeRef | None) -> Object:
    """Return the strategic merge patch that does what `first` and then `second` do; they must not contradict.

    Raises: as `apply_strategic_merge_patch`.
    """
    return _merge_maps(first, second, type, _Purpose.COMBINE)


def _merge_maps(original: Object, patch: Object, type_ref: TypeRef | None, purpose: _Purpose) -> Object:
    if PATCH in patch:
        return handle_patch_directive(patch)
    merged, rest = _retain_keys(original, patch, purpose)
    merged, rest = _order_lists(merged, rest, type_ref, purpose)
    for name, value in rest.items():
        if name.startswith(DELETE_FROM_LIST):
            _delete_from_list(merged, name, value, type_ref, purpose)
        else:
            _merge_member(merged, name, value, type_ref, purpose)
    return merged


def _retain_keys(original: Object, patch: Object, purpose: _Purpose) -> tuple[Object, Object]:
    """Return both maps after `$retainKeys`, as new maps."""
    if RETAIN_KEYS not in patch:
        return dict(original), dict(patch)
    rest = {name: value for name, value in patch.items() if name != RETAIN_KEYS}
    if purpose is _Purpose.COMBINE:
        return {**original, RETAIN_KEYS: agreed(original, patch, RETAIN_KEYS)}, rest
    return retained(original, patch), rest


def _merge_member(into: Object, name: str, value: Value, type_ref: TypeRef | None, purpose: _Purpose) -> None:
    if value is None:
        into.pop(name, None)
        if purpose is _Purpose.COMBINE:
            into[name] = None
    elif name not in into or not same_type(into[name], value):
        _set_new(into, name, value, purpose)
    elif isinstance(value, dict):
        member = map_member(type_ref, name)
        replaces = member.strategy == REPLACE
        into[name] = value if replaces else _merge_maps(into[name], value, member.type, purpose)
    elif isinstance(value, list):
        member = list_member(type_ref, name)
        into[name] = _merge_lists(into[name], value, member, purpose) if member.strategy == MERGE else value
    else:
        into[name] = value


def _set_new(into: Object, name: str, value: Value, purpose: _Purpose) -> None:
    kept = new_value(value) if purpose is _Purpose.APPLY else value
    if kept is MISSING:
        into.pop(name, None)
    else:
        into[name] = kept


def _delete_from_list(into: Object, directive: str, value: Value, type_ref: TypeRef | None, purpose: _Purpose) -> None:
    if purpose is _Purpose.COMBINE:
        into[directive] = value
        return
    name = list_named(directive, DELETE_FROM_LIST)
    if value is None:
        into.pop(name, None)
    elif name in into and same_type(into[name], value):
        into[name] = _deleted(into[name], value, list_member(type_ref, name), purpose)


def _deleted(items: Any, values: Any, member: Member, purpose: _Purpose) -> Any:
    if not isinstance(values, list):
        return values
    if not items and not values:
        return items
    if element_type(items, values) == MAP:
        return _merge_lists(items, values, member, purpose)
    return without_values(items, values)


def _merge_lists(original: Items, patch: Items, member: Member, purpose: _Purpose) -> Items:
    if not original and not patch:
        return original
    kind = element_type(original, patch)
    merge_key = member.meta.merge_key
    if kind != MAP:
        merged = without_repeats([*original, *patch])
        return in_order(merged, patch, original, merge_key, kind)
    if not merge_key:
        raise NoMergeKey(type_name(member.type))
    live, changes = _special_items(original, patch, merge_key)
    merged = _merge_items(live, changes, member.type, merge_key, purpose)
    return in_order(merged, changes, live, merge_key, kind)


def _special_items(original: Items, patch: Items, merge_key: str) -> tuple[Items, Items]:
    """Return the live items that are left and the patch's items to merge, after items with `$patch` did their work."""
    changes: Items = []
    gone: set[Hashable] = set()
    replace = False
    for item in patch:
        directive = item.get(PATCH)
        if PATCH not in item:
            changes.append(item)
        elif directive == DELETE:
            gone.add(sameness(merge_key_of(item, merge_key)))
        elif directive == REPLACE:
            replace = True
        elif directive == MERGE:
            raise ListMergeDirective
        else:
            raise UnknownDirective(directive, item)
    return (changes, []) if replace else (_without_keys(original, merge_key, gone), changes)


def _without_keys(items: Items, merge_key: str, gone: set[Hashable]) -> Items:
    if not gone:
        return items
    return [item for item in items if merge_key not in item or sameness(item[merge_key]) not in gone]


def _merge_items(live: Items, patch: Items, type_ref: TypeRef | None, merge_key: str, purpose: _Purpose) -> Items:
    merged = list(live)
    positions = Positions(merged, merge_key)
    for item in patch:
        key = merge_key_of(item, merge_key)
        at = positions.of(key)
        if at < 0:
            positions.add(len(merged), item)
            merged.append(item)
            continue
        merged[at] = _merge_maps(merged[at], item, type_ref, purpose)
        if merge_key not in merged[at]:  # it is null, and so was taken away
            positions.drop_first(key)
    return merged


def _order_lists(into: Object, patch: Object, type_ref: TypeRef | None, purpose: _Purpose) -> tuple[Object, Object]:
    """Merge the lists that `$setElementOrder` orders into the first map; the patch that is left is the second."""
    for directive in [name for name in patch if name.startswith(ELEMENT_ORDER)]:
        order = patch.pop(directive)
        if purpose is _Purpose.COMBINE:
            into[directive] = agreed(into, {directive: order}, directive)
        name = list_named(directive, ELEMENT_ORDER)
        lists = [_list_or_none(where, name) for where in (into, patch)]
        _require_list(order)
        member = list_member(type_ref, name)
        if not member.meta.merge_key and any(isinstance(item, (dict, list)) for item in _all(order, *lists)):
            raise UnorderableList(name)
        ordered = _ordered(lists[0], lists[1], order, member, purpose)
        if ordered is not None:
            into[name] = ordered
            patch.pop(name, None)
    return into, patch


def _all(*lists: Items | None) -> Items:
    return [item for items in lists for item in items or []]


def _ordered(
    live: Items | None, changes: Items | None, order: Items, member: Member, purpose: _Purpose
) -> Items | None:
    merge_key = member.meta.merge_key
    _check_order(changes or [], order, merge_key)
    if live is None and changes is None:
        return None
    if changes is None:
        merged = live or []
    elif live is None:
        merged = _new_items(changes, purpose)
    else:
        merged = _merge_lists(live, changes, member, purpose) if member.strategy == MERGE else changes
    return in_order(merged, order, live or [], merge_key, element_type(live or [], changes or []))


def _new_items(items: Items, purpose: _Purpose) -> Items:
    if purpose is _Purpose.COMBINE:
        return items
    return [item for item in map(new_value, items) if item is not MISSING]


def _check_order(changes: Items, order: Items, merge_key: str) -> None:
    """Refuse a patch whose items do not follow each other as its own `$setElementOrder` says."""
    if not changes or not order:
        return
    kept = [item for item in changes if not (isinstance(item, dict) and item.get(PATCH) == DELETE)]
    at = 0
    for expected in order:
        if at < len(kept) and _matches(kept[at], expected, merge_key):
            at += 1
    if at < len(kept):
        raise OrderMismatch(changes, order)


def _matches(item: Value, expected: Value, merge_key: str) -> bool:
    if not merge_key:
        return same_type(item, expected) and item == expected
    return Positions([expected], merge_key).of(merge_key_of(item, merge_key)) == 0


def _list_or_none(where: Object, name: str) -> Items | None:
    if name not in where:
        return None
    _require_list(where[name])
    items: Items = where[name]
    return items


def _require_list(value: Value) -> None:
    if not isinstance(value, list):
        raise WrongType(LIST, go_type(value))
