"""What is timed gives the recorded results, and its cost grows with the document: no clock is held against a number."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from engine.apiserver.strategies import strategy_of
from engine.value.equality import equal
from web.bench.documents import custom_resource, deployment, keyed_list, large_deployment, recording, samples
from web.bench.measure import measure
from web.bench.operations import TIME, Operation, keeper, operations
from web.cli import COMMANDS, main

PATCHES = {"strategic": "strategic", "merge_patch": "merge-patch", "json_patch": "json-patch"}
GROWING = ("apply-create", "apply-noop", "apply-change", "apply-force", "apply-ten-managers", "update", "blame")


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
