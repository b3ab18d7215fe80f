"""Which items of two lists belong together, with bounded work.

The equal ends of both lists are set aside first. What is left is aligned exactly (longest common subsequence) where
the table for that is small; else the items that occur once on either side, in the longest order they share, cut the
lists into stretches, which are aligned in turn. A stretch that is still too large keeps its items apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence

MAX_TABLE = 250_000
"""Cells of the largest table that is filled: a tenth of a second of work."""

Pair = tuple[int, int]


def align(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[Pair]:
    """Return pairs of positions of equal items, both positions growing from pair to pair."""
    return _align(before, after, 0, len(before), 0, len(after))


def _align(a: Sequence[Hashable], b: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int) -> list[Pair]:
    head: list[Pair] = []
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        head.append((a0, b0))
        a0, b0 = a0 + 1, b0 + 1
    tail: list[Pair] = []
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
        tail.append((a1, b1))
    return head + _middle(a, b, a0, a1, b0, b1) + tail[::-1]


def _middle(a: Sequence[Hashable], b: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int) -> list[Pair]:
    if a0 == a1 or b0 == b1:
        return []
    if (a1 - a0) * (b1 - b0) <= MAX_TABLE:
        return [(a0 + i, b0 + j) for i, j in _longest_common(a[a0:a1], b[b0:b1])]
    anchors = _anchors(a, b, a0, a1, b0, b1)
    if not anchors:
        return []
    pairs: list[Pair] = []
    for i, j in anchors:
        pairs += [*_align(a, b, a0, i, b0, j), (i, j)]
        a0, b0 = i + 1, j + 1
    return pairs + _align(a, b, a0, a1, b0, b1)


def _longest_common(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Pair]:
    """Return the longest common subsequence by the table of the lengths that remain."""
    width = len(b)
    table = [[0] * (width + 1)]
    for item in reversed(a):
        below, row = table[-1], [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            row[j] = below[j + 1] + 1 if item == b[j] else max(below[j], row[j + 1])
        table.append(row)
    table.reverse()
    pairs, i, j = [], 0, 0
    while i < len(a) and j < width:
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable], a0: int, a1: int, b0: int, b1: int) -> list[Pair]:
    """Return the items that occur once in either stretch, in the longest order that both share."""
    once_a, once_b = Counter(a[a0:a1]), Counter(b[b0:b1])
    place = {b[j]: j for j in range(b0, b1) if once_b[b[j]] == 1}
    pairs = [(i, place[a[i]]) for i in range(a0, a1) if once_a[a[i]] == 1 and a[i] in place]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[Pair]) -> list[Pair]:
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
