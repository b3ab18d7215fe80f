"""What is timed gives the recorded results, and its cost grows with the document: no clock is held against a number."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.apiserver.strategies import strategy_of
from engine.value.equality import equal
from web.bench.documents import custom_resource, deployment, keyed_list, large_deployment, recording, samples
from web.bench.http import measure as measure_over_http
from web.bench.http import served
from web.bench.measure import measure
from web.bench.operations import TIME, Operation, keeper, operations
from web.cli import COMMANDS, main

PATCHES = {"strategic": "strategic", "merge_patch": "merge-patch", "json_patch": "json-patch"}
GROWING = (
    "apply-create",
    "apply-noop",
    "apply-change",
    "apply-force",
    "apply-drop",
    "apply-ten-managers",
    "update",
    "explain",
    "blame",
)


def by_name(sample: Any) -> dict[str, Operation]:
    return {operation.name: operation for operation in operations(sample)}


def without_times(obj: Any) -> Any:
    """The object without what only a server sets: the times of entries, and the generation."""
    entries = [{**each, "time": ""} for each in obj["metadata"]["managedFields"]]
    return {**obj, "metadata": {**obj["metadata"], "generation": 0, "managedFields": entries}}


def test_the_timed_apply_gives_the_recorded_object() -> None:
    done = by_name(deployment())["apply-force"].run()
    normalize = strategy_of(deployment().info).normalize
    expected = recording()["apply_force"]["result"]
    assert equal(without_times(normalize(done)), without_times(expected))


def test_the_timed_apply_of_the_same_intent_changes_nothing() -> None:
    done = by_name(deployment())["apply-noop"].run()
    assert equal(done, recording()["live"])


@pytest.mark.parametrize("recorded", PATCHES)
def test_the_timed_patch_gives_the_recorded_object(recorded: str) -> None:
    sample, live = deployment(), recording()["live"]
    patched = strategy_of(sample.info).normalize(by_name(sample)[PATCHES[recorded]].run())
    done = keeper(sample).update(live, patched, recording()[recorded]["manager"], TIME)
    assert equal(without_times(done), without_times(recording()[recorded]["result"]))


def test_the_documents_are_as_large_as_their_names_say() -> None:
    assert [sample.name for sample in samples()][2:] == ["deployment-500", "custom-5000", "keyed-10000"]
    for sample, lines in ((large_deployment(), 500), (custom_resource(), 5_000)):
        text = by_name(sample)["render-yaml"].run()
        assert lines * 0.9 <= text.count("\n") <= lines * 1.1


@pytest.mark.parametrize("name", GROWING)
def test_twice_the_items_take_at_most_twice_the_calls(name: str) -> None:
    small, large = (by_name(keyed_list(size))[name].run for size in (300, 600))
    calls(small)
    assert calls(large) <= calls(small) * 2.2


def test_a_forced_apply_takes_a_bounded_number_of_calls_for_each_line() -> None:
    operation = by_name(large_deployment())
    lines = operation["render-yaml"].run().count("\n")
    operation["apply-force"].run()
    assert calls(operation["apply-force"].run) <= 100 * lines


@pytest.mark.parametrize(("name", "most"), [("apply-noop", 130), ("apply-force", 150), ("apply-drop", 250)])
def test_an_item_of_a_long_keyed_list_takes_a_bounded_number_of_calls(name: str, most: int) -> None:
    run = by_name(keyed_list(1_000))[name].run
    run()
    assert calls(run) <= most * 1_000


def test_reading_an_object_as_its_type_takes_a_bounded_number_of_calls() -> None:
    strategy, live = strategy_of(deployment().info), recording()["live"]
    strategy.normalize(live)
    assert calls(lambda: strategy.normalize(live)) <= 1_500


def test_an_apply_over_http_is_measured(tmp_path: Path) -> None:
    with served(tmp_path / "store.db", 1) as port:
        figures = measure_over_http(port, "apply-change", 2, 0.2)
    assert 0 < figures.median_ms <= figures.p95_ms
    assert figures.requests_per_second > 0


def test_a_measurement_is_of_an_operation_in_units() -> None:
    row = measure(by_name(deployment())["json-patch"])
    assert (row.operation, row.document) == ("json-patch", "deployment")
    assert 0 < row.units < row.us


def test_bench_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "bench" in COMMANDS
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    assert "--json" in capsys.readouterr().out


def calls(run: Callable[[], Any]) -> int:
    count = 0

    def seen(_: Any, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count
