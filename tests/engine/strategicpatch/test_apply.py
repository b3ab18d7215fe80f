from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import builtin_catalog
from engine.schema.elements import TypeRef
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.failures import (
    BadElementOrder,
    BadPatchFormat,
    BadPrimitiveListDeletion,
    BadRetainKeys,
    ListMergeDirective,
    MissingMergeKey,
    MixedList,
    OrderMismatch,
    PatchNotAMap,
    StrategicPatchFailure,
    UnknownDirective,
    UnknownField,
    UnorderableList,
    WrongType,
)


def type_of(group: str, version: str, kind: str) -> TypeRef:
    found = builtin_catalog().type_of(GroupVersionKind(group, version, kind))
    assert found is not None
    return found


POD = type_of("", "v1", "Pod")
DEPLOYMENT = type_of("apps", "v1", "Deployment")


def pod(**spec: Any) -> dict[str, Any]:
    return {"spec": spec}


def items(*names: str) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


def order(**lists: list[Any]) -> dict[str, Any]:
    return {f"$setElementOrder/{name}": value for name, value in lists.items()}


# phrase, live object, patch, result; all of a Pod
CASES: list[tuple[str, Any, Any, Any]] = [
    ("a scalar", {"a": 1}, {"a": 2}, {"a": 2}),
    ("null removes", pod(hostNetwork=True, nodeName="n"), pod(hostNetwork=None), pod(nodeName="n")),
    ("null on a missing member", pod(), pod(hostNetwork=None), pod()),
    ("a new value loses its nulls", {}, pod(securityContext={"a": None, "b": 1}), pod(securityContext={"b": 1})),
    (
        "a value of another type replaces",
        {"metadata": {"labels": "x"}},
        {"metadata": {"labels": {"a": "1", "b": None}}},
        {"metadata": {"labels": {"a": "1"}}},
    ),
    (
        "a list without a strategy is replaced",
        pod(tolerations=[{"key": "a"}]),
        pod(tolerations=[{"key": "b"}]),
        pod(tolerations=[{"key": "b"}]),
    ),
    (
        "a sidecar joins, in front of what only the server has",
        pod(containers=items("app")),
        pod(containers=[{"name": "side", "image": "x"}]),
        pod(containers=[{"name": "side", "image": "x"}, {"name": "app"}]),
    ),
    (
        "an item is merged by its key",
        pod(containers=[{"name": "a", "image": "1", "tty": True}]),
        pod(containers=[{"name": "a", "image": "2"}]),
        pod(containers=[{"name": "a", "image": "2", "tty": True}]),
    ),
    (
        "a list inside an item",
        pod(containers=[{"name": "a", "env": items("X")}]),
        pod(containers=[{"name": "a", "env": [{"name": "X", "value": "1"}]}]),
        pod(containers=[{"name": "a", "env": [{"name": "X", "value": "1"}]}]),
    ),
    (
        "$patch: delete in an item",
        pod(containers=items("a", "b")),
        pod(containers=[{"name": "a", "$patch": "delete"}]),
        pod(containers=items("b")),
    ),
    (
        "$patch: delete of a missing item",
        pod(containers=items("a")),
        pod(containers=[{"name": "x", "$patch": "delete"}]),
        pod(containers=items("a")),
    ),
    (
        "$patch: replace in an item",
        pod(containers=items("a", "b")),
        pod(containers=[*items("c"), {"$patch": "replace"}]),
        pod(containers=items("c")),
    ),
    (
        "$patch: replace in a map",
        {"metadata": {"labels": {"a": "1"}}},
        {"metadata": {"labels": {"b": "2", "$patch": "replace"}}},
        {"metadata": {"labels": {"b": "2"}}},
    ),
    (
        "$patch: delete in a map",
        {"metadata": {"labels": {"a": "1"}}},
        {"metadata": {"labels": {"$patch": "delete"}}},
        {"metadata": {"labels": {}}},
    ),
    (
        "$patch without anything to work on drops its map",
        {"metadata": {}},
        {"metadata": {"labels": {"a": "1", "$patch": "merge"}}},
        {"metadata": {}},
    ),
    (
        "$patch items of a new list go",
        pod(),
        pod(containers=[*items("a"), {"name": "b", "$patch": "delete"}]),
        pod(containers=items("a")),
    ),
    (
        "scalars merge as a set",
        {"metadata": {"finalizers": ["a", "b"]}},
        {"metadata": {"finalizers": ["c", "a"]}},
        {"metadata": {"finalizers": ["c", "a", "b"]}},
    ),
    (
        "$deleteFromPrimitiveList",
        {"metadata": {"finalizers": ["a", "b"]}},
        {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a", "x"]}},
        {"metadata": {"finalizers": ["b"]}},
    ),
    (
        "$deleteFromPrimitiveList of a missing list",
        {"metadata": {}},
        {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}},
        {"metadata": {}},
    ),
    (
        "$deleteFromPrimitiveList of null",
        {"metadata": {"finalizers": ["a"]}},
        {"metadata": {"$deleteFromPrimitiveList/finalizers": None}},
        {"metadata": {}},
    ),
    (
        "$setElementOrder alone",
        pod(containers=items("a", "b", "c")),
        pod(**order(containers=items("c", "a"))),
        pod(containers=items("b", "c", "a")),
    ),
    (
        "$setElementOrder of scalars",
        {"metadata": {"finalizers": ["a", "b", "c"]}},
        {"metadata": order(finalizers=["c", "a"])},
        {"metadata": {"finalizers": ["b", "c", "a"]}},
    ),
    (
        "$setElementOrder with a new item",
        pod(containers=items("a", "b")),
        pod(containers=items("n"), **order(containers=items("a", "n", "b"))),
        pod(containers=items("a", "n", "b")),
    ),
    (
        "$setElementOrder with a deletion",
        pod(containers=items("a", "b")),
        pod(containers=[{"name": "a", "$patch": "delete"}], **order(containers=items("b"))),
        pod(containers=items("b")),
    ),
    ("$setElementOrder of a list that is nowhere", pod(), pod(**order(containers=items("a"))), pod()),
    (
        "$setElementOrder of a new list",
        pod(),
        pod(containers=items("a"), **order(containers=items("a"))),
        pod(containers=items("a")),
    ),
    (
        "$retainKeys",
        pod(volumes=[{"name": "v", "emptyDir": {}}]),
        pod(volumes=[{"name": "v", "secret": {}, "$retainKeys": ["name", "secret"]}]),
        pod(volumes=[{"name": "v", "secret": {}}]),
    ),
    (
        "$retainKeys of nothing",
        {"metadata": {"labels": {"a": "1"}}},
        {"metadata": {"labels": {"$retainKeys": []}}},
        {"metadata": {"labels": {}}},
    ),
]


