"""The result line by line: the lines after the write, with those that it removed struck through where they were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.ownership.blame import Blame, BlameLine, Steps
from web.contexts import Badge, Line
from web.line_diff import parts
from web.owners import Legend, stripe

_AROUND = 10
"""Lines before and after a change that stay where lines are left out."""
MOST_BADGES = 4
"""More owners than this on one line are counted, not shown, so that the text stays where it is."""
PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$-]*\Z")


class _Shown(NamedTuple):
    """A line of either side, or (folded: not 0) so many lines in a row that are left out, which all are the result's.

    number: which line of the result it is, from 1; that of the first if they are left out; 0 for a removed one.
    """

    number: int
    change: str
    line: BlameLine
    folded: int = 0


def result_lines(
    before: Blame,
    after: Blame,
    legend: Legend,
    contested: frozenset[str] = frozenset(),
    most: int | None = None,
) -> tuple[Line, ...]:
    """Return the lines of `after`, in order, with removed lines of `before` among them.

    contested: the paths of fields that another manager holds against the write; their lines are marked.
    most: so many lines at most; those that did not change are left out where there are more. None is all.
    """
    shown = _folded(_compared(before.lines, after.lines, contested), most)
    known: dict[tuple[bool, tuple[int, ...]], tuple[Badge, ...]] = {}
    lines: list[Line] = []
    for number, change, line, folded in shown:
        if folded:
            lines.append(Line(number, "", "", "", (), 0, "", "", folded=folded))
            continue
        gone = change == "removed"
        held = gone, line.owners
        if held not in known:
            owners = before.owners if gone else after.owners
            known[held] = legend.ordered(owners[index] for index in line.owners)
        lines.append(_line(number, line.text.rstrip("\n"), path_text(line.path), change, known[held]))
    return tuple(lines)


def gutter(lines: Sequence[Line]) -> int:
    """Return how many badges the widest line shows, the count of the others as one; at least one."""
    return max((len(line.badges) + (line.more > 0) for line in lines), default=1) or 1


def _line(place: int, text: str, path: str, mark: str, badges: tuple[Badge, ...]) -> Line:
    room = badges if len(badges) <= MOST_BADGES else badges[: MOST_BADGES - 1]
    letters = " ".join(badge.letter for badge in badges)
    return Line(place, text, path, mark, room, len(badges) - len(room), letters, stripe(badges))


def path_text(path: Sequence[str | int]) -> str:
    """Return `path` as people write it: `.spec.ports[0]`, `.data["a.b"]`."""
    return "".join(map(_step, path))


@lru_cache(maxsize=4096)
def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if PLAIN_NAME.match(step) else f'["{step}"]'


def _compared(before: Sequence[BlameLine], after: Sequence[BlameLine], contested: frozenset[str]) -> list[_Shown]:
    """Return the lines of both; before's removed lines stand ahead of what took their place."""
    numbers: dict[tuple[str, Steps], int] = {}
    old, new = ([numbers.setdefault(_key(line), len(numbers)) for line in side] for side in (before, after))
    shown: list[_Shown] = []
    for part in parts(old, new):
        if not part.kept:
            shown += [_Shown(0, "removed", line) for line in before[part.start : part.end]]
        change = "" if part.kept else "added"
        for number in range(part.new_start, part.new_end):
            line = after[number]
            mark = "contested" if not change and contested and path_text(line.path) in contested else change
            shown.append(_Shown(number + 1, mark, line))
    return shown


def _folded(shown: list[_Shown], most: int | None) -> list[_Shown]:
    """Leave out what did not change and is far from what did, so that at most `most` lines are left.

    Lines at the beginning stay as far as there is room. If more than `most` changed, the last of those go, too.
    """
    if most is None or len(shown) <= most:
        return shown
    near = {n for at, each in enumerate(shown) if each.change for n in range(at - _AROUND, at + _AROUND + 1)}
    kept = sorted(n for n in near if 0 <= n < len(shown))[:most]
    kept += [n for n in range(len(shown)) if n not in near][: most - len(kept)]
    kept.sort()
    out: list[_Shown] = []
    done = 0
    for place in [*kept, len(shown)]:
        if done < place:
            out.append(shown[done]._replace(folded=place - done))
        if place < len(shown):
            out.append(shown[place])
        done = place + 1
    return out


def _key(line: BlameLine) -> tuple[str, Steps]:
    """Return what makes two lines the same: their text and where they are; an item's place in its list may shift."""
    return line.text, tuple([0 if type(step) is int else step for step in line.path])
