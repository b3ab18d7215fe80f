"""What must hold before a write is stored, and what it never changes.

Source: the generic registry of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Hashable

from engine.apiserver.failures import Invalid, StaleVersion
from engine.managedfields.entries import entries_of
from engine.meta.object_meta import metadata_of, text_of, with_metadata, without_metadata
from engine.schema.catalog import KindInfo
from engine.schema.validation.cause import invalid
from engine.value.equality import equal
from engine.value.model import Object

_SERVER_WRITTEN = ("creationTimestamp", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds")


def check_version(new: Object, live: Object, info: KindInfo) -> Object:
    """Return `new` if it may replace `live` as far as resourceVersion tells.

    Without one, or with "0", a write is unconditional, which some kinds refuse.

    Raises:
        StaleVersion: it names another version than the live one.
        Invalid: it names none, and must.
    """
    version = text_of(new, "resourceVersion")
    if version in ("", "0"):
        if info.put_without_resource_version == 422:
            cause = invalid("metadata.resourceVersion", 0, "must be specified for an update")
            raise Invalid(info.resource, info.gvk.group, text_of(live, "name"), (cause,))
        return new
    if version != text_of(live, "resourceVersion"):
        raise StaleVersion(info.resource, info.gvk.group, text_of(live, "name"))
    return new


def with_kept_identity(new: Object, live: Object) -> Object:
    """Return `new` with what the server alone writes as in `live`, and with its uid and namespace if it has none."""
    metadata, old = dict(metadata_of(new)), metadata_of(live)
    for name in _SERVER_WRITTEN:
        metadata.pop(name, None)
        if name in old:
            metadata[name] = old[name]
    for name in ("uid", "namespace", "name"):
        if not metadata.get(name) and name in old:
            metadata[name] = old[name]
    return {**new, "metadata": metadata}


def restored_times(new: Object, live: Object) -> Object:
    """Return `new` with the times of its managedFields as in `live` if nothing but such times changed."""
    mine, theirs = entries_of(new), entries_of(live)
    if not isinstance(mine, list) or not isinstance(theirs, list) or len(mine) != len(theirs):
        return new
    ignored = ("managedFields", "resourceVersion", "generation")
    if not equal(without_metadata(new, *ignored), without_metadata(live, *ignored)):
        return new
    known: dict[Hashable, list[Object]] = {}
    for each in theirs:
        known.setdefault(_who(each), []).append(_timeless(each))
    if not all(any(equal(_timeless(each), other) for other in known.get(_who(each), ())) for each in mine):
        return new
    return with_metadata(new, managedFields=theirs)


def _who(entry: Object) -> Hashable:
    """Return what equal entries share, and few others do."""
    return tuple(str(entry.get(name)) for name in ("manager", "operation", "apiVersion", "subresource"))


def _timeless(entry: Object) -> Object:
    return {name: value for name, value in entry.items() if name != "time"}
