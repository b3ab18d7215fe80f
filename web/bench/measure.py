"""How long an operation takes, in units, and how much memory it needs.

A unit is the time of `json.loads(json.dumps(intent))` for the intent that is applied with force to the recorded
Deployment. It is measured right before and after each operation, so that a machine that is busy for a while slows
both: figures in units can be compared between machines and days, microseconds cannot. Each figure is the best of
several rounds, the garbage collector off, as in the standard library's `timeit`.
"""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from web.bench.documents import keyed_list, recording, samples
from web.bench.operations import Operation, operations

SECONDS = 0.15
"""About how long one operation is repeated."""
ROUNDS = 5
GROWTH_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: an operation on a document, its time in units and microseconds, its memory at the peak."""

    operation: str
    document: str
    units: float
    us: float
    peak_kib: int


def rows() -> Iterator[Row]:
    """Yield a row for each operation on each document."""
    for sample in samples():
        for operation in operations(sample):
            yield measure(operation)


def growth() -> dict[str, float]:
    """Return for each operation by what its time grows from a keyed list of 1,000 items to one of 2,000."""
    half, whole = (operations(keyed_list(size)) for size in (1_000, 2_000))
    return {one.name: _growth(one.run, two.run) for one, two in zip(half, whole, strict=True)}


def _growth(half: Callable[[], Any], whole: Callable[[], Any]) -> float:
    """Return by what the time grows; both take turns, so that what slows the machine for a while slows both."""
    taken = [(_best(half, 1), _best(whole, 1)) for _ in range(GROWTH_ROUNDS)]
    return min(two for _, two in taken) / min(one for one, _ in taken)


def measure(operation: Operation) -> Row:
    """Measure one operation."""
    unit = unit_of_time()
    once = _best(operation.run, 1)
    times = max(1, int(SECONDS / ROUNDS / max(once, 1e-7)))
    taken = min(_best(operation.run, times) for _ in range(ROUNDS if once < SECONDS else 2))
    unit = min(unit, unit_of_time())
    return Row(operation.name, operation.document, taken / unit, taken * 1e6, _peak(operation.run) // 1024)


def unit_of_time() -> float:
    """Return the unit, in seconds."""
    intent = recording()["apply_force"]["intent"]
    return _best(lambda: json.loads(json.dumps(intent)), 300)


def _best(run: Callable[[], Any], times: int) -> float:
    best = float("inf")
    was_on = gc.isenabled()
    gc.disable()
    try:
        for _ in range(times):
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
    finally:
        if was_on:
            gc.enable()
    return best


def _peak(run: Callable[[], Any]) -> int:
    """Return how many bytes `run` holds at its peak beyond what was there before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        run()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak - before
