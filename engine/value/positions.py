"""Where each value of a text stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from engine.value.failures import Path
from engine.value.model import Value

Place: TypeAlias = tuple[int, int]
"""Line and column, both from 1; a column counts characters."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value with the place of each path in it: of a member's key, of an item's first character.

    duplicates: (path, line, column) of each key that repeats an earlier one of its map; the value holds the last.
    """

    value: Value
    positions: dict[Path, Place]
    duplicates: tuple[tuple[Path, int, int], ...] = ()


def place_finder(text: str) -> Callable[[int], Place]:
    """Return the function from an index into `text` to its line and column."""
    starts = [0, *accumulate(len(line) for line in text.split("\n"))]
    starts = [start + number for number, start in enumerate(starts)]

    def place(index: int) -> Place:
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    return place
