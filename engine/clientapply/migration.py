"""The patch by which `kubectl apply --server-side` takes over what client-side apply owned.

Who applied on the client's side owns the last-applied annotation by an update. Its fields go to the applier's entry:
to the one that is there, else the client's own entry becomes it. Of the client's entries in other API versions, or for
another subresource, the first kind is dropped and the second left alone.

Source: kubectl 1.32 and client-go's csaupgrade.
"""

from __future__ import annotations

from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.managedfields.entries import entries_of
from engine.meta.last_applied import LAST_APPLIED
from engine.meta.manager import APPLY, UPDATE
from engine.meta.object_meta import text_of
from engine.value.model import Object

_ANNOTATION = ("f:metadata", "f:annotations", f"f:{LAST_APPLIED}")


def migration_patch(obj: Object, applier: str) -> list[Object] | None:
    """Return the JSON Patch that gives `applier` what client-side appliers own; None if there is nothing to take over.

    Its second operation makes the server refuse it where the object has changed meanwhile.

    Raises:
        MalformedFields, MalformedElement: an entry's fieldsV1 cannot be read.
    """
    before = _entries(obj)
    after = before
    for manager in sorted(client_side_appliers(obj)):
        after = _taken_over(after, manager, applier)
    if after == before:
        return None
    return [
        {"op": "replace", "path": "/metadata/managedFields", "value": after},
        {"op": "replace", "path": "/metadata/resourceVersion", "value": text_of(obj, "resourceVersion")},
    ]


def client_side_appliers(obj: Object) -> set[str]:
    """Return the names of those who own the last-applied annotation by an update."""
    return {
        str(entry.get("manager", ""))
        for entry in _entries(obj)
        if entry.get("operation") == UPDATE and _ANNOTATION in decode_fields_v1(entry.get("fieldsV1") or {})
    }


def _entries(obj: Object) -> list[Object]:
    found = entries_of(obj)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _is(entry: Object, manager: str, operation: str) -> bool:
    named = entry.get("manager") == manager and entry.get("operation") == operation
    return named and not entry.get("subresource")


def _taken_over(entries: list[Object], client: str, applier: str) -> list[Object]:
    """The entries after an applier has taken over what a client-side applier owns."""
    target = next((i for i, entry in enumerate(entries) if _is(entry, applier, APPLY)), None)
    if target is None:
        target = next((i for i, entry in enumerate(entries) if _is(entry, client, UPDATE)), None)
    if target is None:
        return entries
    entry = {**entries[target], "manager": applier, "operation": APPLY}
    fields = decode_fields_v1(entry.get("fieldsV1") or {})
    same = next((e for e in entries if _is(e, client, UPDATE) and e.get("apiVersion") == entry.get("apiVersion")), None)
    if same is not None:
        fields = fields.union(decode_fields_v1(same.get("fieldsV1") or {}))
    entry["fieldsV1"] = encode_fields_v1(fields)
    changed = [entry if index == target else each for index, each in enumerate(entries)]
    return [each for each in changed if not _is(each, client, UPDATE)]