@pytest.mark.parametrize(("phrase", "live", "patch", "result"), CASES, ids=[case[0] for case in CASES])
def test_applied(phrase: str, live: Any, patch: Any, result: Any) -> None:
    before = json.dumps([live, patch])
    assert apply_strategic_merge_patch(live, patch, POD) == result
    assert json.dumps([live, patch]) == before


# phrase, live object, patch, failure, its words
FAILURES: list[tuple[str, Any, Any, type[StrategicPatchFailure], str]] = [
    (
        "an unknown directive in a map",
        {"metadata": {"labels": {"a": "1"}}},
        {"metadata": {"labels": {"b": None, "$patch": "bogus"}}},
        UnknownDirective,
        "unknown patch type: bogus in map: map[$patch:bogus b:<nil>]",
    ),
    (
        "$patch: merge in a map",
        {"metadata": {}},
        {"metadata": {"$patch": "merge"}},
        UnknownDirective,
        "unknown patch type: merge in map: map[$patch:merge]",
    ),
    (
        "$patch: merge in an item",
        pod(containers=items("a")),
        pod(containers=[{"name": "a", "$patch": "merge"}]),
        ListMergeDirective,
        "merging lists cannot yet be specified in the patch",
    ),
    (
        "an unknown directive in an item",
        pod(containers=items("a")),
        pod(containers=[{"name": "a", "$patch": 1}]),
        UnknownDirective,
        "unknown patch type: 1 in map: map[$patch:1 name:a]",
    ),
    (
        "an item without its key",
        pod(containers=items("a")),
        pod(containers=[{"image": "x"}]),
        MissingMergeKey,
        "map: map[image:x] does not contain declared merge key: name",
    ),
    (
        "a deletion without its key",
        pod(containers=items("a")),
        pod(containers=[{"$patch": "delete"}]),
        MissingMergeKey,
        "map: map[$patch:delete] does not contain declared merge key: name",
    ),
    (
        "items of several types",
        pod(containers=items("a")),
        pod(containers=["b"]),
        MixedList,
        "list element types are not identical: [[map[name:a]] [b]]",
    ),
    (
        "$retainKeys that is no list",
        pod(securityContext={"a": 1}),
        pod(securityContext={"$retainKeys": "a"}),
        BadRetainKeys,
        "invalid patch format of retainKeys",
    ),
    (
        "$retainKeys without a member of the patch",
        pod(securityContext={"a": 1}),
        pod(securityContext={"$retainKeys": ["a"], "b": 1}),
        BadRetainKeys,
        "invalid patch format of retainKeys",
    ),
    (
        "$deleteFromPrimitiveList of no list",
        {},
        {"$deleteFromPrimitiveList": ["a"]},
        BadPrimitiveListDeletion,
        "invalid patch format of primitive list",
    ),
    (
        "$setElementOrder of no list",
        {},
        {"$setElementOrder": []},
        BadElementOrder,
        "invalid patch format of setElementOrder list",
    ),
    (
        "$setElementOrder that is no list",
        pod(containers=[]),
        pod(**{"$setElementOrder/containers": "x"}),
        WrongType,
        "expected a []interface {}, but received a string",
    ),
    (
        "$setElementOrder against the patch's own order",
        pod(containers=items("a", "b")),
        pod(containers=items("b", "a"), **order(containers=items("a", "b"))),
        OrderMismatch,
        "The order in patch list:\n[map[name:b] map[name:a]]\n"
        " doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ),
    (
        "$setElementOrder of maps without a merge key",
        pod(tolerations=[{"key": "a"}]),
        pod(**order(tolerations=[{"key": "a"}])),
        UnorderableList,
        "$setElementOrder cannot order the list tolerations: its field declares no merge key to find items by",
    ),
    (
        "a merge into an unknown field",
        {"spec": {"other": {"a": 1}}},
        {"spec": {"other": {"a": 2}}},
        UnknownField,
        'unable to find api field in struct PodSpec for the json field "other"',
    ),
]


@pytest.mark.parametrize(
    ("phrase", "live", "patch", "failure", "words"), FAILURES, ids=[failure[0] for failure in FAILURES]
)
def test_refused(phrase: str, live: Any, patch: Any, failure: type[StrategicPatchFailure], words: str) -> None:
    with pytest.raises(failure) as caught:
        apply_strategic_merge_patch(live, patch, POD)
    assert str(caught.value) == words


@pytest.mark.parametrize("patch", [None, [], "x", 1])
def test_a_patch_is_a_map(patch: Any) -> None:
    with pytest.raises(PatchNotAMap):
        apply_strategic_merge_patch({}, patch, POD)
    assert issubclass(PatchNotAMap, BadPatchFormat)


def test_without_a_type_maps_merge_and_lists_are_replaced() -> None:
    live = {"a": {"b": [1], "c": 1}}
    assert apply_strategic_merge_patch(live, {"a": {"b": [2]}}, None) == {"a": {"b": [2], "c": 1}}


def test_retain_keys_of_a_strategy_drops_the_other_way_to_update() -> None:
    live = {"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}}
    patch = {"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}
    assert apply_strategic_merge_patch(live, patch, DEPLOYMENT) == {"spec": {"strategy": {"type": "Recreate"}}}


NAMES = ["name", "containers", "spec", "metadata", "labels", "finalizers", "tolerations", "volumes", "env", "a"]
DIRECTIVES = [
    "$patch",
    "$retainKeys",
    *(f"{d}/{n}" for d in ("$setElementOrder", "$deleteFromPrimitiveList") for n in NAMES),
]
LEAVES = st.sampled_from([None, True, 1, 1.5, "a", "delete", "replace", "merge", "name"])
JUNK = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES + DIRECTIVES), inner, max_size=4),
    max_leaves=15,
)
MAPS = st.dictionaries(st.sampled_from(["spec", "metadata"]), JUNK, max_size=2)


@given(MAPS, MAPS)
def test_any_patch_gives_an_object_or_a_named_failure(live: Any, patch: Any) -> None:
    before = json.dumps([live, patch])
    with contextlib.suppress(StrategicPatchFailure):
        assert isinstance(apply_strategic_merge_patch(live, patch, POD), dict)
    assert json.dumps([live, patch]) == before
