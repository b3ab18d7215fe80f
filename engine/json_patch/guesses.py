"""Guesses which values will be moved: those that may leave one place of the document and arrive at another.

A value that leaves and a value that arrives are one operation if they are equal, but a table of prices for one list
does not see the other. So such values are given only a share of the price, and the plan is made again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.json_patch.numbering import Node
from engine.json_patch.planning import comparable


@dataclass(frozen=True, slots=True)
class Travel:
    """The numbers of values that may be moved; of those, the ones that leave, or are wanted, in any case."""

    numbers: frozenset[int]
    leaving: frozenset[int]
    wanted: frozenset[int]


def may_travel(old: Node, new: Node, least: int = 0) -> Travel:
    """Return which values of at least so many bytes may leave their place in `old` and arrive at one in `new`."""
    gone: set[int] = set()
    come: set[int] = set()
    in_lists_gone: set[int] = set()
    in_lists_come: set[int] = set()
    pending = [(old, new)]
    while pending:
        before, after = pending.pop()
        if isinstance(before.kids, dict) and isinstance(after.kids, dict):
            pending += _compare_members(before.kids, after.kids, gone, come)
        elif isinstance(before.kids, list) and isinstance(after.kids, list):
            ends = _unequal(before.kids, after.kids)
            in_lists_gone |= {node.id for node in _inside(ends[0]) if node.size >= least}
            in_lists_come |= {node.id for node in _inside(ends[1]) if node.size >= least}
    numbers = (gone | in_lists_gone) & (come | in_lists_come)
    return Travel(frozenset(numbers), frozenset(gone & numbers), frozenset(come & numbers))


def _compare_members(
    before: dict[str, Node], after: dict[str, Node], gone: set[int], come: set[int]
) -> list[tuple[Node, Node]]:
    inner = []
    gone |= {node.id for name, node in before.items() if name not in after}
    for name, node in after.items():
        if name in before and comparable(before[name], node):
            if before[name].id != node.id:
                inner.append((before[name], node))
        elif name not in before or before[name].id != node.id:
            come.add(node.id)
    return inner


def _unequal(before: list[Node], after: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return what is left of two lists without their equal ends."""
    start, most = 0, min(len(before), len(after))
    while start < most and before[start].id == after[start].id:
        start += 1
    end = 0
    while end < most - start and before[-1 - end].id == after[-1 - end].id:
        end += 1
    return before[start : len(before) - end], after[start : len(after) - end]


def _inside(nodes: list[Node]) -> Iterator[Node]:
    """Yield the nodes and all nodes inside them."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        pending += node.kids.values() if isinstance(node.kids, dict) else node.kids or ()
