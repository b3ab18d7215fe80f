from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.json_patch.alignment import longest_rising, stretches

numbers = st.lists(st.integers(0, 4), max_size=40)


@given(numbers, numbers, st.integers(0, 50))
def test_outside_of_the_stretches_items_are_equal_in_pairs(a: list[int], b: list[int], most: int) -> None:
    i = j = 0
    for a0, a1, b0, b1 in [*stretches(a, b, most), (len(a), len(a), len(b), len(b))]:
        assert a[i:a0] == b[j:b0]
        assert a0 <= a1
        assert b0 <= b1
        i, j = a1, b1


def test_long_lists_are_cut_where_runs_are_unlike_all_others() -> None:
    r = random.Random(3)
    a = [r.randrange(9) for _ in range(5000)]
    b = list(a)
    for _ in range(300):
        b[r.randrange(len(b))] = r.randrange(9)
    assert max((a1 - a0) * (b1 - b0) for a0, a1, b0, b1 in stretches(a, b, 400)) <= 10_000


@given(st.permutations(range(9)))
def test_the_longest_rising_run_rises_and_cannot_be_longer(order: list[int]) -> None:
    run = longest_rising(list(enumerate(order)))
    assert all(x < y for (_, x), (_, y) in zip(run, run[1:], strict=False))
    best = [1] * len(order)
    for i, value in enumerate(order):
        best[i] += max((best[k] for k in range(i) if order[k] < value), default=0)
    assert len(run) == max(best)
