"""What an applier gives up by not applying it again goes, unless somebody else owns it.

Rules: of the merged value, all that the manager owned last time is removed; then what any manager owns now is put
back, and what was removed only because it lay inside something removed, and was not the manager's, too.

Source: structured-merge-diff's merge.Updater.prune, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.fieldpath.managed import VersionedSet
from engine.merge.versions import Versions
from engine.typed.remove import remove_items
from engine.typed.to_field_set import to_field_set
from engine.typed.typed_value import TypedValue

Owner = TypeVar("Owner", bound=Hashable)


def prune(
    merged: TypedValue,
    managers: Mapping[Owner, VersionedSet],
    manager: Owner,
    last: VersionedSet | None,
    versions: Versions,
) -> TypedValue:
    """Return `merged` without what `manager` owned in `last` and nobody owns in `managers`.

    managers holds the applying manager's new ownership already; the result is of its API version.
    """
    if last is None or not last.fields:
        return merged
    if _applies_all_again(managers, manager, last, versions):
        return merged
    at_last = versions.convert(merged, last.api_version)
    if at_last is None:
        return merged
    everything = _Everything()
    pruned = remove_items(at_last, last.fields.with_named_fields(at_last.type))
    pruned = _put_back_owned(at_last, pruned, managers, last.api_version, versions, everything)
    pruned = _put_back_dangling(at_last, pruned, last, versions, everything)
    back = versions.convert(pruned, managers[manager].api_version)
    return merged if back is None else back


def _applies_all_again(
    managers: Mapping[Owner, VersionedSet], manager: Owner, last: VersionedSet, versions: Versions
) -> bool:
    """Return True if it is plain that nothing goes: what was owned last time is owned again.

    An intent's set holds every list item and map member on the way to what it holds, so all of it would be put back.
    Where other versions are converted to, or a subresource limits what is owned, the long way tells.
    """
    if versions.writable.within or any(each.api_version != last.api_version for each in managers.values()):
        return False
    return not last.fields.difference(managers[manager].fields)


def _put_back_owned(
    merged: TypedValue,
    pruned: TypedValue,
    managers: Mapping[Owner, VersionedSet],
    pruned_version: str,
    versions: Versions,
    everything: _Everything,
) -> TypedValue:
    owned: dict[str, FieldSet] = {}
    for each in managers.values():
        before = owned.get(each.api_version)
        owned[each.api_version] = each.fields if before is None else before.union(each.fields)
    # The pruned version first: what another version needs to be converted may have been pruned.
    for version in sorted(owned, key=lambda v: v != pruned_version):
        converted, now = versions.convert(merged, version), versions.convert(pruned, version)
        if converted is None or now is None:
            continue
        merged, pruned = converted, _put_back(converted, now, owned[version], everything)
    return pruned


def _put_back(merged: TypedValue, pruned: TypedValue, owned: FieldSet, everything: _Everything) -> TypedValue:
    left = to_field_set(pruned).with_named_fields(merged.type)
    kept = left.union(owned.with_named_fields(merged.type))
    return remove_items(merged, everything.of(merged).difference(kept))


def _put_back_dangling(
    merged: TypedValue, pruned: TypedValue, last: VersionedSet, versions: Versions, everything: _Everything
) -> TypedValue:
    converted = versions.convert(pruned, last.api_version)
    if converted is None:
        return pruned
    left = to_field_set(converted).with_named_fields(merged.type)
    gone = everything.of(merged).difference(left).intersection(last.fields.with_named_fields(merged.type))
    return remove_items(merged, gone)


class _Everything:
    """The fields of a value, found once for as long as the same value is asked for."""

    def __init__(self) -> None:
        self._typed: TypedValue | None = None
        self._fields = EMPTY

    def of(self, typed: TypedValue) -> FieldSet:
        """Return all fields of a value, and the declared structs on the way to them."""
        if self._typed is None or self._typed.value is not typed.value or self._typed.type is not typed.type:
            self._typed = typed
            self._fields = to_field_set(typed).with_named_fields(typed.type)
        return self._fields
