"""What an applier gives up by not applying it again goes, unless somebody else owns it.

Rules: of the merged value, all that the manager owned last time is removed; then what any manager owns now is put
back, and what was removed only because it lay inside something removed, and was not the manager's, too.

Source: structured-merge-diff's merge.Updater.prune, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from engine.fieldpath.field_set import FieldSet
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
    pruned = remove_items(at_last, last.fields.with_named_fields(at_last.type))
    pruned = _put_back_owned(at_last, pruned, managers, last.api_version, versions)
    pruned = _put_back_dangling(at_last, pruned, last, versions)
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
        merged, pruned = converted, _put_back(converted, now, owned[version])
    return pruned


def _put_back(merged: TypedValue, pruned: TypedValue, owned: FieldSet) -> TypedValue:
    everything = to_field_set(merged).with_named_fields(merged.type)
    left = to_field_set(pruned).with_named_fields(merged.type)
    kept = left.union(owned.with_named_fields(merged.type))
    return remove_items(merged, everything.difference(kept))


def _put_back_dangling(merged: TypedValue, pruned: TypedValue, last: VersionedSet, versions: Versions) -> TypedValue:
    converted = versions.convert(pruned, last.api_version)
    if converted is None:
        return pruned
    left = to_field_set(converted).with_named_fields(merged.type)
    everything = to_field_set(merged).with_named_fields(merged.type)
    gone = everything.difference(left).intersection(last.fields.with_named_fields(merged.type))
    return remove_items(merged, gone)
