"""Makes the strategic merge patch that `kubectl apply` sends for built-in kinds."""

from __future__ import annotations

from typing import Any

from engine.schema.elements import TypeRef
from engine.strategicpatch.apply import combine
from engine.strategicpatch.diff import Options, diff_maps
from engine.strategicpatch.directives import PATCH, RETAIN_KEYS, is_parallel_list
from engine.strategicpatch.failures import PatchConflict
from engine.strategicpatch.lists import Positions
from engine.strategicpatch.patch_schema import MERGE, list_member, map_member
from engine.value.equality import equal
from engine.value.model import Object


def three_way_strategic_patch(
    original: Object, modified: Object, current: Object, type: TypeRef | None, overwrite: bool = True
) -> Object:
    """Return the strategic merge patch that turns `current` into what the user now wants; `{}` if it is that already.

    original is the last-applied configuration ({} on a first apply). What differs between current and modified is
    set; deleted is only what is in original and not in modified, so what others set in current survives. Items are
    paired by merge key and keep the order of modified. None of the inputs is changed.

    Raises:
        StrategicPatchFailure: a list that merges has items without merge key, or of several types.
        PatchConflict: `overwrite` is false, and the patch sets what was changed between original and current.

    Source: `kubectl apply` of Kubernetes 1.32 on built-in kinds.
    """
    deletions, delta = three_way_strategic_parts(original, modified, current, type)
    patch = combine(deletions, delta, type)
    if not overwrite:
        changed = diff_maps(original, current, type, Options(element_order=False))
        if _conflict(patch, changed, type):
            raise PatchConflict(patch, changed)
    return patch


def three_way_strategic_parts(
    original: Object, modified: Object, current: Object, type: TypeRef | None
) -> tuple[Object, Object]:
    """Return the two patches that a three-way patch is put together of: its deletions, and its additions and changes.

    Raises:
        StrategicPatchFailure: a list that merges has items without merge key, or of several types.
    """
    delta = diff_maps(current, modified, type, Options(deletions=False))
    return diff_maps(original, modified, type, Options(changes=False)), delta


def _conflict(patch: Object, changed: Object, type_ref: TypeRef | None) -> bool:
    """Return True if two patches of one object set a member to different values."""
    return any(
        _members_conflict(name, value, changed[name], type_ref)
        for name, value in patch.items()
        if name in changed and name != RETAIN_KEYS and not is_parallel_list(name)
    )


def _members_conflict(name: str, mine: Any, theirs: Any, type_ref: TypeRef | None) -> bool:
    if isinstance(mine, dict) and isinstance(theirs, dict):
        if mine.get(PATCH) != theirs.get(PATCH):
            return True
        return _conflict(mine, theirs, map_member(type_ref, name).type)
    if isinstance(mine, list) and isinstance(theirs, list):
        member = list_member(type_ref, name)
        if member.strategy == MERGE and member.meta.merge_key:
            return _items_conflict(mine, theirs, member.meta.merge_key, member.type)
    return not equal(mine, theirs)


def _items_conflict(mine: list[Any], theirs: list[Any], merge_key: str, type_ref: TypeRef | None) -> bool:
    positions = Positions(theirs, merge_key)
    for item in mine:
        at = positions.of(item.get(merge_key))
        if at >= 0 and (item.get(PATCH) != theirs[at].get(PATCH) or _conflict(item, theirs[at], type_ref)):
            return True
    return False
