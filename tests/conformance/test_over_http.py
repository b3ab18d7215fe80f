"""The server answers over HTTP as the engine does in process: a sample; `over_http` itself takes all."""

from __future__ import annotations

import pytest

from engine.schema.rules.program import available
from tests.conformance.comparison import outcomes
from tests.conformance.over_http import SUITES, outcomes_over_http

CHUNKS = {"collection": 6, "topology": 12}
MOST = 30


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_over_http_is_as_in_process(suite: str) -> None:
    if suite == "cel" and not available():
        pytest.skip("CEL is not installed: install patchyard[cel]")
    chunks = CHUNKS.get(suite, MOST)
    outside, inside = outcomes_over_http(suite, 0, chunks), outcomes(suite, chunk=0, chunks=chunks)
    assert len(inside) >= 6
    differing = [
        f"{there.id}: over HTTP {there.first}, in process {here.first}"
        for there, here in zip(outside, inside, strict=True)
        if str(there.first) != str(here.first)
    ]
    assert not differing, "\n".join(differing)
