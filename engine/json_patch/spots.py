"""The document under change as the writer of a patch sees it, and what takes the place of what.

A spot is a place that holds a value. Spots that change inside hold spots again; all others hold their value untouched
until it is removed, replaced or moved. A pointer is read off the spots as they stand at the moment, so operations may
come in any order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.json_patch.numbering import Node
from engine.json_patch.planning import Key, Plan
from engine.json_patch.pricing import step_size


class Fate(Enum):
    """What becomes of the value of a spot."""

    STAYS = "stays"
    GOES = "goes"
    REPLACED = "replaced"
    TRAVELS = "travels"
    """It is moved to where the plan wants such a value, when the writer comes there."""


class Spot:
    """A place in the document under change.

    key: its name, where the parent is a map. order: for a list that changes, what stands at each position in the end;
    None for what is new. fill: what is moved to a name or position. at: where in its list it stood when last looked at.
    """

    __slots__ = ("alive", "at", "fate", "fill", "items", "key", "members", "node", "order", "parent", "plan")

    def __init__(self, parent: Spot | None, key: Key, node: Node) -> None:
        self.parent, self.key, self.node = parent, key, node
        self.fate, self.alive = Fate.STAYS, True
        self.at = key if isinstance(key, int) else 0
        self.plan: Plan | None = None
        self.items: list[Spot] = []
        self.members: dict[str, Spot] = {}
        self.order: list[Spot | None] = []
        self.fill: dict[Key, Spot] = {}

    @property
    def is_untouched(self) -> bool:
        """True if the value is still what it was, and will be until it goes."""
        return self.alive and self.plan is None

    def steps(self) -> list[Key]:
        """Return the names and positions that lead to it now."""
        found: list[Key] = []
        spot = self
        while spot.parent is not None:
            parent = spot.parent
            found.append(parent.position(spot) if parent.is_list else spot.key)
            spot = parent
        return found[::-1]

    def position(self, spot: Spot) -> int:
        """Return where `spot` stands now in this list."""
        if spot.at >= len(self.items) or self.items[spot.at] is not spot:
            spot.at = self.items.index(spot)
        return spot.at

    @property
    def is_list(self) -> bool:
        """True for a list that changes inside."""
        return self.plan is not None and isinstance(self.plan.before.kids, list)

    def length(self) -> int:
        """Return about how many bytes its pointer takes."""
        spot, size = self, 0
        while spot.parent is not None:
            size += step_size(spot.key)
            spot = spot.parent
        return size


@dataclass(frozen=True, slots=True)
class Opening:
    """A place that wants a new value: a name or position of `parent`. replaces: what stands there, if anything."""

    parent: Spot
    key: Key
    node: Node
    replaces: Spot | None = None

    def length(self) -> int:
        """Return about how many bytes its pointer takes."""
        return self.parent.length() + step_size(self.key)


def spread(root: Spot, plan: Plan) -> None:
    """Lay out the spots of everything that changes inside `root`."""
    root.plan = plan
    if isinstance(plan.before.kids, dict):
        _spread_map(root, plan, plan.before.kids)
    elif isinstance(plan.before.kids, list):
        _spread_list(root, plan, plan.before.kids)


def _spread_map(root: Spot, plan: Plan, kids: dict[str, Node]) -> None:
    root.members = {name: Spot(root, name, node) for name, node in kids.items()}
    wanted: Any = plan.after.kids
    for name, spot in root.members.items():
        if name not in wanted:
            spot.fate = Fate.GOES
    for link in plan.links:
        spot = root.members[str(link.source)]
        if link.replaced:
            spot.fate = Fate.REPLACED
        elif link.plan is not None:
            spread(spot, link.plan)


def _spread_list(root: Spot, plan: Plan, kids: list[Node]) -> None:
    spots = [Spot(root, index, node) for index, node in enumerate(kids)]
    root.items = spots[:]
    root.order = [None] * len(plan.after.kids or ())
    for spot in spots:
        spot.fate = Fate.GOES
    for link in plan.links:
        spot = spots[int(link.source)]
        spot.fate = Fate.REPLACED if link.replaced else Fate.STAYS
        root.order[int(link.target)] = spot
        if link.plan is not None:
            spread(spot, link.plan)
    for link in plan.moved:
        spot = spots[int(link.source)]
        spot.fate = Fate.TRAVELS
        root.fill[link.target] = spot
        if link.plan is not None:
            spread(spot, link.plan)


def spots_of(root: Spot) -> Iterator[Spot]:
    """Yield `root` and all spots inside it."""
    pending = [root]
    while pending:
        spot = pending.pop()
        yield spot
        pending += spot.items
        pending += spot.members.values()


def openings_of(spot: Spot) -> Iterator[Opening]:
    """Yield the places directly in `spot` that want a new value and have none to be moved there."""
    wanted: Any = spot.plan.after.kids if spot.plan else ()
    if spot.is_list:
        for position, (node, held) in enumerate(zip(wanted, spot.order, strict=True)):
            if held is None and position not in spot.fill:
                yield Opening(spot, position, node)
    elif spot.plan:
        for name, node in wanted.items():
            member = spot.members.get(name)
            if member is None or member.fate is Fate.REPLACED:
                yield Opening(spot, name, node, member)


def leaving(root: Spot) -> dict[int, list[Spot]]:
    """Return by number what goes: values that may travel instead."""
    found: dict[int, list[Spot]] = defaultdict(list)
    for spot in spots_of(root):
        if spot.fate is Fate.GOES:
            found[spot.node.id].append(spot)
    return found
