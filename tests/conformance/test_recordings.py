"""Every scenario that was exact once stays so. The table is printed at the end of the run (conftest.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple

import pytest

from engine.schema.rules.program import available
from tests.conformance.comparison import SUITES, exact_ids, outcomes, recorded, row

CHUNKS = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("suite", SUITES)
def test_the_engine_answers_as_recorded(suite: str, chunk: int, record_property: Callable[[str, object], None]) -> None:
    if suite == "cel" and not available():
        pytest.skip("CEL is not installed: install patchyard[cel]")
    found = outcomes(suite, chunk=chunk, chunks=CHUNKS)
    live = outcomes(suite, live=True, chunk=chunk, chunks=CHUNKS)
    record_property("recordings", astuple(row(suite, found, live)))
    listed = exact_ids()
    lost = [f"{each.id}: {each.first}" for each in found if each.id in listed and not each.exact]
    assert not lost, f"{len(lost)} scenarios of exact.txt are not exact any more:\n" + "\n".join(lost[:10])
    won = [each.id for each in found if each.exact and each.id not in listed]
    assert not won, f"{len(won)} scenarios have become exact ({won[0]} ...): run `python -m tests.conformance.record`"


def test_every_listed_scenario_is_recorded() -> None:
    known = {each["id"] for suite in SUITES for each in recorded(suite)[1]}
    assert exact_ids() <= known
