"""Finds what need not go and come again: values that leave one place and arrive at another are moved.

Equal values are matched first. Then maps and lists that are alike are: moved, and changed where they arrive, if that
is cheaper than removing the one and adding the other.
"""

from __future__ import annotations

from engine.json_patch.numbering import Node
from engine.json_patch.options import Fewest
from engine.json_patch.planning import Planner, comparable
from engine.json_patch.pricing import ADD, MOVE, REMOVE
from engine.json_patch.spots import Fate, Opening, Spot, leaving, openings_of, spots_of, spread

MOST_COMPARISONS = 4_000
"""How many pairs of unlike values are compared inside before the rest is left to go and come."""


def place_moves(root: Spot, planner: Planner) -> frozenset[int]:
    """Decide what is moved where, and return the numbers of the values that travel as they are."""
    openings = [opening for spot in spots_of(root) for opening in openings_of(spot)][::-1]
    if not openings:
        return frozenset()
    pool = leaving(root)
    moved = {opening.node.id for opening in openings if _place_equal(opening, pool, planner)}
    _place_alike([opening for opening in openings if opening.key not in opening.parent.fill], pool, planner)
    return frozenset(moved)


def _place_equal(opening: Opening, pool: dict[int, list[Spot]], planner: Planner) -> bool:
    found = pool.get(opening.node.id)
    if not found:
        return False
    spot = next((spot for spot in found if spot.parent is opening.parent), found[0])
    if _saved(spot, opening, planner) <= 0:
        return False
    found.remove(spot)
    _place(spot, opening)
    return True


def _place(spot: Spot, opening: Opening) -> None:
    spot.fate = Fate.TRAVELS
    opening.parent.fill[opening.key] = spot


def _saved(spot: Spot, opening: Opening, planner: Planner) -> int:
    """Return what a move saves against removing and adding."""
    source, target = spot.length(), opening.length()
    each = planner.prices.each
    arrival = each + opening.node.size + target + ADD
    if opening.replaces is not None and planner.fewest is Fewest.OPERATIONS:
        arrival += len("replace") - len("add")
    return each + REMOVE + source + arrival - (each + MOVE + source + target)


def _place_alike(openings: list[Opening], pool: dict[int, list[Spot]], planner: Planner) -> None:
    rest = [spot for spots in pool.values() for spot in spots if spot.node.kids]
    wanted = [opening for opening in openings if opening.node.kids]
    if not rest or not wanted or len(rest) * len(wanted) > MOST_COMPARISONS:
        return
    offers = []
    for number, opening in enumerate(wanted):
        for other, spot in enumerate(rest):
            gain = _gain(spot, opening, planner)
            if gain > 0:
                offers.append((-gain, number, other))
    taken: set[Spot] = set()
    for _, number, other in sorted(offers):
        opening, spot = wanted[number], rest[other]
        if spot not in taken and opening.key not in opening.parent.fill:
            taken.add(spot)
            _place(spot, opening)
            spread(spot, planner.plan(spot.node, opening.node, opening.length()))


def _gain(spot: Spot, opening: Opening, planner: Planner) -> int:
    """Return what moving a value and changing it where it arrives saves against removing and adding."""
    old, new = spot.node, opening.node
    saved = _saved(spot, opening, planner)
    if not comparable(old, new) or saved <= 0 or _shares_nothing(old, new):
        return 0
    return saved - planner.inner(old, new, opening.length(), None, saved)


def _shares_nothing(old: Node, new: Node) -> bool:
    if isinstance(old.kids, dict) and isinstance(new.kids, dict):
        return not old.kids.keys() & new.kids.keys()
    return False
