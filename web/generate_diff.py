"""The visual diff of two documents: what changed line by line, with the unchanged folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.generate.exact import render_exactly
from engine.value.codec import render_yaml
from engine.value.document import Document, Format
from web.contexts import DiffGroup, DiffLine
from web.line_diff import parts

CONTEXT = 3
"""Unchanged lines that stay visible on either side of a change."""


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
    for part in parts(old, new):
        if part.kept:
            numbers = zip(range(part.start, part.end), range(part.new_start, part.new_end), strict=True)
            yield from (DiffLine(old[i], "", i + 1, j + 1) for i, j in numbers)
        else:
            yield from (DiffLine(old[n], "removed", n + 1, 0) for n in range(part.start, part.end))
            yield from (DiffLine(new[n], "added", 0, n + 1) for n in range(part.new_start, part.new_end))


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
