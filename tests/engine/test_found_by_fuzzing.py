"""What `python -m tests.fuzz` found, as the smallest input that showed it."""

from __future__ import annotations

from datetime import UTC, datetime

from engine.evaluation import Write, WriteKind, evaluate
from engine.explanation import explain
from engine.json_patch.trace import differences

CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def test_a_write_to_an_object_whose_owners_cannot_be_read_is_explained() -> None:
    live = {**CONFIG_MAP, "metadata": {"name": "a", "managedFields": [{"manager": "m"}]}, "data": {"k": "v"}}
    write = Write(WriteKind.JSON_MERGE, live, {"data": {"k": "w"}})
    done = evaluate(write, now=datetime(2030, 1, 1, tzinfo=UTC), new_uid=lambda: "u")
    assert done.code == 200
    assert any(reason.steps == ("data", "k") for reason in explain(write, done))


def test_an_index_of_five_thousand_digits_is_no_number() -> None:
    assert differences({"a": [1]}, [{"op": "remove", "path": "/a/" + "9" * 5000}]) == ()
    [found] = differences({"a": [1]}, [{"op": "copy", "from": "/b", "path": "/" + "9" * 5000}])
    assert "null" in found.told


def test_a_patch_of_what_a_server_makes_up_is_explained() -> None:
    patch = [
        {"op": "test", "path": "/metadata/namespace", "value": "default"},
        {"op": "add", "path": "/data", "value": {"k": "w"}},
    ]
    write = Write(WriteKind.JSON_PATCH, CONFIG_MAP, patch)
    done = evaluate(write, now=datetime(2030, 1, 1, tzinfo=UTC), new_uid=lambda: "u")
    assert done.code == 200
    assert any(reason.steps == ("data", "k") for reason in explain(write, done))
