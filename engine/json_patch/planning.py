"""Decides which parts of two documents belong together, so that the changes between them are the least.

Maps pair by name, and what both have is changed inside or replaced. Lists pair in order, by a table of the least price
of turning every rest of one into every rest of the other, as for edit distance; long lists are first cut where they
are equal. Keyed lists pair by key. A price is that of the operations (pricing.py): in precise mode their number, and
their bytes only where that is the same; in smallest mode their bytes, and then a part may be replaced whole.

Maps and lists are compared inside only if the least number of changes that there must be (`_least`) may pay: that
bounds the work to a small multiple of the table's size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.json_patch.alignment import Stretch, longest_rising, stretches
from engine.json_patch.keys import Keyed, keyed_pairs
from engine.json_patch.numbering import Node
from engine.json_patch.options import BySchema, Fewest, Lists, Transfer
from engine.json_patch.pricing import Prices, step_size
from engine.schema.elements import TypeRef

MAX_TABLE = 40_000
"""Cells of the largest table that is filled: some hundredths of a second of work."""
MAX_WORK = 1_500_000
"""Cells of all tables of one plan; later ones are small."""
_SMALL_TABLE = 400

_DEEPEST = 40
"""Levels inside one another that are priced at once; what lies deeper is estimated, to stay inside Python's stack."""

_NEVER = 1 << 62

Key: TypeAlias = str | int
Pairs: TypeAlias = list[tuple[int, int]]


@dataclass(slots=True)
class Link:
    """Two values that belong together: equal (no plan), changed inside (a plan), or replaced."""

    source: Key
    target: Key
    plan: Plan | None = None
    replaced: bool = False


@dataclass(slots=True)
class Plan:
    """How one map or list becomes another of its kind. What no link names goes, or is new.

    moved: links of items of a keyed list that change places, so that the other links keep their order.
    """

    before: Node
    after: Node
    links: list[Link] = field(default_factory=list)
    moved: list[Link] = field(default_factory=list)
    keys: tuple[str, ...] = ()


