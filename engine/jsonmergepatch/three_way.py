"""Makes the JSON merge patch that `kubectl apply` sends for kinds without merge metadata: custom resources."""

from __future__ import annotations

from engine.jsonmergepatch.diff import changes
from engine.jsonmergepatch.failures import MergePatchConflict
from engine.value.failures import Path
from engine.value.model import Object


def three_way_merge_patch(original: Object, modified: Object, current: Object) -> Object:
    """Return the merge patch that turns `current` into what the user now wants; `{}` if it is that already.

    original is the last-applied configuration ({} on a first apply). What differs between current and modified is
    set; removed is only what is in original and not in modified, so what others set in current survives. Lists are
    replaced as a whole. A null that is new in modified removes, too. None of the inputs is changed.

    Raises:
        MergePatchConflict: one member would be set and removed at once.

    Source: `kubectl apply` of Kubernetes 1.32 on custom resources.
    """
    return _combine(*three_way_merge_parts(original, modified, current), ())


def three_way_merge_parts(original: Object, modified: Object, current: Object) -> tuple[Object, Object]:
    """Return the two patches that a three-way patch is made of: its deletions, and its additions and changes."""
    additions = _without_deletions(changes(current, modified))
    return _only_deletions(changes(original, modified)), additions


def _without_deletions(patch: Object) -> Object:
    kept: Object = {}
    for name, value in patch.items():
        if isinstance(value, dict) and value:
            inner = _without_deletions(value)
            if inner:
                kept[name] = inner
        elif value is not None:
            kept[name] = value
    return kept


def _only_deletions(patch: Object) -> Object:
    kept: Object = {}
    for name, value in patch.items():
        if value is None:
            kept[name] = None
        elif isinstance(value, dict):
            inner = _only_deletions(value)
            if inner:
                kept[name] = inner
    return kept


def _combine(deletions: Object, additions: Object, path: Path) -> Object:
    """Return one patch of both. They meet where one removes members of a map that the other sets members of."""
    patch = dict(deletions)
    for name, value in additions.items():
        removed = deletions.get(name)
        if name not in deletions:
            patch[name] = value
        elif isinstance(removed, dict) and isinstance(value, dict):
            patch[name] = _combine(removed, value, (*path, name))
        else:
            raise MergePatchConflict((*path, name))
    return patch
