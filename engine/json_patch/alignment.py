"""Cuts two long lists into short stretches that differ.

What both lists hold in the same order is kept: their equal ends, then runs of items that occur once in either list
(single items, else groups of four, eight or sixteen in a row), in the longest order that both share. What lies between
such runs is cut in turn, until it is short enough to be compared item by item or nothing holds it together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TypeAlias

Pair: TypeAlias = tuple[int, int]
Stretch: TypeAlias = tuple[int, int, int, int]
"""Where items differ: a[start:end] and b[start:end], as (start of a, end of a, start of b, end of b)."""

_RUNS = (1, 4, 8, 16)


def stretches(a: Sequence[Hashable], b: Sequence[Hashable], most: int) -> list[Stretch]:
    """Return the stretches in which `a` and `b` differ, in order; all other items are equal in pairs.

    A stretch of more than `most` pairs of items is one that could not be cut.
    """
    return list(_cut(a, b, (0, len(a), 0, len(b)), most))


def _cut(a: Sequence[Hashable], b: Sequence[Hashable], stretch: Stretch, most: int) -> Iterator[Stretch]:
    pending = [stretch]
    while pending:
        a0, a1, b0, b1 = whole = _without_equal_ends(a, b, pending.pop())
        if a0 == a1 and b0 == b1:
            continue
        found = [] if (a1 - a0) * (b1 - b0) <= most else _runs(a, b, whole)
        if not found:
            yield whole
            continue
        inner = []
        for i, j in found:
            if i < a0 or j < b0:
                continue  # an earlier run has grown over it
            inner.append((a0, i, b0, j))
            a0, b0 = _end_of_run(a, b, (i, a1, j, b1))
        pending += [*inner, (a0, a1, b0, b1)][::-1]


def _without_equal_ends(a: Sequence[Hashable], b: Sequence[Hashable], stretch: Stretch) -> Stretch:
    a0, a1, b0, b1 = stretch
    a0, b0 = _end_of_run(a, b, stretch)
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
    return a0, a1, b0, b1


def _end_of_run(a: Sequence[Hashable], b: Sequence[Hashable], stretch: Stretch) -> Pair:
    a0, a1, b0, b1 = stretch
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        a0, b0 = a0 + 1, b0 + 1
    return a0, b0


def _runs(a: Sequence[Hashable], b: Sequence[Hashable], stretch: Stretch) -> list[Pair]:
    a0, a1, b0, b1 = stretch
    for length in _RUNS:
        if min(a1 - a0, b1 - b0) < length:
            break
        found = _anchors(_grouped(a[a0:a1], length), _grouped(b[b0:b1], length))
        if found:
            return [(a0 + i, b0 + j) for i, j in found]
    return []


def _grouped(items: Sequence[Hashable], length: int) -> Sequence[Any]:
    return items if length == 1 else list(zip(*(items[shift:] for shift in range(length)), strict=False))


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Pair]:
    """Return where the items stand that occur once in either list, in the longest order that both share."""
    once_a, once_b = Counter(a), Counter(b)
    place = {item: j for j, item in enumerate(b) if once_b[item] == 1}
    return longest_rising([(i, place[item]) for i, item in enumerate(a) if once_a[item] == 1 and item in place])


def longest_rising(pairs: list[Pair]) -> list[Pair]:
    """Return the longest subsequence of `pairs` whose second positions grow (patience sorting)."""
    ends: list[int] = []  # the least second position that a rising run of each length can end with
    last: list[int] = []  # the pair that does so
    previous: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        last[length : length + 1] = [number]
        previous.append(last[length - 1] if length else -1)
    run, number = [], last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = previous[number]
    return run[::-1]
