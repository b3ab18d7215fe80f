"""The bars that the JSON Patch generator is held to; `python -m tests.corpus` prints the table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.json_patch.diff import PRECISE, SMALLEST, diff
from tests.corpus.exchanges import exchanges_a_container
from tests.corpus.measure import MOST_BYTES, MOST_OPERATIONS, gives, long_lists, measure, row_figures, rows
from tests.corpus.pairs import COUNT

ROOT = Path(__file__).resolve().parents[2]


def test_random_pairs() -> None:
    precise, smallest, _ = measure()
    assert precise.pairs == COUNT
    assert (precise.wrong, smallest.wrong, precise.exchanges) == (0, 0, 0)
    assert precise.operations / COUNT <= MOST_OPERATIONS
    assert smallest.size / COUNT <= MOST_BYTES
    assert (precise.worse, smallest.worse) == ([], [])


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["change"])
def test_kubernetes_shaped_change(row: dict[str, Any]) -> None:
    operations, size = row_figures(row)
    assert operations <= row["best_known"]["operations"]
    assert size <= row["best_known"]["bytes"]


@pytest.mark.parametrize(("name", "before", "after"), list(long_lists()), ids=[each[0] for each in long_lists()])
def test_long_list(name: str, before: list[Any], after: list[Any]) -> None:
    for options in (PRECISE, SMALLEST):
        assert gives(before, diff(before, after, options), after)


@pytest.mark.slow
def test_the_command_says_that_all_bars_are_met() -> None:
    # A process of its own: times are not those of the tests' large heap.
    done = subprocess.run([sys.executable, "-m", "tests.corpus"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All bars are met." in done.stdout


def test_exchanges_are_seen() -> None:
    before = {"m": {"a": {"x": 1}}, "l": [[1], 2]}
    exchanged: list[list[dict[str, Any]]] = [
        [{"op": "replace", "path": "/m/a", "value": {}}],
        [{"op": "add", "path": "/m/a", "value": {}}],
        [{"op": "remove", "path": "/m/a"}, {"op": "add", "path": "/m/a", "value": {}}],
        [{"op": "move", "from": "/m/a", "path": "/b"}, {"op": "copy", "from": "/b", "path": "/m/a"}],
        [{"op": "replace", "path": "/l/0", "value": []}],
        [{"op": "replace", "path": "", "value": {}}],
    ]
    assert all(exchanges_a_container(before, patch) for patch in exchanged)
    kept: list[list[dict[str, Any]]] = [
        [{"op": "replace", "path": "/m/a", "value": []}],
        [{"op": "remove", "path": "/l/0"}, {"op": "add", "path": "/l/0", "value": []}],
        [{"op": "move", "from": "/l/0", "path": "/m/b"}],
    ]
    assert not any(exchanges_a_container(before, patch) for patch in kept)
