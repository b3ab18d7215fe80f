"""The lines of an object as HTML.

By hand and not by a template: a page of 5,000 lines takes 40 ms this way and 700 ms with a macro call for each line and
badge (measured with 5,000 lines of one owner, CPython 3.11). A line is as little as it can be, since a browser reads
all of them after each key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock

from markupsafe import Markup, escape

from web.contexts import Badge, Line
from web.translation import gettext as _
from web.translation import ngettext

_SIGNS = {"added": "+", "removed": "−", "contested": "!"}
_ELEMENTS = {"added": "ins", "removed": "del"}
_HARMLESS = re.compile(r"[^&<>\"']*")


@dataclass(frozen=True, slots=True)
class LineList:
    """List items for lines, and the name of the whole list, which follows from what is in it.

    Where a browser holds another list, `items` are only those that are new to it: `start` items from its beginning and
    `end` items at its end stay. held is the name of that list, empty if all items are here.
    """

    name: str
    items: Markup
    held: str = ""
    start: int = 0
    end: int = 0


def line_list(lines: Iterable[Line], held: str = "") -> LineList:
    """Return a list item for each line: its owners' badges, its sign and its text, and both in words.

    held: the name of the list that a browser holds, so that only what is new to it is sent: of 500 lines after a key,
    most are not, and a browser needs 20 ms to read them.
    """
    owners: dict[tuple[Badge, ...], str] = {(): _nobody()}
    changes = {"added": _("added:"), "removed": _("removed:"), "contested": _("contested:")}
    signs = {name: _sign(word, _SIGNS[name]) for name, word in changes.items()} | {"": ""}
    items = [_left_out(line) if line.folded else _item(line, owners, signs) for line in lines]
    whole = "".join(items)
    name = blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    before = _SHELF.get(held)
    if len(whole) <= MOST_KEPT:
        _SHELF.put(name, items)
    if before is None:
        return LineList(name, Markup(whole))
    start = _same(before, items)
    end = _same(before[start:][::-1], items[start:][::-1])
    return LineList(name, Markup("".join(items[start : len(items) - end])), held, start, end)


def _same(before: Sequence[str], items: Sequence[str]) -> int:
    """Return how many items two lists have in common from the start."""
    pairs = enumerate(zip(before, items, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(items)))


MOST_KEPT = 500_000
"""Characters of a list that is kept; a longer one is sent whole every time."""


class _Shelf:
    """The lists that were sent last, by name. A name is a digest, so who knows it knows the list."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._kept: dict[str, list[str]] = {}

    def get(self, name: str) -> list[str] | None:
        return self._kept.get(name)

    def put(self, name: str, items: list[str]) -> None:
        with self._lock:
            self._kept.pop(name, None)
            self._kept[name] = items
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]


_SHELF = _Shelf(64)


def _sign(word: str, sign: str) -> str:
    return f'<span class="unseen">{escape(word)} </span><span class="sign" aria-hidden="true">{sign}</span>'


def _left_out(line: Line) -> str:
    n = line.folded
    told = ngettext("%(number)s line is left out here", "%(number)s lines are left out here", n, number=f"{n:,}")
    return f'<li class="folded">{escape(told)}</li>\n'


def _item(line: Line, owners: dict[tuple[Badge, ...], str], signs: Mapping[str, str]) -> str:
    if line.badges not in owners:
        owners[line.badges] = _owned(line.badges)
    more = f'<b class="more">+{line.more}</b>' if line.more else ""
    change = f" {line.change}" if line.change else ""
    element = _ELEMENTS.get(line.change)
    text = f"<{element}>{_safe(line.text)}</{element}>" if element else f'<span class="text">{_safe(line.text)}</span>'
    return (
        f'<li class="line {line.stripe}{change}" data-path="{_safe(line.path)}" data-letters="{line.letters}">'
        f"{owners[line.badges]}{more}</span>{signs[line.change]}{text}</li>\n"
    )


def _safe(text: str) -> str:
    return text if _HARMLESS.fullmatch(text) else str(escape(text))


def _owned(badges: tuple[Badge, ...]) -> str:
    names = escape(", ".join(badge.manager for badge in badges))
    return f'<span class="unseen">{names}: </span><span class="owners" aria-hidden="true">{"".join(map(_mark, badges))}'


def _nobody() -> str:
    heard, shown = escape(_("no owner:")), escape(_("no owner"))
    return (
        f'<span class="unseen">{heard} </span><span class="owners" aria-hidden="true">'
        f'<b class="no-owner" title="{shown}">·</b>'
    )


def _mark(badge: Badge) -> str:
    return f'<b class="badge owner-{badge.colour} pattern-{badge.pattern}">{escape(badge.letter)}</b>'
