"""The test suite of the json-patch organisation (npm: json-patch-test-suite, pinned in package.json), in full."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineError
from engine.generate.exact import identical
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import PRECISE, SMALLEST, diff
from engine.json_patch.operation import Dialect
from engine.value.document import read_document

SUITE = Path(__file__).parents[3] / "node_modules/json-patch-test-suite"
FILES = ("tests.json", "spec_tests.json")
ABSENT = "json-patch-test-suite is not in node_modules: run npm ci (make test does)"


def load(name: str) -> list[dict[str, Any]]:
    path = SUITE / name
    loaded: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return loaded


CASES = [(name, number, case) for name in FILES for number, case in enumerate(load(name))]
REPEATED_OP = [(name, number) for name, number, case in CASES if "two 'op' members" in case.get("error", "")]
"""Texts in which an operation has two members `op`: a JSON reader has to notice, a value no longer shows it."""


def test_the_suite_is_there() -> None:
    if not SUITE.exists() and os.environ.get("CI") != "true":
        pytest.skip(ABSENT)
    assert SUITE.exists(), ABSENT
    assert len(CASES) == 95


@pytest.mark.parametrize(
    "case",
    [case for name, number, case in CASES if (name, number) not in REPEATED_OP],
    ids=[
        f"{name.removesuffix('.json')} {number} {case.get('comment', '')}"
        for name, number, case in CASES
        if (name, number) not in REPEATED_OP
    ],
)
def test_case(case: dict[str, Any]) -> None:
    untouched = json.dumps(case)
    if "error" in case:
        with pytest.raises(EngineError):
            apply_json_patch(case["doc"], case["patch"], Dialect.STRICT)
    else:
        made = apply_json_patch(case["doc"], case["patch"], Dialect.STRICT)
        expected = case.get("expected", case["doc"])
        assert identical(made, expected)
        for options in (PRECISE, SMALLEST):
            patch = diff(case["doc"], expected, options)
            assert identical(apply_json_patch(case["doc"], patch, Dialect.STRICT), expected)
    assert json.dumps(case) == untouched


@pytest.mark.parametrize(("name", "number"), REPEATED_OP)
def test_an_operation_with_two_kinds_is_noticed_where_it_is_read(name: str, number: int) -> None:
    document = read_document((SUITE / name).read_text(encoding="utf-8"))
    assert (number, "patch", 0, "op") in [path for path, _, _ in document.duplicates]
