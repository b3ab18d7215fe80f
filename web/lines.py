"""The result line by line: the lines after the write, with those that it removed struck through where they were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from engine.ownership.blame import BlameLine, Owner
from web.contexts import Badge, Line
from web.owners import Legend, stripe

MOST_COMPARED = 4_000
"""Comparing takes the product of the lengths in the worst case: longer stretches are shown as replaced whole."""
MOST_BADGES = 4
"""More owners than this on one line are counted, not shown, so that the text stays where it is."""
PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$-]*\Z")


def result_lines(
    before: Sequence[BlameLine],
    before_owners: Sequence[Owner],
    after: Sequence[BlameLine],
    after_owners: Sequence[Owner],
    legend: Legend,
    contested: frozenset[str] = frozenset(),
    reasons: Mapping[tuple[bool, str], str] | None = None,
) -> tuple[Line, ...]:
    """Return the lines of `after`, in order, with removed lines of `before` among them.

    contested: the paths of fields that another manager holds against the write; their lines are marked.
    reasons: why a field is as it is, by whether it is gone and by its path.
    """
    shown: list[Line] = []
    number = 0
    known: dict[tuple[bool, tuple[int, ...]], tuple[Badge, ...]] = {}
    for change, line in _compared(before, after):
        number += change != "removed"
        held = (change == "removed", line.owners)
        if held not in known:
            owners = before_owners if change == "removed" else after_owners
            known[held] = legend.ordered(owners[index] for index in line.owners)
        badges = known[held]
        place = 0 if change == "removed" else number
        path = path_text(line.path)
        mark = change or ("contested" if path in contested else "")
        why = (reasons or {}).get((change == "removed", path), "")
        shown.append(_line(place, line.text.rstrip("\n"), path, mark, badges, why))
    return tuple(shown)


def gutter(lines: Sequence[Line]) -> int:
    """Return how many badges the widest line shows, the count of the others as one; at least one."""
    return max((len(line.badges) + (line.more > 0) for line in lines), default=1) or 1


def _line(place: int, text: str, path: str, mark: str, badges: tuple[Badge, ...], why: str) -> Line:
    room = badges if len(badges) <= MOST_BADGES else badges[: MOST_BADGES - 1]
    letters = " ".join(badge.letter for badge in badges)
    return Line(place, text, path, mark, room, len(badges) - len(room), letters, stripe(badges), why)


def path_text(path: Sequence[str | int]) -> str:
    """Return `path` as people write it: `.spec.ports[0]`, `.data["a.b"]`."""
    return "".join(map(_step, path))


@lru_cache(maxsize=4096)
def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if PLAIN_NAME.match(step) else f'["{step}"]'


def _compared(before: Sequence[BlameLine], after: Sequence[BlameLine]) -> Iterator[tuple[str, BlameLine]]:
    """Yield (change, line): kept lines have no change; before's removed lines stand ahead of what took their place."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    middle_before, middle_after = before[start : len(before) - end], after[start : len(after) - end]
    yield from (("", line) for line in after[:start])
    yield from _middle(middle_before, middle_after)
    yield from (("", line) for line in after[len(after) - end :])


def _middle(before: Sequence[BlameLine], after: Sequence[BlameLine]) -> Iterator[tuple[str, BlameLine]]:
    if len(before) + len(after) > MOST_COMPARED:
        yield from (("removed", line) for line in before)
        yield from (("added", line) for line in after)
        return
    matcher = SequenceMatcher(None, [_key(line) for line in before], [_key(line) for line in after], autojunk=False)
    for tag, first, last, to_first, to_last in matcher.get_opcodes():
        if tag == "equal":
            yield from (("", line) for line in after[to_first:to_last])
            continue
        yield from (("removed", line) for line in before[first:last])
        yield from (("added", line) for line in after[to_first:to_last])


def _common(before: Sequence[BlameLine], after: Sequence[BlameLine]) -> int:
    """Return how many lines the two have in common from the start."""
    count = 0
    for old, new in zip(before, after, strict=False):
        if old.text != new.text or (old.path != new.path and _key(old) != _key(new)):
            break
        count += 1
    return count


def _key(line: BlameLine) -> tuple[str, tuple[str | int, ...]]:
    """Return what makes two lines the same: their text and where they are; an item's place in its list may shift."""
    return line.text, tuple(0 if isinstance(step, int) else step for step in line.path)
