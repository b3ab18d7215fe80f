"""Applies a patch that is no intent: the object after it, before the server reads it again."""

from __future__ import annotations

from engine.json_patch.apply import apply_json_patch
from engine.jsonmergepatch.apply import apply_merge_patch
from engine.patch.patch_type import PatchType
from engine.schema.elements import TypeRef
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import Object, Value


def apply_patch(
    patch_type: PatchType, live: Object, patch: Value, type_ref: TypeRef, limits: Limits = DEFAULT_LIMITS
) -> Value:
    """Return `live` after `patch`, which decode_body has read, within `limits`. Neither is changed.

    Raises:
        EngineError: the patch cannot be applied; each format has its own failures.
    """
    if patch_type is PatchType.JSON_PATCH:
        return apply_json_patch(live, patch, limits=limits)
    if patch_type is PatchType.STRATEGIC_MERGE:
        return apply_strategic_merge_patch(live, patch, type_ref)
    assert patch_type is PatchType.JSON_MERGE
    return apply_merge_patch(live, patch)
