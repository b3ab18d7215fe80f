"""The last-applied annotation by itself: what it says, and the patch that sets it.

Source: `kubectl apply view-last-applied`, `set-last-applied` and `edit-last-applied` of kubectl 1.32.
"""

from __future__ import annotations

from engine.clientapply.failures import NoLastApplied
from engine.clientapply.three_way import annotated, read_last_applied
from engine.meta.last_applied import LAST_APPLIED, last_applied_text
from engine.meta.object_meta import annotations_of
from engine.value.model import Object


def view_last_applied(obj: Object) -> Object:
    """Return the configuration that was applied last.

    Raises:
        NoLastApplied: the object has no such annotation.
        UnreadableLastApplied: it holds no JSON object.
    """
    if not last_applied_text(obj):
        raise NoLastApplied()
    return read_last_applied(obj)


def set_last_applied(obj: Object, manifest: Object, *, create: bool = False) -> Object | None:
    """Return the JSON merge patch that makes `manifest` the configuration applied last; None if it is that already.

    Raises:
        NoLastApplied: the object has no such annotation, and it is not to be created.
    """
    if last_applied_text(obj) is None and not create:
        raise NoLastApplied()
    text = annotations_of(annotated(manifest))[LAST_APPLIED]
    if text == last_applied_text(obj):
        return None
    return {"metadata": {"annotations": {LAST_APPLIED: text}}}
