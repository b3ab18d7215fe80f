"""Writes the operations that turn the document of some spots into the one that their plans tell.

The document is walked in the order of the wanted one, and each operation is done to the spots as it is written.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, TypeAlias

from engine.json_patch.numbering import Node, text_size
from engine.json_patch.options import Fewest, Guard, Options, Transfer
from engine.json_patch.pointer import render_pointer
from engine.json_patch.spots import Fate, Spot, openings_of, spots_of
from engine.value.model import Object

Operations: TypeAlias = list[Object]

LEAST_COPIED = 12
"""Bytes of the smallest value that a copy operation may be worth."""
_MOST_SOURCES = 8


class Writer:
    """Writes one patch."""

    def __init__(self, root: Spot, options: Options) -> None:
        self.options = options
        self.operations: Operations = []
        self._tested: set[Spot] = set()
        self._copies: dict[int, list[tuple[Spot, tuple[str | int, ...]]]] = defaultdict(list)
        if Transfer.COPY in options.transfers:
            self._find_sources(root)
        self._change(root)

    def _find_sources(self, root: Spot) -> None:
        """Note where values stand that are wanted elsewhere and are long enough to be copied."""
        spots = list(spots_of(root))
        openings = [opening.node for spot in spots for opening in openings_of(spot)]
        wanted = {node.id for node in openings if node.size >= LEAST_COPIED}
        if wanted:
            for spot in spots:
                if spot.plan is None:
                    self._note(spot, wanted)

    def _note(self, spot: Spot, wanted: set[int]) -> None:
        pending: list[tuple[Node, tuple[str | int, ...]]] = [(spot.node, ())]
        while pending:
            node, path = pending.pop()
            if node.size < LEAST_COPIED:
                continue
            if node.id in wanted:
                self._copies[node.id].append((spot, path))
            kids: Any = node.kids.items() if isinstance(node.kids, dict) else enumerate(node.kids or ())
            pending += ((kid, (*path, step)) for step, kid in kids)

    def _change(self, spot: Spot) -> None:
        if spot.is_list:
            self._change_list(spot)
        elif spot.plan is not None:
            self._change_map(spot)

    def _change_map(self, spot: Spot) -> None:
        for member in list(spot.members.values()):
            if member.fate is Fate.GOES:
                self._remove(member)
        wanted: Any = spot.plan.after.kids if spot.plan else {}
        for name, node in wanted.items():
            if name in spot.fill:
                self._bring(spot.fill[name], spot, name, node)
            elif name in spot.members:
                self._keep(spot.members[name], node)
            else:
                content = self._content(node, "add")
                spot.members[name] = new = Spot(spot, name, node)
                self._put(new, self._path(new), content)

    def _change_list(self, spot: Spot) -> None:
        at = 0
        wanted: Any = spot.plan.after.kids if spot.plan else []
        for position, node in enumerate(wanted):
            traveller, held = spot.fill.get(position), spot.order[position]
            if traveller is not None:
                self._bring(traveller, spot, at, node)
                held = traveller
            elif held is None:
                held = self._insert(spot, at, node)
            else:
                self._advance(spot, at, held)
                held = self._keep(held, node)
            at = spot.position(held) + 1
        self._advance(spot, at, None)

    def _insert(self, spot: Spot, at: int, node: Node) -> Spot:
        content = self._content(node, "add")
        new = Spot(spot, at, node)
        spot.items.insert(at, new)
        self._put(new, self._path(new), content)
        return new

    def _keep(self, spot: Spot, node: Node) -> Spot:
        if spot.fate is Fate.REPLACED:
            return self._replace(spot, node)
        self._change(spot)
        return spot

    def _advance(self, spot: Spot, at: int, until: Spot | None) -> None:
        """Remove what goes, from position `at` on until a spot or the end."""
        items = spot.items
        while at < len(items) and items[at] is not until:
            if items[at].fate is Fate.GOES:
                items[at].at = at
                self._remove(items[at])
            else:
                at += 1
        if until is not None:
            until.at = at

    def _remove(self, spot: Spot) -> None:
        path = self._path(spot)
        self._test(spot, path)
        self.operations.append({"op": "remove", "path": path})
        spot.alive = False
        _take_out(spot)

    def _replace(self, old: Spot, node: Node) -> Spot:
        path = self._path(old)
        self._test(old, path)
        new = Spot(old.parent, old.key, node)
        new.at, old.alive = old.at, False
        parent = old.parent
        if parent is not None and parent.is_list:
            parent.items[old.at] = new
            self.operations.append({"op": "replace", "path": path, "value": node.value})
            return new
        if parent is not None:
            parent.members[str(old.key)] = new
        self._put(new, path, self._content(node, "replace" if self.options.fewest is Fewest.OPERATIONS else "add"))
        return new

    def _put(self, spot: Spot, path: str, content: Object) -> None:
        self.operations.append({**content, "path": self._shorter_end(spot, path)})
        if spot.node.id in self._copies:
            self._copies[spot.node.id].append((spot, ()))

    def _content(self, node: Node, op: str) -> Object:
        """Return the operation that puts a value, but for its path; to be asked for before the value has its spot."""
        source = self._source(node, op) if node.id in self._copies else None
        if source is not None:
            return {"op": "copy", "from": source, "path": ""}
        return {"op": op, "path": "", "value": node.value}

    def _shorter_end(self, spot: Spot, path: str) -> str:
        """Where bytes count, name the end of a list in the shortest way."""
        parent = spot.parent
        if self.options.fewest is Fewest.OPERATIONS or parent is None or not parent.is_list or spot.at < 10:
            return path
        return path[: path.rindex("/")] + "/-" if parent.items[-1] is spot else path

    def _source(self, node: Node, op: str) -> str | None:
        """Return the shortest pointer to such a value, if copying it is shorter than writing it."""
        found = [
            render_pointer((*spot.steps(), *path))
            for spot, path in self._copies[node.id][:_MOST_SOURCES]
            if spot.is_untouched
        ]
        if not found:
            return None
        source = min(found, key=len)
        written = len('"op":"","value":') + len(op) + node.size
        return source if len('"op":"copy","from":') + text_size(source) < written else None

    def _bring(self, source: Spot, parent: Spot, key: str | int, wanted: Node) -> None:
        """Move a value to a name or position of `parent`, and change it there."""
        start = self._path(source)
        self._test(source, start)
        replaced = None if parent.is_list else parent.members.get(str(key))
        if replaced is not None and replaced is not source:
            self._test(replaced, render_pointer((*parent.steps(), key)))  # where it is before anything moves
        same_list, old = source.parent is parent and parent.is_list, source.at
        _take_out(source)
        source.parent, source.key, source.fate = parent, key, Fate.STAYS
        if parent.is_list:
            source.at = int(key) - (1 if same_list and old < int(key) else 0)
            parent.items.insert(source.at, source)
        else:
            if replaced is not None and replaced is not source:
                replaced.alive = False
            parent.members[str(key)] = source
        target = render_pointer(source.steps())
        if target.startswith(start + "/"):
            # Without the value what follows it slides into its place, and no pointer may begin with that of `from`.
            self.operations.append({"op": "remove", "path": start})
            source.plan, source.node = None, wanted
            self._put(source, target, {"op": "add", "path": "", "value": wanted.value})
            return
        if target != start:
            self.operations.append({"op": "move", "from": start, "path": self._shorter_end(source, target)})
        self._change(source)

    def _path(self, spot: Spot) -> str:
        """Return the pointer of a spot, having tested the keys of the keyed items on the way if that is asked for."""
        if self.options.guard is Guard.KEYS:
            self._test_keys(spot)
        return render_pointer(spot.steps())

    def _test_keys(self, spot: Spot) -> None:
        way = [spot]
        while way[-1].parent is not None:
            way.append(way[-1].parent)
        for parent, item in zip(way[:0:-1], way[-2::-1], strict=True):
            was_there = item.fate is not Fate.STAYS or item.plan is not None
            if parent.plan is not None and was_there and item not in self._tested:
                self._tested.add(item)
                self._test_item(item, parent.plan.keys)

    def _test_item(self, item: Spot, names: tuple[str, ...]) -> None:
        value: Any = item.node.value
        for name in names:
            if name in value:
                path = render_pointer((*item.steps(), name))
                self.operations.append({"op": "test", "path": path, "value": value[name]})

    def _test(self, spot: Spot, path: str) -> None:
        """Test that a value is the old one before it goes, if that is asked for."""
        if self.options.guard is Guard.VALUES:
            self.operations.append({"op": "test", "path": path, "value": spot.node.value})


def _take_out(spot: Spot) -> None:
    parent = spot.parent
    if parent is None:
        return
    if parent.is_list:
        del parent.items[parent.position(spot)]
    else:
        parent.members.pop(str(spot.key), None)
