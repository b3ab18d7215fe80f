"""What the schema page tells: checked against the API's documentation, and for every field of every built-in kind."""

from __future__ import annotations

import pytest

from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import builtin_catalog
from engine.schema.describe import FieldDescription, NoSuchField, Parting, describe
from engine.schema.structural import custom_type
from engine.value.model import MISSING


def of(kind: str, path: str) -> tuple[FieldDescription, ...]:
    group_version, _, name = kind.rpartition("/")
    group, _, version = group_version.rpartition("/")
    type_ref = builtin_catalog().type_of(GroupVersionKind(group, version, name))
    assert type_ref is not None
    return describe(type_ref, path)


def field(kind: str, path: str) -> FieldDescription:
    return of(kind, path)[0]


def test_ports_of_a_container_are_told_apart_by_two_keys_but_merged_by_one() -> None:
    ports = field("v1/Pod", ".spec.containers[].ports")
    assert (ports.list_type, ports.keys, ports.patch.merge_key) == (
        "map",
        ("containerPort", "protocol"),
        "containerPort",
    )
    assert ports.parting is Parting.KEYS


def test_a_selector_is_owned_whole_and_so_is_what_is_inside() -> None:
    selector, *below = of("apps/v1/Deployment", ".spec.selector")
    assert (selector.map_type, selector.parting) == ("atomic", Parting.MAP_WHOLE)
    assert {each.inside for each in below} == {".spec.selector"}


def test_the_strategy_of_a_deployment_retains_keys() -> None:
    assert field("apps/v1/Deployment", ".spec.strategy").parting is Parting.RETAINED


def test_container_arguments_are_atomic_for_both() -> None:
    args = field("v1/Pod", ".spec.containers[].args")
    assert (args.list_type, args.parting) == ("atomic", None)


def test_defaults_are_those_that_the_server_fills_in() -> None:
    found = {each.path: each.default for each in of("apps/v1/Deployment", ".spec")[1:]}
    assert (found[".spec.replicas"], found[".spec.revisionHistoryLimit"], found[".spec.paused"]) == (1, 10, MISSING)


def test_members_of_a_free_map_have_a_star_for_a_name() -> None:
    assert [each.path for each in of("v1/ConfigMap", ".data")] == [".data", ".data.*"]
    assert field("v1/ConfigMap", ".data.app").path == ".data.app"


@pytest.mark.parametrize("item", ["[]", "[0]", "[-1]", '[name="web"]', '[name="a]\\"b",port=80]', "[name=web]", "[*]"])
def test_an_item_is_found_however_it_is_named(item: str) -> None:
    found = field("apps/v1/Deployment", f".spec.template.spec.containers{item}.image")
    assert found.path == ".spec.template.spec.containers[].image"
    assert field("v1/Pod", f".metadata.finalizers{item.replace('name', '')}").path == ".metadata.finalizers[]"


@pytest.mark.parametrize("path", [".spec.replica", ".spec.replicas.x", "[", ".spec[]"])
def test_a_path_that_the_schema_does_not_have_is_told_with_what_there_is(path: str) -> None:
    with pytest.raises(NoSuchField) as caught:
        of("apps/v1/Deployment", path)
    assert path in str(caught.value)


def test_every_field_of_every_built_in_kind_can_be_described() -> None:
    for info in builtin_catalog().kinds.values():
        open_paths = [""]
        while open_paths:
            path = open_paths.pop()
            first, *below = describe(info.type, path)
            assert first.path == path
            open_paths += [each.path for each in below if each.opens and each.path.count(".") < 3]


def test_a_custom_resource_has_no_strategic_merge() -> None:
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}},
    }
    tags = describe(custom_type(schema), ".tags", custom=True)[0]
    assert (tags.list_type, tags.parting) == ("set", Parting.ABSENT)


def test_a_recursive_schema_opens_as_deep_as_one_looks() -> None:
    path = ".spec.versions[].schema.openAPIV3Schema.properties.*.properties.*.items"
    assert field("apiextensions.k8s.io/v1/CustomResourceDefinition", path).kind == "anything"
