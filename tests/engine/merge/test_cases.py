from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.scenario import play, schema_type

TOLD: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text())
TYPES = {name: schema_type(schema) for name, schema in TOLD["types"].items()}


@pytest.mark.parametrize("case", TOLD["cases"], ids=lambda case: case["phrase"])
def test_case(case: dict[str, Any]) -> None:
    play(case, TYPES)


def test_a_case_that_expects_nothing_is_malformed() -> None:
    with pytest.raises(AssertionError, match="expects nothing"):
        play({"phrase": "?", "type": "words", "steps": [{"apply": "a", "value": {}}]}, TYPES)


@pytest.mark.parametrize(
    "step",
    [
        {"gives": {"x": "2"}},
        {"owners": {}},
        {"unchanged": True},
        {"conflicts": ["b|Apply .x"]},
        {"refused": "no"},
        {"gvies": {"x": "1"}},
    ],
)
def test_a_wrong_expectation_fails(step: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        play({"phrase": "?", "type": "words", "steps": [{"apply": "a", "value": {"x": "1"}, **step}]}, TYPES)
