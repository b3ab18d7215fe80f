from __future__ import annotations

import json
import random
import time
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.json_patch.alignment import align
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import diff
from engine.json_patch.operation import Dialect
from engine.value.equality import equal
from tests.engine.value.strategies import small_values, values

CASES: list[tuple[str, Any, Any, list[dict[str, Any]]]] = [
    ("equal documents", {"a": [1, {"b": 2.0}]}, {"a": [1, {"b": 2}]}, []),
    ("a member more", {}, {"a/b": 1}, [{"op": "add", "path": "/a~1b", "value": 1}]),
    ("a member less", {"~": 1}, {}, [{"op": "remove", "path": "/~0"}]),
    ("another value", {"a": {"b": 1}}, {"a": {"b": 2}}, [{"op": "replace", "path": "/a/b", "value": 2}]),
    ("a number that becomes a boolean", [1], [True], [{"op": "replace", "path": "/0", "value": True}]),
    ("an item in front", [1, 2, 3], [0, 1, 2, 3], [{"op": "add", "path": "/0", "value": 0}]),
    ("an item at the end", [1, 2], [1, 2, 3], [{"op": "add", "path": "/2", "value": 3}]),
    ("an item from the middle", [1, 2, 3], [1, 3], [{"op": "remove", "path": "/1"}]),
    (
        "a change inside an item",
        [{"n": 1, "v": "a", "w": [1, 2, 3]}],
        [{"n": 1, "v": "b", "w": [1, 2, 3]}],
        [{"op": "replace", "path": "/0/v", "value": "b"}],
    ),
    ("another kind of value", {"a": []}, {"a": {}}, [{"op": "replace", "path": "/a", "value": {}}]),
    (
        "all is new: one replacement",
        {"a": {"b": 1, "c": 2}},
        {"a": {"d": 3, "e": 4}},
        [{"op": "replace", "path": "/a", "value": {"d": 3, "e": 4}}],
    ),
]


@pytest.mark.parametrize(("phrase", "before", "after", "patch"), CASES, ids=[case[0] for case in CASES])
def test_patch(phrase: str, before: Any, after: Any, patch: Any) -> None:
    assert diff(before, after) == patch


def check(before: Any, after: Any) -> None:
    untouched = json.dumps([before, after])
    patch = diff(before, after)
    assert equal(apply_json_patch(before, patch, Dialect.STRICT), after)
    if patch:
        assert equal(jsonpatch.apply_patch(*json.loads(json.dumps([before, patch]))), after)
    if isinstance(before, dict) and isinstance(after, dict):
        assert equal(apply_json_patch(before, patch, Dialect.KUBERNETES), after)
    assert json.dumps([before, after]) == untouched
    assert equal(before, after) == (patch == [])


@given(small_values, small_values)
def test_a_patch_between_alike_values_gives_the_second(before: Any, after: Any) -> None:
    check(before, after)


@given(values, values)
def test_a_patch_between_any_values_gives_the_second(before: Any, after: Any) -> None:
    check(before, after)


few = st.lists(st.sampled_from([0, 1, True, "a", [], [1], {"a": 1}, {"a": True}]), max_size=8)


@given(few, few)
def test_a_patch_between_lists_gives_the_second(before: Any, after: Any) -> None:
    check(before, after)


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_an_alignment_pairs_equal_items_in_rising_order(a: list[int], b: list[int]) -> None:
    pairs = align(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in zip(pairs, pairs[1:], strict=False))


@pytest.mark.parametrize("size", [3000])
def test_long_lists_take_bounded_time(size: int) -> None:
    items = [{"name": f"item-{n}", "value": n} for n in range(size)]
    shuffled = items[:]
    random.Random(1).shuffle(shuffled)
    changed = [{**item, "value": -1} if n % 10 == 0 else item for n, item in enumerate(items)]
    for other in (items[1:], [{"name": "new"}, *items], shuffled, changed, [0] * size, items[::-1]):
        before = time.monotonic()
        patch = diff(items, other)
        assert equal(apply_json_patch(items, patch, Dialect.STRICT), other) or len(patch) > 10_000
        assert time.monotonic() - before < 10
    assert len(diff(items, [{"name": "new"}, *items])) == 1
    assert len(diff(items, changed)) == size // 10
