"""What the doctor of managedFields finds, and that its clean-up takes no claim away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fieldpath.element import render_path
from engine.fieldpath.fields_v1 import decode_fields_v1
from engine.meta.gvk import GroupVersionKind
from engine.ownership.checkup import Ailment, Checkup, EntryCheck, examine
from engine.schema.catalog import builtin_catalog
from tests.support.cluster import CONFIG_MAP, Cluster, config_map

TODAY = datetime(2030, 1, 1, 12, tzinfo=UTC)


def checked(obj: Any, **more: Any) -> Checkup:
    return examine(obj, builtin_catalog().type_of(CONFIG_MAP), TODAY, **more)


def entry(manager: str, fields: Any, operation: str = "Update", **more: Any) -> dict[str, Any]:
    made = {"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1"}
    return {**made, "time": "2030-01-01T00:00:00Z", "fieldsV1": fields, **more}


def owned(*entries: dict[str, Any], data: dict[str, str] | None = None) -> dict[str, Any]:
    metadata = {"name": "conf", "namespace": "default", "resourceVersion": "7", "managedFields": list(entries)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data or {"k": "v", "l": "v"}}


def data(*names: str) -> dict[str, Any]:
    return {"f:data": {f"f:{name}": {} for name in names}}


def of(found: Checkup, manager: str) -> EntryCheck:
    return next(each for each in found.entries if each.manager.manager == manager)


def test_a_healthy_object_has_nothing_to_clean_up() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"k": "v", "l": "v"}), "a")
    cluster.apply(config_map({"k": "v"}), "b")
    found = checked(cluster.object)
    # The second apply changed no value, and so got no time: as the server does.
    assert {each.manager.manager: each.ailments for each in found.entries} == {"a": (), "b": (Ailment.UNDATED,)}
    assert (found.clean_up, found.saved, found.updaters) == (None, 0, 0)
    assert 0 < found.bytes < found.object_bytes


def test_a_manager_that_wrote_last_long_ago_is_silent() -> None:
    found = checked(owned(entry("old", data("k"), time="2029-11-01T00:00:00Z"), entry("new", data("l"))))
    assert (of(found, "old").ailments, of(found, "old").days) == ((Ailment.SILENT,), 61)
    assert of(found, "new").ailments == ()
    assert of(checked(owned(entry("x", data("k"))), long=0), "x").ailments == (Ailment.SILENT,)


def test_an_entry_without_a_time_is_undated() -> None:
    assert of(checked(owned(entry("x", data("k"), time=""))), "x").ailments == (Ailment.UNDATED,)
    assert of(checked(owned(entry("x", data("k"), time="yesterday"))), "x").days is None


def test_fields_that_lead_to_nothing_are_dead_and_go() -> None:
    found = checked(owned(entry("x", data("k", "gone"))))
    assert of(found, "x").dead == (".data.gone",)
    assert found.clean_up is not None
    assert found.clean_up[0]["value"][0]["fieldsV1"] == data("k")
    assert found.saved > 0


def test_an_update_that_the_same_managers_apply_covers_goes() -> None:
    found = checked(owned(entry("x", data("k", "l"), "Apply"), entry("x", data("k"))))
    assert Ailment.TWO_OPERATIONS in of(found, "x").ailments
    assert found.clean_up is not None
    assert [each["operation"] for each in found.clean_up[0]["value"]] == ["Apply"]


def test_an_applier_never_gains_what_it_did_not_apply() -> None:
    found = checked(owned(entry("x", data("k"), "Apply"), entry("x", data("k", "l"))))
    assert found.clean_up is None


def test_the_same_manager_in_two_versions_is_told() -> None:
    found = checked(owned(entry("x", data("k", "l")), entry("x", data("k"), apiVersion="v1beta1")))
    assert Ailment.TWO_VERSIONS in of(found, "x").ailments
    assert found.clean_up is not None
    assert [each["apiVersion"] for each in found.clean_up[0]["value"]] == ["v1"]


def test_the_cap_and_the_ancient_entry_are_told() -> None:
    cluster = Cluster()
    cluster.create(config_map({"k": "v"}), "m")
    for number in range(12):
        cluster.update({**cluster.object, "data": {**cluster.object["data"], f"k{number}": "v"}}, f"m{number:02}")
    found = checked(cluster.object)
    assert found.updaters == found.most_updaters == 10
    assert of(found, "ancient-changes").ailments[0] is Ailment.ANCIENT


def test_the_largest_branches_come_first_as_deep_as_they_stay_large() -> None:
    names = [f"a-rather-long-name-{number}" for number in range(50)]
    found = checked(owned(entry("x", {**data(*names), "f:metadata": {"f:labels": {"f:a": {}}}})))
    assert found.branches[0].path == ".data"
    assert [each.bytes for each in found.branches] == sorted((each.bytes for each in found.branches), reverse=True)


NAMES = st.sampled_from(["k", "l", "m", "gone"])
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["Apply", "Update"]),
        st.sampled_from(["v1", "v1beta1"]),
        st.sets(NAMES, min_size=1),
    ),
    max_size=6,
    unique_by=lambda each: each[:2] if each[1] == "Apply" else each[:3],
)


@settings(max_examples=150, deadline=None)
@given(ENTRIES)
def test_nobody_loses_a_claim_on_what_is_there_and_the_server_takes_the_patch(rows: Any) -> None:
    made = [entry(name, data(*fields), operation, apiVersion=version) for name, operation, version, fields in rows]
    obj = owned(*made, data={"k": "v", "l": "v", "m": "v"})
    patch = checked(obj).clean_up
    if patch is None:
        return
    entries = patch[0]["value"]
    assert claims(entries) == claims(made)
    if any(version != "v1" for _, _, version, _ in rows):
        return  # a server drops entries of versions that it does not serve
    cluster = Cluster()
    cluster.create(config_map(obj["data"]), "setup")
    answer = cluster.json_patch([patch[0]], "cleaner")
    stored = answer.body["metadata"].get("managedFields", [{}])
    assert (answer.code, stored) == (200, entries)
    assert entries == [{}] or checked(answer.body).clean_up is None


def claims(entries: Any) -> set[tuple[str, str]]:
    return {
        (each["manager"], render_path(path))
        for each in entries
        for path in decode_fields_v1(each.get("fieldsV1", {}))
        if path[-1] != "f:gone"
    }


def test_fields_of_another_version_are_never_called_dead() -> None:
    found = checked(owned(entry("x", data("gone"), apiVersion="v1beta1")))
    assert of(found, "x").dead == ()


def test_without_a_schema_nothing_is_dead() -> None:
    obj = owned(entry("x", data("gone")))
    assert GroupVersionKind("", "v1", "ConfigMap") == CONFIG_MAP
    assert examine(obj, None, TODAY).clean_up is None
