from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import builtin_catalog
from engine.schema.elements import Atom, ListType, MapType, Scalar, ScalarType, StructField, TypeRef
from engine.schema.patch_meta import PatchMeta
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.diff import diff
from engine.strategicpatch.failures import MissingMergeKey, PatchConflict
from engine.strategicpatch.three_way import three_way_strategic_patch

POD = builtin_catalog().type_of(GroupVersionKind("", "v1", "Pod"))
DEPLOYMENT = builtin_catalog().type_of(GroupVersionKind("apps", "v1", "Deployment"))


def items(*names: str) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


# phrase, before, after, patch; all of a Pod's spec
CASES: list[tuple[str, Any, Any, Any]] = [
    ("nothing", {"a": [1]}, {"a": [1]}, {}),
    ("a scalar", {"nodeName": "a"}, {"nodeName": "b"}, {"nodeName": "b"}),
    ("a member gone", {"nodeName": "a"}, {}, {"nodeName": None}),
    (
        "a member inside an item",
        {"containers": [{"name": "a", "image": "1", "tty": True}]},
        {"containers": [{"name": "a", "image": "2", "tty": True}]},
        {"containers": [{"name": "a", "image": "2"}], "$setElementOrder/containers": items("a")},
    ),
    (
        "an item more",
        {"containers": items("b")},
        {"containers": items("a", "b")},
        {"containers": items("a"), "$setElementOrder/containers": items("a", "b")},
    ),
    (
        "an item less",
        {"containers": items("a", "b")},
        {"containers": items("b")},
        {"containers": [{"name": "a", "$patch": "delete"}], "$setElementOrder/containers": items("b")},
    ),
    (
        "another order only",
        {"containers": items("a", "b")},
        {"containers": items("b", "a")},
        {"$setElementOrder/containers": items("b", "a")},
    ),
    ("an atomic list", {"tolerations": [{"key": "a"}]}, {"tolerations": []}, {"tolerations": []}),
    (
        "a volume of another kind",
        {"volumes": [{"name": "v", "emptyDir": {}}]},
        {"volumes": [{"name": "v", "secret": {}}]},
        {
            "volumes": [{"name": "v", "emptyDir": None, "secret": {}, "$retainKeys": ["name", "secret"]}],
            "$setElementOrder/volumes": items("v"),
        },
    ),
]


@pytest.mark.parametrize(("phrase", "before", "after", "patch"), CASES, ids=[case[0] for case in CASES])
def test_patch(phrase: str, before: Any, after: Any, patch: Any) -> None:
    made = diff({"spec": before}, {"spec": after}, POD)
    assert made == ({"spec": patch} if patch else {})
    assert apply_strategic_merge_patch({"spec": before}, made, POD) == {"spec": after}


def test_scalars_that_merge_are_added_deleted_and_ordered() -> None:
    before, after = {"metadata": {"finalizers": ["a", "b"]}}, {"metadata": {"finalizers": ["c", "b"]}}
    patch = diff(before, after, POD)
    assert patch == {
        "metadata": {
            "finalizers": ["c"],
            "$deleteFromPrimitiveList/finalizers": ["a"],
            "$setElementOrder/finalizers": ["c", "b"],
        }
    }
    assert apply_strategic_merge_patch(before, patch, POD) == after


def test_an_item_without_its_merge_key_cannot_be_compared() -> None:
    with pytest.raises(MissingMergeKey):
        diff({"spec": {"containers": items("a")}}, {"spec": {"containers": [{"image": "x"}]}}, POD)


# phrase, last applied, manifest, live, patch; all of a Deployment
THREE_WAY: list[tuple[str, Any, Any, Any, Any]] = [
    (
        "a label dropped from the manifest goes, one that others set stays",
        {"labels": {"a": "1", "b": "2"}},
        {"labels": {"a": "1"}},
        {"labels": {"a": "1", "b": "2", "c": "3"}},
        {"labels": {"b": None}},
    ),
    (
        "drift is set back",
        {"labels": {"a": "1"}},
        {"labels": {"a": "1"}},
        {"labels": {"a": "9"}},
        {"labels": {"a": "1"}},
    ),
    ("what is right already is not sent", {"labels": {"a": "1"}}, {"labels": {"a": "2"}}, {"labels": {"a": "2"}}, {}),
    (
        "a finalizer dropped from the manifest",
        {"finalizers": ["a", "b"]},
        {"finalizers": ["b"]},
        {"finalizers": ["a", "b"]},
        {"$deleteFromPrimitiveList/finalizers": ["a"], "$setElementOrder/finalizers": ["b"]},
    ),
]


