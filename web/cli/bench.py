"""`patchyard bench`: what the engine costs on this machine."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict

from web.bench.measure import Row, growth, rows, unit_of_time
from web.cli.parsing import NOTHING, Commands, add_command
from web.cli.printing import put
from web.config import Config

ABOUT = """\
Print what each operation costs on documents of several sizes: its time in units and in microseconds, its memory at
the peak, and by what its time grows when a keyed list grows from 1,000 items to 2,000.

A unit is the time of json.loads(json.dumps(...)) of a small Deployment, measured beside each operation: figures in
units can be compared between machines."""


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(commands, "bench", "measure the engine", ABOUT, "patchyard bench --json > figures.json")
    parser.add_argument("--json", action="store_true", help="as JSON, and without the growth")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the figures, and return the exit status."""
    if options.json:
        put(json.dumps({"rows": [_rounded(row) for row in rows()]}, indent=1))
        return NOTHING
    put(f"{'operation':<20}{'document':<16}{'units':>12}{'µs':>14}{'peak KiB':>12}")
    for row in rows():
        put(f"{row.operation:<20}{row.document:<16}{row.units:>12,.2f}{row.us:>14,.1f}{row.peak_kib:>12,}")
    put(f"\na unit is {unit_of_time() * 1e6:.1f} µs here\n")
    put("\n".join(_growth_lines(growth().items())))
    return NOTHING


def _rounded(row: Row) -> dict[str, str | float]:
    return {**asdict(row), "units": round(row.units, 3), "us": round(row.us, 1)}


def _growth_lines(grown: Iterable[tuple[str, float]]) -> Iterable[str]:
    yield "time for a keyed list of 2,000 items, by that for 1,000"
    for name, times in grown:
        yield f"{name:<20}{times:>8.2f}"
