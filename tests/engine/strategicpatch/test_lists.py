"""How items of merged lists are found, and the order that they come in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import builtin_catalog
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.failures import MissingMergeKey, NotAMap
from engine.strategicpatch.lists import Positions, finder, sort_by


@pytest.mark.parametrize("key", ["1", 1, 1.0, True, None])
def test_a_merge_key_is_found_by_its_kind_and_value(key: Any) -> None:
    items = [{"name": each} for each in (None, True, 1, "1", 1.0)]
    found = Positions(items, "name").of(key)
    assert type(items[found]["name"]) is type(key)


def test_an_item_before_the_one_that_is_looked_for_must_be_a_map() -> None:
    for key in ("a", 1):
        with pytest.raises(NotAMap):
            Positions([1, {"name": key}], "name").of(key)


def test_of_items_with_one_key_the_first_is_found_that_still_has_it() -> None:
    positions = Positions([{"name": "a"}, {"x": 1}, {"name": "a"}], "name")
    assert positions.of("a") == 0
    positions.drop_first("a")
    assert positions.of("a") == 2
    positions.add(3, {"name": "b"})
    assert positions.of("b") == 3
    positions.drop_first("a")
    assert positions.of("a") == -1


def test_an_item_that_loses_its_key_is_found_no_more() -> None:
    pod = builtin_catalog().type_of(GroupVersionKind("", "v1", "Pod"))
    live = [{"name": None, "image": "x"}, {"name": None, "image": "y"}]
    positions = Positions(live, "name")
    assert positions.of(None) == 0
    positions.drop_first(None)
    assert positions.of(None) == 1
    patch = {"spec": {"containers": [{"name": None}, {"name": None}]}}
    with pytest.raises(MissingMergeKey):  # as the sort that follows does
        apply_strategic_merge_patch({"spec": {"containers": live}}, patch, pod)


def inserted(items: list[int], order: list[int]) -> list[int]:
    """The reference's insertion sort, step by step; an item that `order` lacks is less than any, and any than it."""
    find = finder(order, "", "int64")
    done: list[tuple[int, int]] = []
    for item in items:
        rank, at = find(item), len(done)
        while at > 0 and (rank < 0 or done[at - 1][0] < 0 or rank < done[at - 1][0]):
            at -= 1
        done.insert(at, (rank, item))
    return [item for _, item in done]


@given(st.lists(st.integers(0, 12), max_size=12), st.lists(st.integers(0, 9), max_size=10))
def test_items_are_sorted_as_the_reference_inserts_them(items: list[int], order: list[int]) -> None:
    assert sort_by(items, order, "", "int64") == inserted(items, order)
