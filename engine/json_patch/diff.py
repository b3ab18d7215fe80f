"""Makes the JSON Patch from one document to another.

Several plans are made, with different guesses at which values will turn out to be moved, and of their patches the
cheapest is taken: with the fewest operations, or the fewest bytes. Each patch alone is right; the guesses only decide
how short it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.json_patch.guesses import may_travel
from engine.json_patch.numbering import Node, Numbering, Numbers
from engine.json_patch.options import Fewest, Guard, Options, Root, Transfer
from engine.json_patch.planning import Planner, comparable, root_type
from engine.json_patch.pricing import OPERATION, Prices
from engine.json_patch.search import HALF, Search
from engine.json_patch.spots import Spot, spread
from engine.json_patch.transfers import place_moves
from engine.json_patch.writing import LEAST_COPIED, Operations, Writer
from engine.value.equality import equal
from engine.value.model import Value

PRECISE = Options()
SMALLEST = Options(fewest=Fewest.BYTES)

_CLIMB, _ONE_PLAN = 400, 10_000
"""Values in both documents up to which many plans are compared, and beyond which there is only one."""


def diff(before: Value, after: Value, options: Options = PRECISE) -> Operations:
    """Return a JSON Patch that turns `before` into `after`; an empty one if they are equal.

    Guarantee: applied by RFC 6902 it gives `after`, numbers and all. (The API server has no pointer for the whole
    document; Root.KEPT asks for a patch that needs none, which there is where both are maps or both are lists.)
    Neither document is changed; values of the patch are parts of `after`. Work is bounded: on long lists that have
    little in common the patch is right and not the shortest.
    """
    if options.numbers is Numbers.ALIKE and equal(before, after):
        return []  # told at once: of what a person types, most changes nothing
    numbering = Numbering(options.numbers)
    old, new = numbering.read(before), numbering.read(after)
    if old.id == new.id:
        return []
    if not comparable(old, new):
        return _replacement(old, new, options)
    patch = _search(old, new, options, numbering.nodes)
    if options.fewest is Fewest.BYTES and options.root is Root.REPLACEABLE:
        return min(patch, _replacement(old, new, options), key=patch_size)
    return patch


def _search(old: Node, new: Node, options: Options, nodes: int) -> Operations:
    if Transfer.MOVE not in options.transfers:
        return _attempt(old, new, options, {}, {})[0]
    if nodes > _ONE_PLAN:
        shares = dict.fromkeys(may_travel(old, new, LEAST_COPIED).numbers, HALF)
        return _attempt(old, new, options, shares, shares)[0]
    search = Search(
        lambda gone, come: _attempt(old, new, options, gone, come), lambda ops: price_of(ops, options.fewest)
    )
    return search.cheapest(may_travel(old, new), nodes <= _CLIMB)


def _attempt(
    old: Node, new: Node, options: Options, gone: Mapping[int, float], come: Mapping[int, float]
) -> tuple[Operations, frozenset[int]]:
    """Return a patch made by one guess at what is moved, and the numbers of the values that it moves."""
    planner = Planner(Prices(options.fewest, gone, come), options.fewest, options.lists, options.transfers)
    root = Spot(None, "", old)
    spread(root, planner.plan(old, new, 0, root_type(options.lists)))
    moved = place_moves(root, planner) if Transfer.MOVE in options.transfers else frozenset()
    return Writer(root, options).operations, moved


def _replacement(old: Node, new: Node, options: Options) -> Operations:
    """Return the patch that replaces the whole document."""
    op = "replace" if options.fewest is Fewest.OPERATIONS else "add"
    guards: Operations = [{"op": "test", "path": "", "value": old.value}] if options.guard is Guard.VALUES else []
    return [*guards, {"op": op, "path": "", "value": new.value}]


def price_of(operations: Operations, fewest: Fewest) -> int:
    """Return what a patch costs: its bytes, and in precise mode first its operations."""
    each = OPERATION if fewest is Fewest.OPERATIONS else 0
    return each * len(operations) + patch_size(operations)


def patch_size(operations: Operations) -> int:
    """Return how many bytes a patch takes as compact JSON."""
    return len(json.dumps(operations, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
