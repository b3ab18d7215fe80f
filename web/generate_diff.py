"""The visual diff of two documents: what changed line by line, with the unchanged folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from engine.generate.exact import render_exactly
from engine.json_patch.alignment import stretches
from engine.value.codec import render_yaml
from engine.value.document import Document, Format
from web.contexts import DiffGroup, DiffLine

CONTEXT = 3
"""Unchanged lines that stay visible on either side of a change."""
MOST_COMPARED = 250_000
"""Pairs of lines in the largest stretch that is compared line by line; a larger one is shown as replaced whole."""


def diff_groups(before: Document, after: Document) -> tuple[DiffGroup, ...]:
    """Return the lines of both documents, written alike, in groups that are shown or folded."""
    both_json = before.format is Format.JSON and after.format is Format.JSON
    old, new = (_written(document, both_json).splitlines() for document in (before, after))
    lines = list(diff_lines(old, new))
    near = _near_changes(lines)
    numbered = zip(near, lines, strict=True)
    return tuple(
        DiffGroup(tuple(line for _, line in group), folded=not shown)
        for shown, group in groupby(numbered, key=lambda pair: pair[0])
    )


def diff_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    """Yield the lines of both, in order: unchanged ones once, removed ones before those that took their place."""
    i = j = 0
    for a0, a1, b0, b1 in [*stretches(old, new, MOST_COMPARED), (len(old), len(old), len(new), len(new))]:
        yield from _unchanged(old, i, j, a0 - i)
        yield from _stretch(old[a0:a1], new[b0:b1], a0, b0)
        i, j = a1, b1


def _stretch(old: Sequence[str], new: Sequence[str], a0: int, b0: int) -> Iterator[DiffLine]:
    whole = len(old) * len(new) > MOST_COMPARED
    codes = [] if whole else SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for tag, i, i_end, j, j_end in codes or [("replace", 0, len(old), 0, len(new))]:
        if tag == "equal":
            yield from _unchanged(old, i, j, i_end - i, a0, b0)
        else:
            yield from (DiffLine(old[n], "removed", a0 + n + 1, 0) for n in range(i, i_end))
            yield from (DiffLine(new[n], "added", 0, b0 + n + 1) for n in range(j, j_end))


def _unchanged(lines: Sequence[str], i: int, j: int, count: int, a0: int = 0, b0: int = 0) -> Iterator[DiffLine]:
    return (DiffLine(lines[i + n], "", a0 + i + n + 1, b0 + j + n + 1) for n in range(count))


def _near_changes(lines: list[DiffLine]) -> list[bool]:
    """Tell for each line whether it is shown: changed, near a change, or too few to be worth folding."""
    near = [False] * len(lines)
    for number, line in enumerate(lines):
        if line.change:
            for other in range(max(number - CONTEXT, 0), min(number + CONTEXT + 1, len(lines))):
                near[other] = True
    for number, shown in enumerate(near):
        if not shown and all(near[other] for other in (number - 1, number + 1) if 0 <= other < len(near)):
            near[number] = len(near) > 1
    return near


def _written(document: Document, as_json: bool) -> str:
    return render_exactly(document.value, 2) if as_json else render_yaml(document.value)
