"""Measures the generator on the pairs, on the Kubernetes-shaped rows and on long lists, and holds it to its bars.

Every patch is applied by python jsonpatch, an implementation of its own, and the result is compared with the types of
numbers kept apart. The same library's generator is what the figures are compared with.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonpatch

from engine.json_patch.diff import PRECISE, SMALLEST, diff, patch_size
from engine.json_patch.options import Options
from tests.corpus.exchanges import exchanges_a_container
from tests.corpus.pairs import pairs
from web.bench.documents import recording

MOST_OPERATIONS, MOST_BYTES = 2.64, 75.0
"""The bars: operations a pair in precise mode, bytes a pair in smallest mode, on 4,000 pairs with seed 7."""
MOST_UNITS = 1 / 33e-6
"""The bar for 10,000 items with 1,000 changes: a second on a machine where the unit of web.bench is 33 microseconds."""
ROUNDS, UNITS = 8, 3_000
ROWS = Path(__file__).with_name("rows.json")


@dataclass
class Tally:
    """What one generator gave over all pairs. worse: the pairs on which it was beaten by jsonpatch."""

    name: str
    pairs: int = 0
    wrong: int = 0
    operations: int = 0
    size: int = 0
    exchanges: int = 0
    seconds: float = 0.0
    worse: list[int] = field(default_factory=list)

    def add(self, before: Any, after: Any, patch: list[Any], seconds: float) -> None:
        """Count one patch."""
        self.pairs += 1
        self.wrong += not gives(before, patch, after)
        self.operations += len(patch)
        self.size += patch_size(patch)
        self.seconds += seconds

    def row(self) -> str:
        """Return the line of the table."""
        operations, size = self.operations / self.pairs, self.size / self.pairs
        speed = 1000 * self.seconds / self.pairs
        worse = "-" if self.name.startswith("jsonpatch") else str(len(self.worse))
        return f"{self.name:24}{self.wrong:6}{operations:12.3f}{size:10.2f}{worse:8}{speed:10.2f}"


HEADER = f"{'generator':24}{'wrong':>6}{'operations':>12}{'bytes':>10}{'worse':>8}{'ms/pair':>10}"


def gives(before: Any, patch: list[Any], after: Any) -> bool:
    """Return True if the other implementation makes `after` of `before`, with 1, 1.0 and true kept apart."""
    document, operations = json.loads(json.dumps([before, patch]))
    made = jsonpatch.apply_patch(document, operations)
    return json.dumps(made, sort_keys=True) == json.dumps(after, sort_keys=True)


def measure(documents: Iterable[tuple[Any, Any]] | None = None) -> tuple[Tally, Tally, Tally]:
    """Return the tallies of precise mode, smallest mode and jsonpatch."""
    precise, smallest, other = Tally("precise"), Tally("smallest"), Tally("jsonpatch 1.48")
    for number, (before, after) in enumerate(pairs() if documents is None else documents):
        theirs, seconds = _timed(lambda a, b: jsonpatch.make_patch(a, b).patch, before, after)
        other.add(before, after, theirs, seconds)
        ours, seconds = _timed(lambda a, b: diff(a, b, PRECISE), before, after)
        precise.add(before, after, ours, seconds)
        precise.exchanges += exchanges_a_container(before, ours)
        if len(ours) > len(theirs) and not exchanges_a_container(before, theirs):
            precise.worse.append(number)
        short, seconds = _timed(lambda a, b: diff(a, b, SMALLEST), before, after)
        smallest.add(before, after, short, seconds)
        if patch_size(short) > patch_size(theirs):
            smallest.worse.append(number)
    return precise, smallest, other


def _timed(make: Any, before: Any, after: Any) -> tuple[list[Any], float]:
    start = time.process_time()
    patch: list[Any] = make(before, after)
    return patch, time.process_time() - start


def rows() -> list[dict[str, Any]]:
    """Return the Kubernetes-shaped changes, each with the least operations and bytes known."""
    loaded: list[dict[str, Any]] = json.loads(ROWS.read_text())
    return loaded


def row_figures(row: dict[str, Any]) -> tuple[int, int]:
    """Return the operations of the precise patch of a row, and the bytes of the smallest one."""
    precise, smallest = (diff(row["before"], row["after"], options) for options in (PRECISE, SMALLEST))
    assert gives(row["before"], precise, row["after"])
    assert gives(row["before"], smallest, row["after"])
    return len(precise), patch_size(smallest)


def long_lists(length: int = 10_000, changes: int = 1_000) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Yield long lists and what they are after many random changes."""
    r = random.Random(1)
    items = [{"name": f"item-{n}", "value": n, "labels": {"tier": f"t{n % 7}"}} for n in range(length)]
    words = [f"w{r.randrange(1000)}" for _ in range(length)]
    digits = [r.randrange(10) for _ in range(length)]
    yield "maps that come and go", items, _edited(r, items, changes, lambda n: {"name": f"new-{n}", "value": n})
    yield "changes inside maps", items, _changed_inside(r, items, changes)
    yield "maps that change places", items, _moved(r, items, changes)
    yield "a thousand words", words, _edited(r, words, changes, lambda n: f"w{r.randrange(1000)}")
    yield "ten digits", digits, _edited(r, digits, changes, lambda n: r.randrange(10))


def _edited(r: random.Random, items: list[Any], changes: int, new: Any) -> list[Any]:
    edited = list(items)
    for number in range(changes):
        at = r.randrange(len(edited))
        kind = number % 3
        edited[at : at + (kind != 1)] = [new(number)] if kind < 2 else []
    return edited


def _changed_inside(r: random.Random, items: list[Any], changes: int) -> list[Any]:
    chosen = set(r.sample(range(len(items)), changes))
    return [{**item, "labels": {"tier": "x"}} if n in chosen else item for n, item in enumerate(items)]


def _moved(r: random.Random, items: list[Any], changes: int) -> list[Any]:
    moved = list(items)
    for _ in range(changes):
        moved.insert(r.randrange(len(moved)), moved.pop(r.randrange(len(moved))))
    return moved


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a patch takes to make, in seconds of the processor and in units of web.bench."""

    seconds: float
    units: float


def _mean_unit() -> float:
    intent = recording()["apply_force"]["intent"]
    start = time.process_time()
    for _ in range(UNITS):
        json.loads(json.dumps(intent))
    return (time.process_time() - start) / UNITS


def best_time(before: Any, after: Any, options: Options) -> Timing:
    """Return the best of several rounds, ended once one is well below the bar.

    The unit is measured as the patch is, the mean of a long time, right before and right after each round, and the
    slower one counts: a machine that changes its pace misleads in none of them. What has become slow is so in all.
    """
    best = Timing(math.inf, math.inf)
    for _ in range(ROUNDS):
        first = _mean_unit()
        _, seconds = _timed(lambda a, b: diff(a, b, options), before, after)
        best = min(best, Timing(seconds, seconds / max(first, _mean_unit())), key=lambda each: each.units)
        if best.units < MOST_UNITS / 2:
            break
    return best
