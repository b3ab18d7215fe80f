"""Which lines of two texts belong together, for texts of any length."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from engine.json_patch.alignment import stretches

MOST_COMPARED = 250_000
"""Pairs of lines in the largest stretch that is compared line by line; a larger one is taken as replaced whole."""


class Part(NamedTuple):
    """old[start:end] and new[new_start:new_end]: equal line by line (kept), or one in the place of the other."""

    kept: bool
    start: int
    end: int
    new_start: int
    new_end: int


def parts(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Part]:
    """Yield the parts that make up both sequences, in order; none is empty on both sides."""
    done = new_done = 0
    for start, end, new_start, new_end in stretches(old, new, MOST_COMPARED):
        if done < start:
            yield Part(True, done, start, new_done, new_start)
        yield from _differing(old[start:end], new[new_start:new_end], start, new_start)
        done, new_done = end, new_end
    if done < len(old):
        yield Part(True, done, len(old), new_done, len(new))


def _differing(old: Sequence[Hashable], new: Sequence[Hashable], at: int, new_at: int) -> Iterator[Part]:
    if len(old) * len(new) > MOST_COMPARED:
        yield Part(False, at, at + len(old), new_at, new_at + len(new))
        return
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield Part(tag == "equal", at + i, at + i_end, new_at + j, new_at + j_end)
