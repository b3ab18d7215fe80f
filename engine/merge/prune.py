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
from engine.value.equality import equal

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
    fields = _Fields()
    pruned = remove_items(at_last, last.fields.with_named_fields(at_last.type))
    pruned = _put_back_owned(at_last, pruned, managers, last.api_version, versions, fields)
    pruned = _put_back_dangling(at_last, pruned, last, versions, fields)
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
    fields: _Fields,
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
        merged, pruned = converted, _put_back(converted, now, owned[version], fields)
    return pruned


def _put_back(merged: TypedValue, pruned: TypedValue, owned: FieldSet, fields: _Fields) -> TypedValue:
    kept = fields.of(pruned).union(owned.with_named_fields(merged.type))
    return remove_items(merged, fields.of(merged).difference(kept))


def _put_back_dangling(
    merged: TypedValue, pruned: TypedValue, last: VersionedSet, versions: Versions, fields: _Fields
) -> TypedValue:
    converted = versions.convert(pruned, last.api_version)
    if converted is None:
        return pruned
    gone = fields.of(merged).difference(fields.of(converted))
    gone = gone.intersection(last.fields.with_named_fields(merged.type))
    return remove_items(merged, gone)


class _Fields:
    """The fields of values, found once for values that are equal: what is pruned twice is mostly the same."""

    def __init__(self) -> None:
        self._known: list[tuple[TypedValue, FieldSet]] = []

    def of(self, typed: TypedValue) -> FieldSet:
        """Return all fields of a value, and the declared structs on the way to them."""
        for known, fields in self._known:
            if known.type is typed.type and equal(known.value, typed.value):
                return fields
        fields = to_field_set(typed).with_named_fields(typed.type)
        self._known.append((typed, fields))
        return fields
