"""What every ObjectStore does, whatever it keeps objects in."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.apiserver.storage import Change, ObjectKey, ObjectStore, Raced, TooOld
from tests.web.storage.conftest import MakeStore


def key(name: str, namespace: str = "default", resource: str = "configmaps", group: str = "") -> ObjectKey:
    return ObjectKey(group, resource, namespace, name)


def body(name: str, value: str = "v") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": value}}


def version(obj: Any) -> str:
    return str(obj["metadata"]["resourceVersion"])


def names(store: ObjectStore, resource: str = "configmaps", namespace: str = "", group: str = "") -> list[str]:
    return [obj["metadata"]["name"] for obj in store.list_objects(group, resource, namespace)]


def test_what_is_put_is_got(store: ObjectStore) -> None:
    given = body("a", "€ \u0000 \U0001f600")
    kept = copy.deepcopy(given)
    stored = store.put(key("a"), given, None)
    assert given == kept
    assert stored == {**given, "metadata": {"name": "a", "resourceVersion": str(store.revision)}}
    assert store.get(key("a")) == stored


@pytest.mark.parametrize("value", [1, 1.5, 2**63 - 1, -(2**63), True, None, [], {}, ["a", {"b": [0.1, 1e300]}]])
def test_every_value_comes_back_as_it_was(store: ObjectStore, value: Any) -> None:
    store.put(key("a"), {**body("a"), "data": value}, None)
    found = store.get(key("a"))
    assert found is not None
    assert (found["data"], type(found["data"])) == (value, type(value))


def test_what_is_not_there_is_none(store: ObjectStore) -> None:
    assert store.get(key("a")) is None
    assert store.delete(key("a"), None) is None
    assert names(store) == []
    assert store.changes(store.revision) == []


def test_an_object_is_found_under_its_whole_key_only(store: ObjectStore) -> None:
    store.put(key("a"), body("a"), None)
    for other in (key("b"), key("a", "x"), key("a", resource="secrets"), key("a", group="g"), key("A"), key("a ")):
        assert store.get(other) is None


def test_a_list_is_sorted_and_of_one_resource_and_namespace(store: ObjectStore) -> None:
    for name, namespace in (("b", "x"), ("a", "y"), ("c", "x"), ("a", "x"), ("a-b", "x"), ("a.b", "x")):
        store.put(key(name, namespace), body(name), None)
    store.put(key("s", "x", "secrets"), body("s"), None)
    store.put(key("g", "x", group="g"), body("g"), None)
    assert names(store) == ["a", "a-b", "a.b", "b", "c", "a"]
    assert names(store, namespace="y") == ["a"]
    assert names(store, "secrets", "x") == ["s"]
    assert names(store, group="g") == ["g"]
    assert names(store, namespace="z") == []


def test_one_counter_counts_every_write_and_nothing_else(store: ObjectStore) -> None:
    start = store.revision
    first = store.put(key("a"), body("a"), None)
    second = store.put(key("b", resource="secrets"), body("b"), None)
    third = store.put(key("a"), body("a", "w"), version(first))
    gone = store.delete(key("b", resource="secrets"), version(second))
    assert [int(version(each)) for each in (first, second, third, gone)] == [start + n for n in (1, 2, 3, 4)]
    with pytest.raises(Raced):
        store.put(key("a"), body("a"), None)
    store.delete(key("missing"), None)
    store.get(key("a"))
    assert store.revision == start + 4


@pytest.mark.parametrize("expected", [None, "1", "", "999"])
def test_a_put_over_another_version_changes_nothing(store: ObjectStore, expected: str | None) -> None:
    stored = store.put(key("a"), body("a"), None)
    before = store.revision
    with pytest.raises(Raced) as caught:
        store.put(key("a"), body("a", "w"), expected)
    assert str(caught.value) == "configmaps a changed while it was being written"
    assert (store.get(key("a")), store.revision) == (stored, before)
    assert len(store.changes(before - 1)) == 1


def test_a_put_that_expects_a_version_makes_no_new_object(store: ObjectStore) -> None:
    with pytest.raises(Raced):
        store.put(key("a"), body("a"), "1")
    assert store.get(key("a")) is None


def test_a_removal_of_another_version_changes_nothing(store: ObjectStore) -> None:
    first = store.put(key("a"), body("a"), None)
    second = store.put(key("a"), body("a", "w"), version(first))
    with pytest.raises(Raced):
        store.delete(key("a"), version(first))
    assert store.get(key("a")) == second
    gone = store.delete(key("a"), version(second))
    assert gone is not None
    assert gone["data"] == {"k": "w"}
    assert (store.get(key("a")), version(gone)) == (None, str(store.revision))


def test_a_removal_without_a_version_takes_whatever_is_there(store: ObjectStore) -> None:
    store.put(key("a"), body("a"), None)
    assert store.delete(key("a"), None) is not None
    assert store.get(key("a")) is None
    assert version(store.put(key("a"), body("a"), None)) == str(store.revision)


def test_changes_tell_every_write_in_order_with_before_and_after(store: ObjectStore) -> None:
    start = store.revision
    first = store.put(key("a"), body("a"), None)
    second = store.put(key("a"), body("a", "w"), version(first))
    gone = store.delete(key("a"), None)
    told = [
        Change(start + 1, key("a"), None, first),
        Change(start + 2, key("a"), first, second),
        Change(start + 3, key("a"), gone, None),
    ]
    assert store.changes(start) == told
    assert store.changes(start + 1) == told[1:]
    assert store.changes(start + 3) == store.changes(start + 99) == []


def test_a_past_that_is_forgotten_is_too_old_and_what_is_kept_has_no_gap(make_store: MakeStore) -> None:
    store = make_store(10)
    start, stored = store.revision, None
    for number in range(45):
        stored = store.put(key("a"), body("a", str(number)), version(stored) if stored else None)
    with pytest.raises(TooOld) as caught:
        store.changes(start)
    assert str(caught.value).startswith(f"too old resource version: {start} (")
    oldest = caught.value.oldest
    assert start < oldest <= store.revision - 10
    kept = [change.revision for change in store.changes(oldest)]
    assert kept == list(range(oldest + 1, store.revision + 1))
