"""Values as trees of numbered nodes: two values are equal exactly if their numbers are.

Numbering makes all comparisons of a diff comparisons of integers, and tells how long each value is as JSON.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from json.encoder import encode_basestring
from typing import Any

from engine.value.model import Value


class Numbers(Enum):
    """Whether a number counts by its type, too."""

    APART = "apart"
    """1 and 1.0 are two values: a document is kept to the letter."""
    ALIKE = "alike"
    """1 and 1.0 are one value, as they are to RFC 6902 and to a server that reads and writes them again."""


class Node:
    """A value with its number, its size as compact JSON in bytes, and its members or items (None: a scalar)."""

    __slots__ = ("id", "kids", "size", "value")

    def __init__(self, value: Value, number: int, size: int, kids: dict[str, Node] | list[Node] | None) -> None:
        self.value, self.id, self.size, self.kids = value, number, size, kids


class Numbering:
    """Gives numbers to values: equal ones get the same number, in all documents that one numbering reads.

    nodes: how many values it has read, those inside others included.
    """

    def __init__(self, numbers: Numbers = Numbers.APART) -> None:
        self._numbers = numbers
        self._known: dict[Hashable, int] = {}
        self._scalars: dict[Hashable, Node] = {}
        self._texts: dict[str, Node] = {}
        self.nodes = 0

    def read(self, value: Value) -> Node:
        """Return the tree of `value`. Equal scalars are one node."""
        self.nodes += 1
        if isinstance(value, str):
            return self._texts.get(value) or self._text(value)
        if isinstance(value, dict):
            return self._map(value)
        return self._list(value) if isinstance(value, list) else self._scalar(value)

    def _map(self, value: dict[str, Any]) -> Node:
        members: dict[str, Node] = {}
        size, key = 1 + (len(value) or 1), []
        for name, member in value.items():
            members[name] = node = self.read(member)
            size += (self._texts.get(name) or self._text(name)).size + 1 + node.size
            key.append((name, node.id))
        return Node(value, self._number(frozenset(key)), size, members)

    def _list(self, value: list[Any]) -> Node:
        items = [self.read(item) for item in value]
        size = sum([node.size for node in items]) + max(len(items) - 1, 0) + 2
        return Node(value, self._number(tuple([node.id for node in items])), size, items)

    def _text(self, value: str) -> Node:
        node = self._texts[value] = Node(value, self._number(("s", value)), text_size(value), None)
        return node

    def _scalar(self, value: bool | int | float | None) -> Node:
        key: Hashable
        if value is None or isinstance(value, bool):
            key, size = ("c", value), 5 if value is False else 4
        elif isinstance(value, float) and not (self._numbers is Numbers.ALIKE and value.is_integer()):
            key, size = ("f", repr(value)), len(repr(value))
        else:
            key, size = ("i", int(value)), len(str(int(value)))
        node = self._scalars.get(key)
        if node is None:
            node = self._scalars[key] = Node(value, self._number(key), size, None)
        return node

    def _number(self, key: Hashable) -> int:
        return self._known.setdefault(key, len(self._known))


def text_size(text: str) -> int:
    """Return how many bytes `text` takes as a JSON string, quotes included."""
    written = encode_basestring(text)
    return len(written) if written.isascii() else len(written.encode("utf-8", "surrogatepass"))
