from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from engine.value.equality import compare, equal, order_key
from tests.engine.value.strategies import small_values

APART = [
    ("a boolean is no number", True, 1),
    ("false is not zero", False, 0),
    ("a float of one is not true", True, 1.0),
    ("null is not false", None, False),
    ("text of a digit is no number", "1", 1),
    ("nothing is not an empty list", None, []),
    ("an empty list is no empty map", [], {}),
    ("booleans are told apart inside lists", [[1]], [[True]]),
    ("booleans are told apart inside maps", {"a": {"b": 0}}, {"a": {"b": False}}),
    ("the order of items counts", [1, 2], [2, 1]),
]
SAME = [
    ("one is one, whatever its notation", 1, 1.0),
    ("the order of members does not count", {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ("numbers are compared by value inside a list", [1, [2.0]], [1.0, [2]]),
]


@pytest.mark.parametrize(("phrase", "a", "b"), APART)
def test_values_apart(phrase: str, a: object, b: object) -> None:
    assert not equal(a, b)
    assert compare(a, b) == -compare(b, a) or compare(a, b) * compare(b, a) < 0


@pytest.mark.parametrize(("phrase", "a", "b"), SAME)
def test_values_alike(phrase: str, a: object, b: object) -> None:
    assert equal(a, b)
    assert compare(a, b) == 0


@given(small_values, small_values)
def test_order_is_zero_exactly_where_values_are_equal(a: object, b: object) -> None:
    assert (compare(a, b) == 0) == equal(a, b)


@given(small_values, small_values, small_values)
def test_order_is_total(a: object, b: object, c: object) -> None:
    ordered = sorted([a, b, c], key=order_key)
    assert all(compare(x, y) <= 0 for (i, x), (j, y) in product(enumerate(ordered), repeat=2) if i <= j)
