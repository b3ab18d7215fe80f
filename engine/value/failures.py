"""What can be wrong with a text: one class for each failure, with the place as fields and a sentence as `str`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.errors import EngineError

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
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{place(self.line, self.column)}{self.found}{expected}"


class EmptyDocument(UnreadableDocument):
    """A text without any document in it: nothing, blanks or comments."""

    def __init__(self) -> None:
        super().__init__("the document is empty", "a JSON or YAML document", 1, 1)


class SeveralDocuments(UnreadableDocument):
    """A text of several documents where one is expected; the place is where the second one begins."""

    def __init__(self, count: int, line: int | None, column: int | None) -> None:
        super().__init__(f"the text holds {count} documents", "one document", line, column)
        self.count = count


class AnchorLoop(UnreadableDocument):
    """An alias inside the very value that its anchor names."""

    def __init__(self, anchor: str, line: int, column: int) -> None:
        super().__init__(f'the anchor "{anchor}" contains itself', "an alias of a value that ends before", line, column)
        self.anchor = anchor


class UnknownAnchor(UnreadableDocument):
    """An alias without an anchor before it."""

    def __init__(self, anchor: str, line: int, column: int) -> None:
        super().__init__(f'the alias "*{anchor}" has no anchor', f'"&{anchor}" at an earlier value', line, column)
        self.anchor = anchor


@dataclass(eq=False)
class DuplicateKey(EngineError):
    """A key that stands twice in one map, where that is refused. `path` ends with the key."""

    path: Path
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        key = self.path[-1] if self.path else ""
        return f'{place(self.line, self.column)}the key "{key}" of {render_path(self.path[:-1])} is already set'


@dataclass(eq=False)
class LimitExceeded(EngineError):
    """More of something than is allowed: `limit` is bytes, levels, values, aliases or documents."""

    limit: str
    allowed: int
    found: int | None = None
    line: int | None = None
    column: int | None = None
    path: Path | None = None

    def __str__(self) -> str:
        found = f"more than {self.allowed:,}" if self.found is None else f"{self.found:,}"
        where = place(self.line, self.column)
        return f"{where}the document has {found} {self.limit}; at most {self.allowed:,} are allowed"


def place(line: int | None, column: int | None) -> str:
    """Return the beginning of a sentence that names a place, or nothing if the line is not known."""
    if line is None:
        return ""
    return f"line {line}: " if column is None else f"line {line}, column {column}: "