class Planner:
    """Makes plans by one list of prices."""

    def __init__(self, prices: Prices, fewest: Fewest, lists: Lists, transfers: frozenset[Transfer]) -> None:
        self.prices, self.fewest, self.lists = prices, fewest, lists
        self.moves = Transfer.MOVE in transfers
        self.may_replace = fewest is Fewest.BYTES
        self.work, self._depth = MAX_WORK, 0
        self._inner: dict[tuple[int, int, int, int], tuple[int, Pairs, Keyed | None]] = {}
        self._fewest: dict[tuple[int, int], int] = {}

    def plan(self, before: Node, after: Node, path: int = 0, type_ref: TypeRef | None = None) -> Plan:
        """Return how `before` becomes `after`; both are maps or both are lists. `path` is the length of its pointer."""
        if isinstance(before.kids, dict):
            return self._plan_map(before, after, path, type_ref)
        _, pairs, keyed = self._list(before, after, path, type_ref)
        plan = Plan(before, after, keys=keyed.names if keyed else ())
        for number, (i, j) in enumerate([*pairs, *(keyed.moved if keyed else ())]):
            link = self._link(i, j, before, after, path, _items(type_ref))
            (plan.links if number < len(pairs) else plan.moved).append(link)
        return plan

    def _plan_map(self, before: Node, after: Node, path: int, type_ref: TypeRef | None) -> Plan:
        plan = Plan(before, after)
        old, new = before.kids, after.kids
        assert isinstance(old, dict)
        assert isinstance(new, dict)
        for name in new:
            if name in old:
                plan.links.append(self._link(name, name, before, after, path, _member(type_ref, name)))
        return plan

    def _link(self, i: Key, j: Key, before: Node, after: Node, path: int, type_ref: TypeRef | None) -> Link:
        old, new = _kid(before, i), _kid(after, j)
        if old.id == new.id:
            return Link(i, j)
        path += step_size(j)
        whole = _NEVER
        if self.may_replace:
            whole = self.prices.replace(new, path) if isinstance(j, int) else self.prices.replace_member(new, path)
        if not comparable(old, new) or self.inner(old, new, path, type_ref, whole) >= whole:
            return Link(i, j, replaced=True)
        return Link(i, j, self.plan(old, new, path, type_ref))

    def inner(self, a: Node, b: Node, path: int, type_ref: TypeRef | None, limit: int = _NEVER) -> int:
        """Return the price of changing `a` inside until it is `b`, which is of its kind; `limit` if it is higher."""
        known = self._inner.get((a.id, b.id, path, id(type_ref)))
        if known is not None:
            return known[0]
        least = self._least(a, b) * self.prices.least(path)
        if self._depth >= _DEEPEST or limit < _NEVER and least >= limit:
            return min(least, limit)
        self._depth += 1
        price = self._map(a, b, path, type_ref) if isinstance(a.kids, dict) else self._list(a, b, path, type_ref)[0]
        self._depth -= 1
        return price

    def change(self, a: Node, b: Node, path: int, type_ref: TypeRef | None, limit: int) -> int:
        """Return the price of having `b` in the place of `a` as an item of a list; any price from `limit` on is one."""
        whole = self.prices.replace(b, path)
        if not comparable(a, b):
            return whole
        if not self.may_replace:
            return self.inner(a, b, path, type_ref, limit)
        return min(whole, self.inner(a, b, path, type_ref, min(limit, whole)))

    def _map(self, a: Node, b: Node, path: int, type_ref: TypeRef | None) -> int:
        old, new, prices, price = a.kids, b.kids, self.prices, 0
        assert isinstance(old, dict)
        assert isinstance(new, dict)
        for name, node in old.items():
            if name not in new:
                price += prices.remove(node, path + step_size(name))
        for name, node in new.items():
            if name not in old:
                price += prices.add(node, path + step_size(name))
            elif old[name].id != node.id:
                price += self._changed_member(old[name], node, path + step_size(name), _member(type_ref, name))
        self._inner[a.id, b.id, path, id(type_ref)] = (price, [], None)
        return price

    def _changed_member(self, old: Node, new: Node, path: int, type_ref: TypeRef | None) -> int:
        if not comparable(old, new):
            return self.prices.replace_member(new, path)
        whole = self.prices.replace_member(new, path) if self.may_replace else _NEVER
        return min(whole, self.inner(old, new, path, type_ref, whole))

    def _list(self, a: Node, b: Node, path: int, type_ref: TypeRef | None) -> tuple[int, Pairs, Keyed | None]:
        """Return price and pairs of turning one list into another, and how it is keyed if it is."""
        found = self._inner.get((a.id, b.id, path, id(type_ref)))
        if found is None:
            old, new = a.kids, b.kids
            assert isinstance(old, list)
            assert isinstance(new, list)
            keyed = keyed_pairs(a, b, self.lists, type_ref, self.moves)
            pairs = keyed.kept if keyed else self._pairs(old, new, path, _items(type_ref))
            linked = pairs + list(keyed.moved) if keyed else pairs
            found = (self._list_price(old, new, linked, len(pairs), path, _items(type_ref)), pairs, keyed)
            self._inner[a.id, b.id, path, id(type_ref)] = found
        return found

    def _list_price(
        self, old: list[Node], new: list[Node], linked: Pairs, kept: int, path: int, type_ref: TypeRef | None
    ) -> int:
        price, step = 0, path + step_size(max(len(new) - 1, 0))
        gone, come = set(range(len(old))), set(range(len(new)))
        for number, (i, j) in enumerate(linked):
            gone.discard(i)
            come.discard(j)
            if old[i].id != new[j].id:
                price += self.change(old[i], new[j], path + step_size(j), type_ref, _NEVER)
            price += 0 if number < kept else self.prices.move(step, step)
        price += sum(self.prices.remove(old[i], path + step_size(min(i, len(new)))) for i in gone)
        return price + sum(self.prices.add(new[j], path + step_size(j)) for j in come)

    def _pairs(self, old: list[Node], new: list[Node], path: int, type_ref: TypeRef | None) -> Pairs:
        """Return which items of two lists belong together, in order."""
        pairs: Pairs = []
        done_a = done_b = 0
        found = stretches([node.id for node in old], [node.id for node in new], self._most())
        for a0, a1, b0, b1 in [*found, (len(old), len(old), len(new), len(new))]:
            pairs += zip(range(done_a, a0), range(done_b, b0), strict=True)
            if a0 < a1 and b0 < b1:
                pairs += self._stretch(old, new, (a0, a1, b0, b1), path, type_ref)
            done_a, done_b = a1, b1
        return pairs

    def _most(self) -> int:
        return MAX_TABLE if self.work > 0 else _SMALL_TABLE

    def _stretch(
        self, old: list[Node], new: list[Node], stretch: Stretch, path: int, type_ref: TypeRef | None
    ) -> Pairs:
        a0, a1, b0, b1 = stretch
        cells = (a1 - a0) * (b1 - b0)
        if cells <= self._most():
            self.work -= cells
            return self._table(old[a0:a1], new[b0:b1], a0, b0, path, type_ref)
        return self._by_likeness(old[a0:a1], new[b0:b1], a0, b0, path, type_ref)

    def _table(self, old: list[Node], new: list[Node], a0: int, b0: int, path: int, type_ref: TypeRef | None) -> Pairs:
        """Return the pairs of the cheapest way from `old` to `new`: a table of the prices of what remains."""
        paths = [path + step_size(b0 + j) for j in range(len(new) + 1)]
        come = [self.prices.add(node, at) for node, at in zip(new, paths, strict=False)]
        gone = [self.prices.remove(node, paths[min(i, len(new))]) for i, node in enumerate(old)]
        rows: list[list[int]] = [_sums(come)]
        steps: list[bytearray] = []
        for i in range(len(old) - 1, -1, -1):
            row, step = self._row(old[i], new, rows[-1], gone[i], come, paths, type_ref)
            rows.append(row)
            steps.append(step)
        steps.reverse()
        return _way(steps, len(new), a0, b0)

    def _row(
        self,
        node: Node,
        new: list[Node],
        below: list[int],
        gone: int,
        come: list[int],
        paths: list[int],
        type_ref: TypeRef | None,
    ) -> tuple[list[int], bytearray]:
        """Return a row of the table, and for each cell the step that is best: 0 remove, 1 add, 2 pair."""
        row, step = [0] * len(below), bytearray(len(below))
        right = row[-1] = below[-1] + gone
        own, cheapest = node.id, self.prices.least(0)
        for j in range(len(new) - 1, -1, -1):
            best, taken = below[j] + gone, 0
            if right + come[j] < best:
                best, taken = right + come[j], 1
            slant = below[j + 1]
            if new[j].id == own:
                if slant <= best:
                    best, taken = slant, 2
            elif slant + cheapest < best:
                price = slant + self.change(node, new[j], paths[j], type_ref, best - slant)
                if price < best:
                    best, taken = price, 2
            row[j] = right = best
            step[j] = taken
        return row, step

    def _by_likeness(
        self, old: list[Node], new: list[Node], a0: int, b0: int, path: int, type_ref: TypeRef | None
    ) -> Pairs:
        """Pair items of a stretch that is too long for a table: by what looks like their names, else by position."""
        places = {name: j for j, node in enumerate(new) if (name := _looks(node)) is not None}
        found = [(i, places[name]) for i, node in enumerate(old) if (name := _looks(node)) in places]
        found = longest_rising(found) or list(zip(range(len(old)), range(len(new)), strict=False))
        pairs: Pairs = []
        for i, j in found:
            a, b, at = old[i], new[j], path + step_size(b0 + j)
            apart = self.prices.remove(a, at) + self.prices.add(b, at)
            if a.id == b.id or self.change(a, b, at, type_ref, apart) < apart:
                pairs.append((a0 + i, b0 + j))
        return pairs

    def _least(self, a: Node, b: Node) -> int:
        """Return how many operations at least there are between two maps or two lists."""
        found = self._fewest.get((a.id, b.id))
        if found is None:
            if isinstance(a.kids, dict) and isinstance(b.kids, dict):
                old, new = a.kids, b.kids
                same = sum(name in new and new[name].id == node.id for name, node in old.items())
                found = len(old.keys() | new.keys()) - same
            else:
                ids_a, ids_b = (Counter(node.id for node in _nodes(side)) for side in (a, b))
                found = max((ids_a - ids_b).total(), (ids_b - ids_a).total())
            self._fewest[a.id, b.id] = found
        return found