@pytest.mark.parametrize(
    ("phrase", "original", "modified", "current", "patch"), THREE_WAY, ids=[c[0] for c in THREE_WAY]
)
def test_three_way(phrase: str, original: Any, modified: Any, current: Any, patch: Any) -> None:
    made = three_way_strategic_patch({"metadata": original}, {"metadata": modified}, {"metadata": current}, DEPLOYMENT)
    assert made == ({"metadata": patch} if patch else {})


def test_without_leave_to_overwrite_a_change_of_others_is_a_conflict() -> None:
    original, modified, current = ({"spec": {"replicas": n}} for n in (1, 2, 3))
    assert three_way_strategic_patch(original, modified, current, DEPLOYMENT) == {"spec": {"replicas": 2}}
    with pytest.raises(PatchConflict):
        three_way_strategic_patch(original, modified, current, DEPLOYMENT, overwrite=False)
    assert three_way_strategic_patch(original, current, current, DEPLOYMENT, overwrite=False) == {}


TEXT = TypeRef(Atom(scalar=Scalar(ScalarType.STRING)))


def list_of(inner: TypeRef) -> TypeRef:
    return TypeRef(Atom(list=ListType(inner)))


def struct(**fields: StructField) -> TypeRef:
    return TypeRef(Atom(map=MapType(fields)), "example.Thing")


def thing() -> TypeRef:
    """Return a recursive type with a field of every strategy."""
    merged = PatchMeta(("merge",), "name")
    retained = PatchMeta(("merge", "retainKeys"), "name")
    itself: TypeRef = TypeRef(
        lambda: Atom(
            map=MapType(
                {
                    "name": StructField("name", TEXT),
                    "a": StructField("a", TEXT),
                    "labels": StructField("labels", TypeRef(Atom(map=MapType(values=TEXT)))),
                    "tags": StructField("tags", list_of(TEXT), patch=PatchMeta(("merge",))),
                    "args": StructField("args", list_of(TEXT)),
                    "items": StructField("items", list_of(itself), patch=merged),
                    "volumes": StructField("volumes", list_of(itself), patch=retained),
                    "strategy": StructField("strategy", itself, patch=PatchMeta(("retainKeys",))),
                }
            )
        ),
        "example.Thing",
    )
    return itself


THING = thing()
words = st.sampled_from(["x", "y", "z"])


def keyed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(words, inner, max_size=3).map(
        lambda found: [{**item, "name": name} for name, item in found.items()]
    )


def members(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "a": words,
            "labels": st.dictionaries(words, words, max_size=2),
            "tags": st.lists(words, unique=True, max_size=3),
            "args": st.lists(words, max_size=3),
            "items": keyed(inner),
            "volumes": keyed(inner),
            "strategy": inner,
        },
    )


leaves = st.fixed_dictionaries({}, optional={"a": words})
things = members(members(leaves) | leaves)


@given(things, things)
def test_a_patch_between_objects_gives_the_second(before: Any, after: Any) -> None:
    untouched = json.dumps([before, after])
    patch = diff(before, after, THING)
    assert apply_strategic_merge_patch(before, patch, THING) == after
    assert (patch == {}) == (before == after)
    assert json.dumps([before, after]) == untouched


@given(things, things, things)
def test_a_three_way_patch_gives_what_is_wanted_and_spares_the_rest(original: Any, modified: Any, current: Any) -> None:
    untouched = json.dumps([original, modified, current])
    patch = three_way_strategic_patch(original, modified, current, THING)
    result = apply_strategic_merge_patch(current, patch, THING)
    for name in ("a", "args"):
        expected = modified.get(name, None if name in original else current.get(name))
        assert result.get(name) == expected
    for name, label in modified.get("labels", {}).items():
        assert result["labels"][name] == label
    assert json.dumps([original, modified, current]) == untouched


@given(things, things)
def test_applying_the_manifest_again_changes_nothing(modified: Any, current: Any) -> None:
    first = apply_strategic_merge_patch(current, three_way_strategic_patch({}, modified, current, THING), THING)
    again = three_way_strategic_patch(modified, modified, first, THING)
    assert apply_strategic_merge_patch(first, again, THING) == first


@pytest.mark.parametrize("type_ref", [THING, None])
def test_deep_objects_do_not_exhaust_the_stack(type_ref: TypeRef | None) -> None:
    before: dict[str, Any] = {"a": "x"}
    after: dict[str, Any] = {"a": "y"}
    for _ in range(190):
        before, after = {"strategy": before}, {"strategy": after}
    patch = diff(before, after, type_ref)
    assert apply_strategic_merge_patch(before, patch, type_ref) == after
