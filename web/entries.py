"""managedFields as a table: whose entry it is, its fields as readable paths, and what is stored."""

from __future__ import annotations

from engine.errors import EngineError
from engine.fieldpath.element import render_path
from engine.fieldpath.fields_v1 import decode_fields_v1
from engine.ownership.blame import Owner
from engine.value.codec import render_json
from engine.value.model import Object
from web.contexts import Entry
from web.owners import Legend

MOST_PATHS = 400
"""More readable paths than this are left to the raw form: nobody reads them, and they would make the page slow."""


def entries(before: Object | None, after: Object | None, legend: Legend) -> tuple[Entry, ...]:
    """Return the entries of `after`; `is_new` marks those that differ from what `before` holds."""
    old = _stored(before)
    return tuple(_entry(stored, stored not in old, legend) for stored in _stored(after))


def entry_owners(obj: Object | None) -> tuple[Owner, ...]:
    """Return whose entries `obj` has, in their order, also of those that no line belongs to."""
    return tuple(_owner(stored) for stored in _stored(obj))


def _owner(stored: Object) -> Owner:
    return Owner(
        manager=str(stored.get("manager", "")),
        operation=str(stored.get("operation", "")),
        subresource=str(stored.get("subresource", "")),
        api_version=str(stored.get("apiVersion", "")),
        time=str(stored.get("time", "")),
    )


def _entry(stored: Object, is_new: bool, legend: Legend) -> Entry:
    fields = stored.get("fieldsV1", {})
    return Entry(legend.badge(_owner(stored)), _paths(fields), render_json(fields, 2), is_new)


def _paths(fields: Object) -> tuple[str, ...]:
    try:
        paths = [render_path(path) for path in decode_fields_v1(fields)]
    except EngineError:
        return ()
    shown = paths[:MOST_PATHS]
    hidden = len(paths) - len(shown)
    return (*shown, f"and {hidden} more, in the raw form") if hidden else tuple(shown)


def _stored(obj: Object | None) -> list[Object]:
    metadata = obj.get("metadata") if obj else None
    stored = metadata.get("managedFields") if isinstance(metadata, dict) else None
    return [entry for entry in stored if isinstance(entry, dict)] if isinstance(stored, list) else []