def comparable(a: Node, b: Node) -> bool:
    """Return True if both are maps or both are lists."""
    return a.kids is not None and type(a.kids) is type(b.kids)


def _nodes(node: Node) -> Sequence[Node]:
    return node.kids if isinstance(node.kids, list) else ()


def _kid(node: Node, key: Key) -> Node:
    kids: Any = node.kids
    found: Node = kids[key]
    return found


def _member(type_ref: TypeRef | None, name: str) -> TypeRef | None:
    struct = type_ref.atom.map if type_ref is not None else None
    return struct.member(name) if struct is not None else None


def _items(type_ref: TypeRef | None) -> TypeRef | None:
    items = type_ref.atom.list if type_ref is not None else None
    return items.items if items is not None else None


def _looks(node: Node) -> int | str | None:
    """Return what looks like the name of a map, None for what has none."""
    if isinstance(node.kids, dict):
        for name in ("name", "id", "key", "uid"):
            if name in node.kids and node.kids[name].kids is None:
                return node.kids[name].id
    return None


def _sums(prices: list[int]) -> list[int]:
    """Return for each position the sum of the prices from there to the end."""
    sums = [0]
    for price in reversed(prices):
        sums.append(sums[-1] + price)
    return sums[::-1]


def _way(steps: list[bytearray], width: int, a0: int, b0: int) -> Pairs:
    pairs: Pairs = []
    i = j = 0
    while i < len(steps) and j < width:
        step = steps[i][j]
        if step == 2:
            pairs.append((a0 + i, b0 + j))
        i += step != 1
        j += step != 0
    return pairs


def root_type(lists: Lists) -> TypeRef | None:
    """Return the type of the whole document, where lists go by it."""
    return lists.type if isinstance(lists, BySchema) else None
