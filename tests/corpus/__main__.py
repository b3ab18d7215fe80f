"""Prints the figures of the JSON Patch generator beside those of jsonpatch, and exits with 1 if a bar is missed."""

from __future__ import annotations

import argparse
import sys

from engine.json_patch.diff import PRECISE, SMALLEST
from tests.corpus.measure import (
    HEADER,
    MOST_BYTES,
    MOST_OPERATIONS,
    MOST_UNITS,
    best_time,
    long_lists,
    measure,
    row_figures,
    rows,
)
from tests.corpus.pairs import COUNT, SEED, pairs
from web.garbage import collect_seldom


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser("python -m tests.corpus", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=COUNT, help=f"how many pairs (default {COUNT})")
    parser.add_argument("seed", nargs="?", type=int, default=SEED, help=f"seed of the pairs (default {SEED})")
    options = parser.parse_args()
    collect_seldom()  # as the command line and the server do
    precise, smallest, other = measure(pairs(options.count, options.seed))
    print(f"{options.count} random pairs, seed {options.seed}; worse: pairs on which jsonpatch needs less")
    print("\n".join([HEADER, precise.row(), smallest.row(), other.row()]), end="\n\n")
    missed = bool(precise.wrong or smallest.wrong or precise.exchanges or precise.worse or smallest.worse)
    missed |= precise.operations > MOST_OPERATIONS * precise.pairs or smallest.size > MOST_BYTES * smallest.pairs
    missed |= _print_rows() | _print_long_lists()
    print("\nA bar is missed." if missed else "\nAll bars are met.")
    return int(missed)


def _print_rows() -> bool:
    print(f"{'change of a Kubernetes-shaped document':42}{'operations':>12}{'bytes':>8}{'best known':>14}")
    missed = False
    for row in rows():
        operations, size = row_figures(row)
        best = row["best_known"]
        missed |= operations > best["operations"] or size > best["bytes"]
        print(f"{row['change']:42}{operations:12}{size:8}{best['operations']:>8} / {best['bytes']:<4}")
    return missed


def _print_long_lists() -> bool:
    print(f"\n{'10,000 items, 1,000 changes':42}{'precise':>12}{'smallest':>12}")
    missed = False
    for name, before, after in long_lists():
        precise, smallest = (best_time(before, after, each) for each in (PRECISE, SMALLEST))
        missed |= max(precise.units, smallest.units) >= MOST_UNITS
        print(f"{name:42}{precise.seconds:10.2f} s{smallest.seconds:10.2f} s")
    return missed


if __name__ == "__main__":
    sys.exit(main())
