"""The steps around the rules of ownership, each on its own; field_manager.py puts them in their order.

Source: apimachinery's managedfields, as in Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.fieldpath.field_set import EMPTY, field_set
from engine.fieldpath.managed import VersionedSet
from engine.managedfields.entries import Managed
from engine.meta.manager import ManagerIdentifier, updater

ANCIENT = "ancient-changes"
MAX_UPDATE_MANAGERS = 10
"""How many Update entries an object keeps, as the reference's default; older ones fold into one per API version."""

UNOWNED = field_set(
    (
        ("f:apiVersion",),
        ("f:kind",),
        ("f:metadata",),
        *(
            ("f:metadata", f"f:{name}")
            for name in (
                "name",
                "namespace",
                "creationTimestamp",
                "selfLink",
                "uid",
                "clusterName",
                "generation",
                "managedFields",
                "resourceVersion",
            )
        ),
    )
)
"""The fields that nobody owns: what identifies an object, and what the server alone writes."""


def strip_unowned(
    fields: Mapping[ManagerIdentifier, VersionedSet], manager: ManagerIdentifier
) -> dict[ManagerIdentifier, VersionedSet]:
    """Return the ownership without the fields that nobody owns; a manager left with nothing is dropped."""
    out = dict(fields)
    owned = out.get(manager)
    if owned is not None:
        rest = owned.fields.difference(UNOWNED)
        if rest:
            out[manager] = owned.with_fields(rest)
        else:
            del out[manager]
    return out


def cap_updaters(managed: Managed, limit: int = MAX_UPDATE_MANAGERS) -> Managed:
    """Return the ownership with at most `limit` Update entries, or one more per further API version.

    The oldest are folded, per API version, into the entry `ancient-changes`, which gets the time of the latest of them.
    """
    updaters = [manager for manager, owned in managed.fields.items() if not owned.applied]
    excess = len(updaters) - limit
    if excess <= 0:
        return managed
    fields, times = dict(managed.fields), dict(managed.times)
    first_of_version: dict[str, ManagerIdentifier] = {}
    for manager in sorted(updaters, key=lambda each: (managed.times.get(each, ""), each.order)):
        if excess <= 0:
            break
        owned = fields[manager]
        if owned.api_version not in first_of_version:
            first_of_version[owned.api_version] = manager
            continue
        bucket = updater(ANCIENT, owned.api_version)
        if bucket not in fields:
            fields[bucket] = fields.pop(first_of_version[owned.api_version])
        fields[bucket] = owned.with_fields(owned.fields.union(fields[bucket].fields))
        del fields[manager]
        excess -= 1
        times.pop(bucket, None)
        if manager in managed.times:
            times[bucket] = managed.times[manager]
    return Managed(fields, times)


def book_update(
    managed: Managed,
    operation: ManagerIdentifier,
    manager: ManagerIdentifier,
    time: str | None,
) -> Managed:
    """Return the ownership with what `operation`, a stand-in for this very write, took added to `manager`'s entry.

    Only a write that took something gets a time.
    """
    taken = managed.fields.get(operation)
    if taken is None:
        return managed
    fields = {each: owned for each, owned in managed.fields.items() if each != operation}
    before = fields.get(manager)
    fields[manager] = taken.with_fields(taken.fields.union(before.fields if before else EMPTY))
    return managed.with_fields(fields).with_time(manager, time)
