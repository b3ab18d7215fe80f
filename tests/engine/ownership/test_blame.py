from __future__ import annotations

import copy
from typing import Any

from engine.ownership.blame import blame
from engine.schema.catalog import definition
from tests.support.cluster import LAB, Cluster, config_map, definition_of, thing
from tests.support.scenario import schema_type


def shown(obj: Any, of: Any = None) -> list[tuple[str, str]]:
    found = blame(obj, of)
    return [
        (line.text.rstrip("\n"), " ".join(found.owners[index].manager for index in line.owners)) for line in found.lines
    ]


def entry(manager: str, fields: Any, **more: Any) -> dict[str, Any]:
    return {
        "manager": manager,
        "operation": "Apply",
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
        **more,
        "fieldsV1": fields,
    }


def test_each_line_tells_its_owners() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v", "l": "v"}), "a")
    cluster.apply(config_map({"k": "v"}), "b")
    lines = dict(shown(cluster.object))
    assert lines["  k: v"] == "b a"
    assert lines["  l: v"] == "a"
    assert lines["data:"] == ""
    assert lines["kind: ConfigMap"] == ""


def test_managed_fields_themselves_are_not_shown() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v"}), "a")
    assert not [text for text, _ in shown(cluster.object) if "managedFields" in text or "f:data" in text]


def test_what_is_in_an_atomic_list_is_its_owners() -> None:
    spec = {"type": "object", "properties": {"args": {"type": "array", "items": {"type": "string"}}}}
    cluster = Cluster(LAB, [definition_of(spec)])
    cluster.apply(thing({"args": ["x", "z"]}), "a")
    info = cluster.server.catalog.kind(LAB)
    assert info is not None
    lines = dict(shown(cluster.object, info.type))
    assert (lines["  args:"], lines["  - x"], lines["  - z"]) == ("a", "a", "a")


def test_an_items_first_line_is_the_member_that_stands_on_it() -> None:
    obj = {"kind": "Pod", "apiVersion": "v1", "spec": {"containers": [{"image": "i", "name": "c"}]}}
    item = 'k:{"name":"c"}'
    fields: dict[str, Any] = {"f:spec": {"f:containers": {item: {".": {}, "f:name": {}}}}}
    other: dict[str, Any] = {"f:spec": {"f:containers": {item: {"f:image": {}}}}}
    obj["metadata"] = {"managedFields": [entry("a", fields), entry("b", other)]}
    lines = shown(obj, definition("io.k8s.api.core.v1.Pod"))
    assert ("  - image: i", "b") in lines
    assert ("    name: c", "a") in lines


def test_a_set_item_is_found_by_its_value() -> None:
    of = schema_type({"properties": {"tags": {"type": "array", "x-kubernetes-list-type": "set"}}, "type": "object"})
    obj = {"tags": ["x", "y"], "metadata": {"managedFields": [entry("a", {"f:tags": {'v:"y"': {}}})]}}
    assert [each for each in shown(obj, of) if each[1]] == [('- "y"', "a")]


def test_entries_that_cannot_be_read_own_nothing() -> None:
    obj = {"data": {"k": "v"}, "metadata": {"managedFields": [entry("a", {"nonsense": {}})]}}
    assert blame(obj).owners == ()
    assert {owner for _, owner in shown(obj)} == {""}


def test_an_owner_tells_its_entry() -> None:
    obj = {"metadata": {"managedFields": [entry("a", {"f:data": {}}, time="t", subresource="status")]}}
    (owner,) = blame(obj).owners
    found = (owner.manager, owner.operation, owner.api_version, owner.time, owner.subresource)
    assert found == ("a", "Apply", "v1", "t", "status")


def test_fields_that_are_not_there_are_nobodys_line() -> None:
    obj = {
        "data": {"k": "v"},
        "metadata": {"managedFields": [entry("a", {"f:data": {"f:gone": {}}, "f:x": {"i:7": {}}})]},
    }
    before = copy.deepcopy(obj)
    assert {owner for _, owner in shown(obj)} == {""}
    assert obj == before
