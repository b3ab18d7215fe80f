"""managedFields as a table: whose entry it is, what it owns, gained, lost and shares, and what is stored."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import EngineError
from engine.fieldpath.element import Path, render_path
from engine.fieldpath.field_set import EMPTY, FieldSet
from engine.fieldpath.fields_v1 import decode_fields_v1
from engine.ownership.blame import Owner
from engine.value.codec import render_json
from engine.value.model import Object
from web.contexts import Badge, Entry, OwnedField
from web.owners import Legend, identity
from web.translation import gettext

MOST_PATHS = 400
"""More readable paths than this are left to the raw form: nobody reads them, and they would make the page slow."""

Identity = tuple[str, str, str, str]


def entries(before: Object | None, after: Object | None, legend: Legend) -> tuple[Entry, ...]:
    """Return the entries of `after`, then those of `before` that are gone, each held against the other object."""
    old = {identity(_owner(stored)): stored for stored in _stored(before)}
    new = {identity(_owner(stored)): stored for stored in _stored(after)}
    owned = {name: _fields(stored) for name, stored in new.items()}
    letters = {name: legend.badge(_owner(stored)).letter for name, stored in new.items()}
    rows = []
    for stored in _stored(after):
        name = identity(_owner(stored))
        held = old.get(name)
        state = "new" if held is None and before is not None else "" if held in (stored, None) else "changed"
        was = _fields(held) if held is not None else EMPTY if before is not None else owned[name]
        rows.append(_entry(stored, was, owned[name], state, legend, _others(owned, letters, name)))
    for name, stored in old.items():
        if name not in new:
            rows.append(_entry(stored, _fields(stored), EMPTY, "gone", legend, _others(owned, letters, name)))
    return tuple(rows)


def entry_owners(obj: Object | None) -> tuple[Owner, ...]:
    """Return whose entries `obj` has, in their order, also of those that no line belongs to."""
    return tuple(_owner(stored) for stored in _stored(obj))


def size_of(obj: Object | None) -> str:
    """Return how much of an object its managedFields are, in a sentence; nothing if it has none."""
    stored = _stored(obj)
    if obj is None or not stored:
        return ""
    whole, part = (len(render_json(each).encode("utf-8", "surrogatepass")) for each in (obj, stored))
    return gettext(
        "managedFields takes %(part)s of the object's %(whole)s bytes (%(share)s %%).",
        part=f"{part:,}",
        whole=f"{whole:,}",
        share=100 * part // whole,
    )


def _owner(stored: Object) -> Owner:
    return Owner(
        manager=str(stored.get("manager", "")),
        operation=str(stored.get("operation", "")),
        subresource=str(stored.get("subresource", "")),
        api_version=str(stored.get("apiVersion", "")),
        time=str(stored.get("time", "")),
    )


def _others(owned: Mapping[Identity, FieldSet], letters: Mapping[Identity, str], name: Identity) -> dict[str, FieldSet]:
    return {letters[other]: fields for other, fields in owned.items() if other != name}


def _entry(
    stored: Object, was: FieldSet, now: FieldSet, state: str, legend: Legend, others: Mapping[str, FieldSet]
) -> Entry:
    badge: Badge = legend.badge(_owner(stored))
    paths = list(now.union(was))
    shown = tuple(_owned(path, was, now, others) for path in paths[:MOST_PATHS])
    return Entry(badge, shown, len(paths) - len(shown), render_json(stored.get("fieldsV1", {}), 2), state)


def _owned(path: Path, was: FieldSet, now: FieldSet, others: Mapping[str, FieldSet]) -> OwnedField:
    change = "lost" if path not in now else "gained" if path not in was else ""
    return OwnedField(render_path(path), change, tuple(letter for letter, fields in others.items() if path in fields))


def _fields(stored: Object) -> FieldSet:
    try:
        return decode_fields_v1(stored.get("fieldsV1", {}))
    except EngineError:
        return EMPTY


def _stored(obj: Object | None) -> list[Object]:
    metadata = obj.get("metadata") if obj else None
    stored = metadata.get("managedFields") if isinstance(metadata, dict) else None
    return [entry for entry in stored if isinstance(entry, dict)] if isinstance(stored, list) else []
