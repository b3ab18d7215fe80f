"""The pairs: random documents, and each with values changed and items removed, inserted and shuffled.

The documents nest lists and maps, mix 1, true and 1.5, null and the empty string, and use keys with / and ~. The
figures that the project holds itself to are those of 4,000 pairs with seed 7; the calls of the random generator below
make these pairs, so their order must stay.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

COUNT, SEED = 4000, 7
LEAVES = [0, 1, 2, "a", "b", "", None, True, False, 1.5]
KEYS = ["a", "b", "c", "0", "1", "x/y", "~t"]


def document(r: random.Random, depth: int) -> Any:
    """Return a random document."""
    kind = r.random()
    if depth <= 0 or kind < 0.45:
        return r.choice(LEAVES)
    if kind < 0.75:
        return [document(r, depth - 1) for _ in range(r.randint(0, 4))]
    return {r.choice(KEYS): document(r, depth - 1) for _ in range(r.randint(0, 3))}


def changed(r: random.Random, value: Any) -> Any:
    """Return `value` after random changes, made in place where it is a list or map."""
    if isinstance(value, list):
        return _changed_list(r, value)
    if isinstance(value, dict):
        return _changed_map(r, value)
    return value if r.random() < 0.8 else document(r, 1)


def _changed_list(r: random.Random, items: list[Any]) -> list[Any]:
    items[:] = [changed(r, item) for item in items]
    if r.random() < 0.4 and items:
        items.pop(r.randrange(len(items)))
    if r.random() < 0.4:
        items.insert(r.randint(0, len(items)), document(r, 1))
    if r.random() < 0.3:
        r.shuffle(items)
    return items


def _changed_map(r: random.Random, members: dict[str, Any]) -> dict[str, Any]:
    for name in list(members):
        members[name] = changed(r, members[name])
    if r.random() < 0.3 and members:
        del members[r.choice(list(members))]
    if r.random() < 0.3:
        value = document(r, 1)
        members[r.choice(["a", "b", "c", "q", "x/y"])] = value
    return members


def pairs(count: int = COUNT, seed: int = SEED) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of documents."""
    r = random.Random(seed)
    for _ in range(count):
        before: Any
        if r.random() < 0.5:
            before = [document(r, 3) for _ in range(r.randint(1, 5))]
        else:
            before = {name: document(r, 3) for name in r.sample("abcde", r.randint(1, 4))}
        yield before, changed(r, copy.deepcopy(before))
