"""Apply and update on typed values: the rules of ownership.

Apply: reconcile ownership with the schema -> merge the intent over the live value -> take away what the manager
applied last time, does not apply now, and nobody else owns -> whoever else owns a field whose value this changes is in
conflict; with force he loses it.
Update: whoever writes takes the fields that changed or came; fields that went are taken from everybody.

Ownership is a map from a manager to its VersionedSet. What a manager is does not matter: any hashable value is one.
A manager that wrote in another API version is judged in that version: `Versions` converts.

Source: structured-merge-diff's merge.Updater, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.fieldpath.managed import VersionedSet
from engine.merge.conflict import Conflict, Conflicts
from engine.merge.prune import prune
from engine.merge.versions import Versions
from engine.typed.compare import Comparison, compare
from engine.typed.merge import merge
from engine.typed.reconcile import reconcile
from engine.typed.to_field_set import to_field_set
from engine.typed.typed_value import TypedValue
from engine.value.equality import equal

Owner = TypeVar("Owner", bound=Hashable)


def apply(
    live: TypedValue,
    config: TypedValue,
    api_version: str,
    managers: Mapping[Owner, VersionedSet],
    manager: Owner,
    versions: Versions,
    *,
    force: bool,
) -> tuple[TypedValue | None, dict[Owner, VersionedSet]]:
    """Return the new value, None if nothing changed, and the ownership after `manager` applied `config` to `live`.

    live and config are of `api_version`.

    Raises:
        Conflicts: without force, if the apply changes what others own.
        UnmergeableItem: live or config hold an item of an associative list that cannot be merged.
    """
    owners = _reconciled(live, managers, versions)
    merged = merge(live, config)
    last = owners.get(manager)
    writable = versions.writable
    owners[manager] = VersionedSet(writable.of(to_field_set(config)), api_version, True)
    if last is not None:
        last = last.with_fields(writable.of(last.fields))
    pruned = prune(merged, owners, manager, last, versions)
    owners, _ = _settle(live, pruned, api_version, owners, manager, versions, force=force)
    return (None if equal(live.value, pruned.value) else pruned), owners


def update(
    live: TypedValue,
    new: TypedValue,
    api_version: str,
    managers: Mapping[Owner, VersionedSet],
    manager: Owner,
    versions: Versions,
) -> dict[Owner, VersionedSet]:
    """Return the ownership after `manager` replaced `live` by `new`; both are of `api_version`."""
    owners = _reconciled(live, managers, versions)
    owners, comparison = _settle(live, new, api_version, owners, manager, versions, force=True)
    mine = owners[manager].fields if manager in owners else EMPTY
    mine = mine.difference(comparison.removed).union(comparison.modified).union(comparison.added)
    owners[manager] = VersionedSet(mine, api_version, False)
    return _without_empty(owners)


def _reconciled(
    live: TypedValue, managers: Mapping[Owner, VersionedSet], versions: Versions
) -> dict[Owner, VersionedSet]:
    """The ownership under the schema as it is now, without managers of versions that are no more."""
    owners: dict[Owner, VersionedSet] = {}
    for manager, owned in managers.items():
        converted = versions.convert(live, owned.api_version)
        if converted is not None:
            owners[manager] = owned.with_fields(reconcile(owned.fields, converted.type))
    return owners


def _settle(
    before: TypedValue,
    after: TypedValue,
    api_version: str,
    managers: dict[Owner, VersionedSet],
    writer: Owner,
    versions: Versions,
    *,
    force: bool,
) -> tuple[dict[Owner, VersionedSet], Comparison]:
    """Take from all others what the writer changed, or refuse; take from all but the writer what is gone."""
    compared = _Compared(before, after, versions)
    own = compared.at(api_version)
    assert own is not None
    owners: dict[Owner, VersionedSet] = {}
    conflicts: list[tuple[Owner, FieldSet]] = []
    for manager, owned in managers.items():
        if manager == writer:
            owners[manager] = owned
            continue
        comparison = compared.at(owned.api_version)
        if comparison is None:
            continue
        contested = owned.fields.intersection(comparison.modified.union(comparison.added))
        if contested:
            conflicts.append((manager, contested))
        owners[manager] = owned.with_fields(owned.fields.difference(contested).difference(comparison.removed))
    if conflicts and not force:
        raise Conflicts(tuple(Conflict(manager, path) for manager, fields in conflicts for path in fields))
    return _without_empty(owners), own


class _Compared:
    """The comparison of two values in each API version that is asked for, made once."""

    def __init__(self, before: TypedValue, after: TypedValue, versions: Versions) -> None:
        self._before, self._after, self._versions = before, after, versions
        self._made: dict[str, Comparison | None] = {}

    def at(self, api_version: str) -> Comparison | None:
        """Return the comparison of the writable fields in that version, or None if the version is no more."""
        if api_version not in self._made:
            self._made[api_version] = self._make(api_version)
        return self._made[api_version]

    def _make(self, api_version: str) -> Comparison | None:
        before = self._versions.convert(self._before, api_version)
        after = self._versions.convert(self._after, api_version)
        if before is None or after is None:
            return None
        return compare(before, after).of(self._versions.writable)


def _without_empty(managers: dict[Owner, VersionedSet]) -> dict[Owner, VersionedSet]:
    return {manager: owned for manager, owned in managers.items() if owned.fields}
