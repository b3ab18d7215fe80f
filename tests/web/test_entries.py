"""managedFields as a table: what each owner has, gained, lost and shares."""

from __future__ import annotations

from typing import Any

from web.entries import entries, entry_owners, size_of
from web.owners import legend


def obj(*owned: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """Return an object with entries: manager, operation, the fields of data."""
    stored = [
        {
            "manager": manager,
            "operation": operation,
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": fields},
        }
        for manager, operation, fields in owned
    ]
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "managedFields": stored}}


def table(before: Any, after: Any) -> list[tuple[str, str, list[tuple[str, str, tuple[str, ...]]]]]:
    marks = legend([entry_owners(before), entry_owners(after)])
    return [
        (row.badge.manager, row.state, [(field.path, field.change, field.others) for field in row.fields])
        for row in entries(before, after, marks)
    ]


X: dict[str, Any] = {"f:x": {}}
Y: dict[str, Any] = {"f:y": {}}


def test_what_nobody_touched_is_plain() -> None:
    held = obj(("a", "Apply", X))
    assert table(held, held) == [("a", "", [(".data.x", "", ())])]


def test_gained_and_lost_fields_are_told() -> None:
    assert table(obj(("a", "Apply", X)), obj(("a", "Apply", Y))) == [
        ("a", "changed", [(".data.x", "lost", ()), (".data.y", "gained", ())])
    ]


def test_a_new_owner_gains_all_that_it_has_and_shares_some() -> None:
    assert table(obj(("a", "Apply", X)), obj(("a", "Apply", X), ("b", "Apply", {**X, **Y}))) == [
        ("a", "", [(".data.x", "", ("B",))]),
        ("b", "new", [(".data.x", "gained", ("A",)), (".data.y", "gained", ())]),
    ]


def test_an_owner_that_is_gone_is_told_last() -> None:
    assert table(obj(("a", "Apply", X), ("b", "Update", X)), obj(("a", "Apply", X))) == [
        ("a", "", [(".data.x", "", ())]),
        ("b", "gone", [(".data.x", "lost", ("A",))]),
    ]


def test_the_live_object_alone_has_gained_nothing() -> None:
    assert table(None, obj(("a", "Apply", X))) == [("a", "", [(".data.x", "", ())])]


def test_fields_that_cannot_be_read_own_nothing() -> None:
    broken = obj(("a", "Apply", X))
    broken["metadata"]["managedFields"][0]["fieldsV1"] = {"x:": {}}
    assert table(None, broken) == [("a", "", [])]


def test_the_size_is_told_in_bytes() -> None:
    told = size_of(obj(("a", "Apply", X)))
    assert told.startswith("managedFields takes 1")
    assert told.endswith(" %).")
    assert size_of({"metadata": {}}) == size_of(None) == ""
