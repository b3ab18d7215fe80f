"""Makes the strategic merge patch from one object to another.

Maps are compared member by member. A list whose field merges is compared item by item: of maps by merge key, with
`$patch: delete` for what is gone; of scalars as sets, with `$deleteFromPrimitiveList`. `$setElementOrder` says how the
wanted items follow each other wherever a merged list changes, `$retainKeys` which members stay where the field asks
for it. Other lists are replaced.

Items are paired after both lists are sorted by the text of their merge keys. Of items with one key the last comes
first, since the reference's order calls equal keys less: so it comes out of its sort for lists of up to twelve items.

Source: strategicpatch of k8s.io/apimachinery, as in kubectl 1.32.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.schema.elements import TypeRef
from engine.strategicpatch.directives import DELETE, DELETE_FROM_LIST, ELEMENT_ORDER, PATCH, RETAIN_KEYS, same_type
from engine.strategicpatch.failures import StrategicPatchFailure
from engine.strategicpatch.go_text import MAP, go_text
from engine.strategicpatch.lists import Items, element_type, merge_key_of, only_keys, sort_by, without_repeats
from engine.strategicpatch.patch_schema import MERGE, REPLACE, Member, list_member, map_member
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Object, Value


@dataclass(frozen=True, slots=True)
class Options:
    """What of a difference is wanted."""

    deletions: bool = True
    changes: bool = True
    element_order: bool = True
    retain_keys: bool = False


def diff(before: Object, after: Object, type: TypeRef | None) -> Object:
    """Return the strategic merge patch that turns `before` into `after`; `{}` if they are equal.

    Raises:
        StrategicPatchFailure: a list that merges has items without merge key, or of several types, or the objects
            differ inside something that the type does not declare.
    """
    return diff_maps(before, after, type, Options())


def diff_maps(before: Object, after: Object, type_ref: TypeRef | None, options: Options) -> Object:
    """Return what of the difference of two maps the options ask for, as a strategic merge patch. Raises: as `diff`."""
    patch: Object = {}
    for name, value in after.items():
        _diff_member(patch, name, before.get(name, MISSING), value, type_ref, options)
    if options.deletions:
        patch.update((name, None) for name in before if name not in after)
    if options.retain_keys:
        kept = sorted(name for name, value in after.items() if value is not None)
        dropped = any(value is not None and name not in after for name, value in before.items())
        if kept and (patch or dropped):
            patch[RETAIN_KEYS] = kept
    return patch


def _diff_member(
    patch: Object, name: str, before: Value | Missing, after: Value, type_ref: TypeRef | None, options: Options
) -> None:
    options = replace(options, retain_keys=False)
    if isinstance(before, dict) and isinstance(after, dict):
        _diff_submaps(patch, name, before, after, type_ref, options)
    elif isinstance(before, list) and isinstance(after, list):
        _diff_sublists(patch, name, before, after, type_ref, options)
    elif options.changes and (isinstance(before, Missing) or not same_type(before, after) or not equal(before, after)):
        patch[name] = after


def _diff_submaps(
    patch: Object, name: str, before: Object, after: Object, type_ref: TypeRef | None, options: Options
) -> None:
    member = _member(name, before, after, type_ref)
    if member is None:
        return
    if member.strategy == REPLACE:
        # The reference sends such a field whenever it looks at changes, different or not.
        if options.changes:
            patch[name] = after
        return
    inner = diff_maps(before, after, member.type, replace(options, retain_keys=member.meta.retains_keys))
    if inner:
        patch[name] = inner


def _diff_sublists(
    patch: Object, name: str, before: Items, after: Items, type_ref: TypeRef | None, options: Options
) -> None:
    member = _member(name, before, after, type_ref)
    if member is None:
        return
    if member.strategy != MERGE:
        if options.changes and not equal(before, after):
            patch[name] = after
        return
    found = _diff_lists(before, after, member, replace(options, retain_keys=member.meta.retains_keys))
    for directive, items in zip((name, f"{DELETE_FROM_LIST}/{name}", f"{ELEMENT_ORDER}/{name}"), found, strict=True):
        if items:
            patch[directive] = items


def _member(name: str, before: Value, after: Value, type_ref: TypeRef | None) -> Member | None:
    """Return what the type says of a member, or None where it says nothing and nothing needs to be known."""
    try:
        return list_member(type_ref, name) if isinstance(after, list) else map_member(type_ref, name)
    except StrategicPatchFailure:
        if equal(before, after):
            return None
        raise


def _diff_lists(before: Items, after: Items, member: Member, options: Options) -> tuple[Items, Items, Items]:
    """Return the items to merge, the scalars to delete, and the order, each maybe empty."""
    if not before:
        return (after if options.changes else []), [], []
    merge_key = member.meta.merge_key
    kind = element_type(before, after)
    if kind == MAP:
        items, deletions = _diff_items(before, after, member, options)
        items = sort_by(items, after, merge_key, kind) + deletions
        changed = options.changes and (bool(items) or not _same_order(before, after, merge_key))
        wants_order = options.element_order and (changed or (options.deletions and bool(items)))
        return items, [], list(only_keys(after, merge_key)) if wants_order else []
    added, deleted = _diff_scalars(before, after, options)
    changed = (options.deletions and bool(deleted)) or (options.changes and not equal(before, after))
    order = after if options.element_order and changed else []
    return sort_by(added, after, merge_key, kind), deleted, order


def _same_order(before: Items, after: Items, merge_key: str) -> bool:
    if len(before) != len(after):
        return False
    keys = [[merge_key_of(item, merge_key) for item in items] for items in (before, after)]
    return equal(keys[0], keys[1])


def _diff_items(before: Items, after: Items, member: Member, options: Options) -> tuple[Items, Items]:
    merge_key = member.meta.merge_key
    changed: Items = []
    deletions: Items = []
    for old, new in _paired(_by_text(before, merge_key), _by_text(after, merge_key)):
        if isinstance(old, Missing):
            changed += [new] if options.changes else []
        elif isinstance(new, Missing):
            deletions += [{PATCH: DELETE, merge_key: old[merge_key]}] if options.deletions else []
        else:
            inner = diff_maps(old, new, member.type, options)
            changed += [{**inner, merge_key: new[merge_key]}] if inner else []
    return changed, deletions


def _diff_scalars(before: Items, after: Items, options: Options) -> tuple[Items, Items]:
    added: Items = []
    deleted: Items = []
    for old, new in _paired(_by_text(before), _by_text(after)):
        if isinstance(old, Missing):
            added += [new] if options.changes else []
        elif isinstance(new, Missing):
            deleted += [old] if options.deletions else []
    return added, without_repeats(deleted)


def _by_text(items: Items, merge_key: str | None = None) -> list[tuple[str, Any]]:
    """Return the items with the texts of their merge keys or, of scalars, their own, sorted by these."""
    texts = [go_text(item if merge_key is None else merge_key_of(item, merge_key)) for item in items]
    last_first = list(zip(texts, items, strict=True))[::-1]
    return sorted(last_first, key=lambda pair: pair[0])


def _paired(before: list[tuple[str, Any]], after: list[tuple[str, Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield the items of two sorted lists, in one walk, pairwise where their texts are the same; else MISSING."""
    i = j = 0
    while i < len(before) or j < len(after):
        if i < len(before) and j < len(after) and before[i][0] == after[j][0]:
            yield before[i][1], after[j][1]
            i, j = i + 1, j + 1
        elif j >= len(after) or (i < len(before) and before[i][0] < after[j][0]):
            yield before[i][1], MISSING
            i += 1
        else:
            yield MISSING, after[j][1]
            j += 1
