from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.jsonmergepatch.apply import Dialect, apply_merge_patch
from engine.jsonmergepatch.diff import diff
from engine.jsonmergepatch.failures import MergePatchConflict, NoMergePatch, PatchNotAnObject
from engine.jsonmergepatch.three_way import three_way_merge_patch
from engine.value.equality import equal
from tests.engine.value.strategies import names, small_values

STRICT, KUBERNETES = Dialect.STRICT, Dialect.KUBERNETES

# phrase, document, patch, result by RFC 7386, result at the API server
CASES: list[tuple[str, Any, Any, Any, Any]] = [
    ("a new value", {"a": "b"}, {"a": "c"}, {"a": "c"}, {"a": "c"}),
    ("a new member", {"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}, {"a": "b", "b": "c"}),
    ("null removes", {"a": "b", "b": "c"}, {"a": None}, {"b": "c"}, {"b": "c"}),
    ("null on a missing member", {"b": 1}, {"a": None}, {"b": 1}, {"b": 1}),
    ("null inside a map", {"a": {"b": 1, "c": 2}}, {"a": {"b": None}}, {"a": {"c": 2}}, {"a": {"c": 2}}),
    ("a list replaces a list", {"a": [1, 2]}, {"a": [3]}, {"a": [3]}, {"a": [3]}),
    ("a map over a scalar", {"a": 1}, {"a": {"b": 2, "c": None}}, {"a": {"b": 2}}, {"a": {"b": 2}}),
    ("a map over null", {"a": None}, {"a": {"c": None}}, {"a": {}}, {"a": {}}),
    ("a null that is there stays", {"e": None}, {"a": 1}, {"e": None, "a": 1}, {"e": None, "a": 1}),
    ("nulls deep inside a new map", {}, {"a": {"b": {"c": None}}}, {"a": {"b": {}}}, {"a": {"b": {}}}),
    ("nulls in maps in a new list", {}, {"a": [{"b": None, "c": 1}]}, {"a": [{"b": None, "c": 1}]}, {"a": [{"c": 1}]}),
    ("nulls as items of a list", {}, {"a": [None, 1]}, {"a": [None, 1]}, {"a": [None, 1]}),
    ("a list over a list", {"a": [0]}, {"a": [{"b": None}]}, {"a": [{"b": None}]}, {"a": [{}]}),
    ("a list over a map", {"a": {}}, {"a": [{"b": None}]}, {"a": [{"b": None}]}, {"a": [{"b": None}]}),
    ("a list as the patch", {"a": 1}, [1], [1], PatchNotAnObject),
    ("null as the patch", {"a": 1}, None, None, PatchNotAnObject),
    ("a map for a list", [1], {"a": 1}, {"a": 1}, {"a": 1}),
]


@pytest.mark.parametrize(("phrase", "document", "patch", "strict", "kubernetes"), CASES, ids=[c[0] for c in CASES])
def test_applied(phrase: str, document: Any, patch: Any, strict: Any, kubernetes: Any) -> None:
    assert apply_merge_patch(document, patch, STRICT) == strict
    if kubernetes is PatchNotAnObject:
        with pytest.raises(PatchNotAnObject):
            apply_merge_patch(document, patch, KUBERNETES)
    else:
        assert apply_merge_patch(document, patch, KUBERNETES) == kubernetes


@pytest.mark.parametrize(
    ("phrase", "before", "after", "path"),
    [
        ("a new null", {}, {"a": None}, ("a",)),
        ("a value that becomes null", {"a": {"b": 1}}, {"a": {"b": None}}, ("a", "b")),
        ("a null in a map in a new list", {}, {"a": [{"b": None}]}, ("a", 0, "b")),
    ],
)
def test_no_patch_makes_a_null(phrase: str, before: Any, after: Any, path: Any) -> None:
    with pytest.raises(NoMergePatch) as failure:
        diff(before, after)
    assert failure.value.path == path


maps = st.dictionaries(names, small_values, max_size=4)


@given(maps, maps, st.sampled_from(Dialect))
def test_a_patch_between_maps_gives_the_second_or_there_is_none(before: Any, after: Any, dialect: Dialect) -> None:
    untouched = json.dumps([before, after])
    try:
        patch = diff(before, after, dialect)
    except NoMergePatch as failure:
        target = after
        for step in failure.path:
            target = target[step]
        assert target is None
        return
    assert equal(apply_merge_patch(before, patch, dialect), after)
    assert (patch == {}) == equal(before, after)
    assert json.dumps([before, after]) == untouched


@given(maps, maps)
def test_applying_twice_is_applying_once(document: Any, patch: Any) -> None:
    # Not so at the API server: a list that takes the place of a map keeps its nulls, and loses them the next time.
    once = apply_merge_patch(document, patch, STRICT)
    assert equal(apply_merge_patch(once, patch, STRICT), once)


THREE_WAY: list[tuple[str, Any, Any, Any, Any]] = [
    ("nothing to do", {"a": 1}, {"a": 1}, {"a": 1, "b": 2}, {}),
    ("a label dropped from the manifest", {"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 2, "c": 3}, {"b": None}),
    ("what others set survives", {"m": {"a": 1}}, {"m": {"a": 2}}, {"m": {"a": 1, "b": 2}}, {"m": {"a": 2}}),
    ("removal is sent though it is gone already", {"a": 1}, {}, {}, {"a": None}),
    ("a list is replaced whole", {"l": [1]}, {"l": [1, 2]}, {"l": [1, 3]}, {"l": [1, 2]}),
    ("an empty map is a value", {}, {"a": {}}, {}, {"a": {}}),
    ("an empty map over a full one changes nothing", {}, {"a": {}}, {"a": {"b": 1}}, {}),
    ("a new null in the manifest removes", {}, {"a": None}, {"a": 1}, {"a": None}),
    ("drift is set back", {"a": 1}, {"a": 1}, {"a": 2}, {"a": 1}),
]


@pytest.mark.parametrize(
    ("phrase", "original", "modified", "current", "patch"), THREE_WAY, ids=[c[0] for c in THREE_WAY]
)
def test_three_way(phrase: str, original: Any, modified: Any, current: Any, patch: Any) -> None:
    assert three_way_merge_patch(original, modified, current) == patch


@given(maps, maps, maps)
def test_a_three_way_patch_gives_what_is_wanted(original: Any, modified: Any, current: Any) -> None:
    untouched = json.dumps([original, modified, current])
    try:
        patch = three_way_merge_patch(original, modified, current)
    except MergePatchConflict:
        return
    result: Any = apply_merge_patch(current, patch)
    assert all(name not in result for name in original if name not in modified)
    assert all(equal(result[name], value) for name, value in modified.items() if isinstance(value, (str, int, float)))
    assert json.dumps([original, modified, current]) == untouched
