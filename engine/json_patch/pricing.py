"""What operations cost: their bytes as compact JSON, and in precise mode so much for each that their number decides."""

from __future__ import annotations

from collections.abc import Mapping

from engine.json_patch.numbering import Node, text_size
from engine.json_patch.options import Fewest

OPERATION = 1 << 32
"""The price of one operation where operations are counted: more than all bytes of any patch."""

_COMMA = 1
REMOVE = len('{"op":"remove","path":""}') + _COMMA
ADD = len('{"op":"add","path":"","value":}') + _COMMA
REPLACE = len('{"op":"replace","path":"","value":}') + _COMMA
MOVE = len('{"op":"move","from":"","path":""}') + _COMMA


class Prices:
    """The prices of operations. `path` is always the length of a pointer in bytes.

    gone and come tell for some values, by number, which share of the price of a move their removal or their arrival
    costs: what leaves one place and arrives at another is one operation.
    """

    def __init__(self, fewest: Fewest, gone: Mapping[int, float], come: Mapping[int, float]) -> None:
        self.each = OPERATION if fewest is Fewest.OPERATIONS else 0
        self.member_replace = REPLACE if fewest is Fewest.OPERATIONS else ADD
        self._gone, self._come = gone, come
        self._ends = 2 if gone or come else 1

    def least(self, path: int) -> int:
        """Return what any change costs at least: a removal, or one end of a move."""
        return (self.each + REMOVE + path) // self._ends

    def remove(self, node: Node, path: int) -> int:
        """Return the price of removing a value, or its share of moving it."""
        price = self.each + REMOVE + path
        share = self._gone.get(node.id)
        return price if share is None else min(price, int(share * self.move(path, path)))

    def add(self, node: Node, path: int) -> int:
        """Return the price of adding a value, or its share of moving it."""
        price = self.each + ADD + path + node.size
        share = self._come.get(node.id)
        return price if share is None else min(price, int(share * self.move(path, path)))

    def replace(self, node: Node, path: int) -> int:
        """Return the price of replacing an item of a list by `node`."""
        return self.each + REPLACE + path + node.size

    def replace_member(self, node: Node, path: int) -> int:
        """Return the price of replacing a member of a map: where bytes count, `add` does it and is shorter."""
        price = self.each + self.member_replace + path + node.size
        share = self._come.get(node.id)
        return price if share is None else min(price, int(share * self.move(path, path)))

    def move(self, source: int, target: int) -> int:
        """Return the price of a move."""
        return self.each + MOVE + source + target


def step_size(step: str | int) -> int:
    """Return how many bytes a step takes in a pointer that stands in a JSON string, its slash included."""
    if isinstance(step, int):
        return len(str(step)) + 1
    return text_size(step) - 1 + step.count("~") + step.count("/")
