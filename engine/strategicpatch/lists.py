"""The order of merged lists, and how their items are found.

An item is found by its merge key if items are maps, else by its value. After a merge the items split in two: those
that the patch (or its `$setElementOrder`) names, in the patch's order, and those that only the server has, in the
server's. Both keep their order in the result; where a server-only item goes is decided by the live order: it stands
before the first remaining item of the patch that came after it in the live list.

Source: strategicpatch of k8s.io/apimachinery, Kubernetes 1.36.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from engine.strategicpatch.directives import is_deletion
from engine.strategicpatch.failures import EmptyLists, ListOfLists, MissingMergeKey, MixedList, NotAMap, WrongType
from engine.strategicpatch.go_text import LIST, MAP, go_text, go_type
from engine.value.equality import identity
from engine.value.model import Object, Value

Items = list[Any]


def element_type(*lists: Items) -> str:
    """Return the Go type that all items of the lists have.

    Raises:
        ListOfLists, MixedList, EmptyLists: there is no such one type.
    """
    found = ""
    for item in (item for items in lists for item in items):
        found = found or go_type(item)
        if found == LIST:
            raise ListOfLists
        if go_type(item) != found:
            raise MixedList(list(lists))
    if not found:
        raise EmptyLists
    return found


def merge_key_of(item: Value, merge_key: str) -> Value:
    """Return the value of the merge key of an item.

    Raises:
        WrongType: the item is no map.
        MissingMergeKey: it lacks the key.
    """
    if not isinstance(item, dict):
        raise WrongType(MAP, go_type(item))
    if merge_key not in item:
        raise MissingMergeKey(item, merge_key)
    return item[merge_key]  # type: ignore[no-any-return]


class Positions:
    """Where the first item with each value of a merge key stands in a list, looked through once for many questions."""

    def __init__(self, items: Items, merge_key: str) -> None:
        self._merge_key, self._no_map = merge_key, -1
        self._at: dict[Hashable, deque[int]] = {}
        for index, item in enumerate(items):
            if not isinstance(item, dict):
                self._no_map = index
                break
            self.add(index, item)

    def add(self, index: int, item: Object) -> None:
        """Count in an item that stands behind all others."""
        if self._merge_key in item:
            self._at.setdefault(sameness(item[self._merge_key]), deque()).append(index)

    def drop_first(self, value: Value) -> None:
        """Count out the first item with that value, which has lost its key."""
        self._at[sameness(value)].popleft()

    def of(self, value: Value) -> int:
        """Return the position of the first item whose merge key has that value, or -1.

        Raises:
            NotAMap: an item before it is no map.
        """
        found = self._at.get(sameness(value))
        if not found and self._no_map >= 0:
            raise NotAMap(self._no_map)
        return found[0] if found else -1


def sameness(value: Value) -> Hashable:
    """Return what two values share if they are of one Go type and equal, and only then."""
    return value if type(value) is str else (go_type(value), identity(value))


def in_order(merged: Items, order: Items, server: Items, merge_key: str, kind: str) -> Items:
    """Return the merged items in the order that patch and server together give them.

    order: the patch's items, or what `$setElementOrder` lists; server: the live items before the merge.

    Raises:
        MissingMergeKey, WrongType: an item cannot be found.
    """
    named, others = _partition(merged, order, merge_key)
    return _interleave(
        sort_by(others, server, merge_key, kind), sort_by(named, order, merge_key, kind), server, merge_key, kind
    )


def sort_by(items: Items, order: Items, merge_key: str, kind: str) -> Items:
    """Return `items` in the order of `order`; items that say `$patch: delete` come last.

    Items that `order` does not have go to the front of what stands before them, as in the reference, whose sort
    (an insertion sort for short lists) is told that they are less than anything.
    """
    deletions: Items = []
    if kind == MAP:
        for item in [*items, *order]:
            merge_key_of(item, merge_key)
        deletions = [item for item in items if is_deletion(item)]
        items = [item for item in items if not is_deletion(item)]
    find = finder(order, merge_key, kind)
    if all(find(item) >= 0 for item in items):
        return sorted(items, key=find) + deletions
    return _inserted(items, find) + deletions


def _inserted(items: Items, find: Callable[[Value], int]) -> Items:
    """Return the items in the order of an insertion sort that takes those without a rank for less than anything.

    What has a rank comes right behind the last that has no greater one, or first of all, as does what has none.
    """
    behind = [0]  # for the place before all, and for each item counted from 1: the item that follows, 0 for none
    ranks: list[int] = []
    ranked: list[int] = []
    for number, item in enumerate(items, 1):
        rank, before = find(item), 0
        if rank >= 0:
            at = bisect_right(ranks, rank)
            before = ranked[at - 1] if at else 0
            ranks.insert(at, rank)
            ranked.insert(at, number)
        behind.append(behind[before])
        behind[before] = number
    ordered, number = [], behind[0]
    while number:
        ordered.append(items[number - 1])
        number = behind[number]
    return ordered


def finder(items: Items, merge_key: str, kind: str) -> Callable[[Value], int]:
    """Return the function from an item to its position in `items`, -1 if it is not there."""

    def identity(item: Any) -> Any:
        if kind == MAP:
            item = item.get(merge_key) if isinstance(item, dict) else None
        return (go_type(item), go_text(item))

    places: dict[Any, int] = {}
    for index, item in enumerate(items):
        places.setdefault(identity(item), index)
    return lambda item: places.get(identity(item), -1)


def without_repeats(items: Iterable[Any]) -> Items:
    """Return scalars in order, each one once."""
    seen: dict[Any, Any] = {}
    for item in items:
        seen.setdefault((go_type(item), go_text(item)), item)
    return list(seen.values())


def without_values(items: Items, values: Items) -> Items:
    """Return the items that equal none of `values`."""
    gone = set(map(sameness, values))
    return [item for item in items if sameness(item) not in gone]


def only_keys(items: Items, merge_key: str) -> list[Object]:
    """Return for each item the map of its merge key alone, as `$setElementOrder` lists them."""
    return [{merge_key: merge_key_of(item, merge_key)} for item in items]


def _partition(merged: Items, order: Items, merge_key: str) -> tuple[Items, Items]:
    """Split the merged items into those that `order` names and the others."""
    named: Items = []
    others: Items = []
    if merge_key:
        positions = Positions(order, merge_key)
        for item in merged:
            (named if positions.of(merge_key_of(item, merge_key)) >= 0 else others).append(item)
        return named, others
    known = set(map(sameness, order))
    for item in merged:
        (named if sameness(item) in known else others).append(item)
    return named, others


def _interleave(left: Items, right: Items, server: Items, merge_key: str, kind: str) -> Items:
    """Return both lists as one: an item of `left` comes first only where the server has it before that of `right`."""
    find = finder(server, merge_key, kind)
    result: Items = []
    i = j = 0
    while i < len(left) and j < len(right):
        here, there = find(left[i]), find(right[j])
        if 0 <= here < there:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + right[j:] + left[i:]
