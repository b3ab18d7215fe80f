"""What can be wrong with a text: one class for each failure, with the place as fields and a sentence as `str`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.errors import EngineError
from engine.said import said

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands in its document: member names and list indices, from the root."""


def render_path(path: Path) -> str:
    """Return `path` as people write it: `.spec.ports[0]`; the root is `.`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text or "."


@dataclass(eq=False)
class UnreadableDocument(EngineError):
    """A text that is no JSON or no YAML. `line` and `column` count from 1; None where no place is known."""

    found: str
    expected: str = ""
    line: int | None = None
    column: int | None = None
    path: Path | None = None

    def __str__(self) -> str:
        told = self.found
        if self.expected:
            told = said("%(found)s; expected %(expected)s", found=self.found, expected=self.expected)
        return at(self.line, self.column, told)


class EmptyDocument(UnreadableDocument):
    """A text without any document in it: nothing, blanks or comments."""

    def __init__(self) -> None:
        super().__init__(said("the document is empty"), said("a JSON or YAML document"), 1, 1)


class SeveralDocuments(UnreadableDocument):
    """A text of several documents where one is expected; the place is where the second one begins."""

    def __init__(self, count: int, line: int | None, column: int | None) -> None:
        super().__init__(said("the text holds %(count)s documents", count=count), said("one document"), line, column)
        self.count = count


class AnchorLoop(UnreadableDocument):
    """An alias inside the very value that its anchor names."""

    def __init__(self, anchor: str, line: int, column: int) -> None:
        found = said('the anchor "%(anchor)s" contains itself', anchor=anchor)
        super().__init__(found, said("an alias of a value that ends before"), line, column)
        self.anchor = anchor


class UnknownAnchor(UnreadableDocument):
    """An alias without an anchor before it."""

    def __init__(self, anchor: str, line: int, column: int) -> None:
        found = said('the alias "*%(anchor)s" has no anchor', anchor=anchor)
        super().__init__(found, said('"&%(anchor)s" at an earlier value', anchor=anchor), line, column)
        self.anchor = anchor


@dataclass(eq=False)
class DuplicateKey(EngineError):
    """A key that stands twice in one map, where that is refused. `path` ends with the key."""

    path: Path
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        key = self.path[-1] if self.path else ""
        told = said('the key "%(key)s" of %(path)s is already set', key=key, path=render_path(self.path[:-1]))
        return at(self.line, self.column, told)


@dataclass(eq=False)
class LimitExceeded(EngineError):
    """More of something than is allowed: `limit` is a name of LIMIT_NAMES."""

    limit: str
    allowed: int
    found: int | None = None
    line: int | None = None
    column: int | None = None
    path: Path | None = None

    def __str__(self) -> str:
        allowed = f"{self.allowed:,}"
        told = said(
            "the document has %(found)s %(limit)s; at most %(allowed)s are allowed",
            found=said("more than %(number)s", number=allowed) if self.found is None else f"{self.found:,}",
            limit=LIMIT_NAMES.get(self.limit, self.limit),
            allowed=allowed,
        )
        return at(self.line, self.column, told)


LIMIT_NAMES = {
    "bytes": said("bytes"),
    "levels": said("levels"),
    "values": said("values"),
    "aliased values": said("aliased values"),
    "repeated values": said("values by alias"),
    "bytes by alias": said("bytes by alias"),
    "bytes in all": said("bytes in all"),
    "documents": said("documents"),
    "operations": said("operations"),
    "entries of managedFields": said("entries of managedFields"),
    "digits in one number": said("digits in one number"),
}
"""What is counted where there may be too much of it."""


def at(line: int | None, column: int | None, told: str) -> str:
    """Return a text after the place that it is about; the text alone if the line is not known."""
    if line is None:
        return told
    if column is None:
        return said("line %(line)s: %(told)s", line=line, told=told)
    return said("line %(line)s, column %(column)s: %(told)s", line=line, column=column, told=told)
