from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import diff
from engine.json_patch.failures import PatchNotAList
from engine.json_patch.operation import Dialect
from engine.json_patch.trace import differences, trace
from engine.value.equality import equal
from engine.value.model import MISSING
from tests.engine.value.strategies import small_values

DOCUMENT: dict[str, Any] = {"a": {"b": 1}, "l": ["x", "y"], "n": 1}
PARTING: list[tuple[str, dict[str, Any], str, str]] = [
    ("a missing member is replaced", {"op": "replace", "path": "/a/z", "value": 1}, "RFC 6902", "adds the member"),
    ("a missing member is copied", {"op": "copy", "from": "/a/z", "path": "/c"}, "RFC 6902", "copies null"),
    ("null is tested where nothing is", {"op": "test", "path": "/z", "value": None}, "RFC 6902", "for null"),
    ("a value is left out", {"op": "add", "path": "/c"}, "RFC 6902", "left out for null"),
    ("an index counts from the end", {"op": "remove", "path": "/l/-1"}, "RFC 6902", "counts a negative index"),
    ("an index begins with a zero", {"op": "remove", "path": "/l/01"}, "RFC 6902", "leading zeros"),
    ("a pointer lacks its slash", {"op": "add", "path": "x/c", "value": 1}, "RFC 6902", "before the first slash"),
    ("the whole document is replaced", {"op": "replace", "path": "", "value": {}}, "Kubernetes", "no pointer for"),
    ("a float is tested", {"op": "test", "path": "/n", "value": 1.0}, "Kubernetes", "as they are written"),
]
AGREED: list[list[dict[str, Any]]] = [
    [],
    [{"op": "add", "path": "/c", "value": 1}, {"op": "remove", "path": "/c"}],
    [{"op": "remove", "path": "/z"}],
    [{"op": "move", "from": "/z", "path": "/y"}],
    [{"op": "test", "path": "/n", "value": 2}, {"op": "replace", "path": "/z", "value": 1}],
    [{"op": "nothing", "path": "/a"}],
]


@pytest.mark.parametrize(("phrase", "operation", "refuses", "because"), PARTING, ids=[each[0] for each in PARTING])
def test_the_dialects_part(phrase: str, operation: dict[str, Any], refuses: str, because: str) -> None:
    fine = {"op": "test", "path": "/n", "value": 1}
    [found] = differences(DOCUMENT, [fine, operation])
    assert found.index == 1
    assert found.told.startswith(f"{refuses} refuses ")
    assert because in found.told
    assert "operation 1" in found.told
    assert (found.strict is None) == (refuses == "Kubernetes")
    for dialect, failure in ((Dialect.STRICT, found.strict), (Dialect.KUBERNETES, found.kubernetes)):
        if failure is None:
            apply_json_patch(DOCUMENT, [operation], dialect)
        else:
            with pytest.raises(type(failure)):
                apply_json_patch(DOCUMENT, [operation], dialect)


@pytest.mark.parametrize("patch", AGREED, ids=json.dumps)
def test_the_dialects_agree(patch: list[dict[str, Any]]) -> None:
    assert differences(DOCUMENT, patch) == ()


def test_null_is_a_patch_to_kubernetes_alone() -> None:
    [found] = differences(DOCUMENT, None)
    assert found.index is None
    assert isinstance(found.strict, PatchNotAList)
    assert differences(DOCUMENT, "no patch") == ()


def test_each_difference_is_told() -> None:
    found = differences(DOCUMENT, [each[1] for each in PARTING[:6]])
    assert [each.index for each in found] == [0, 2, 3, 4]  # the copied member is there by then, the last index not


def test_a_trace_holds_the_document_after_each_operation() -> None:
    patch = [
        {"op": "add", "path": "/l/0", "value": "w"},
        {"op": "move", "from": "/l/0", "path": "/l/2"},
        {"op": "remove", "path": "/z"},
        {"op": "remove", "path": "/a"},
    ]
    steps = trace(DOCUMENT, patch)
    assert [step.index for step in steps] == [0, 1, 2]
    documents: list[Any] = [step.document for step in steps]
    assert [each["l"] for each in documents[:2]] == [["w", "x", "y"], ["x", "y", "w"]]
    assert documents[2] is MISSING
    assert str(steps[2].failure).startswith('operation 2 (remove "/z")')
    assert DOCUMENT == {"a": {"b": 1}, "l": ["x", "y"], "n": 1}


def test_a_misshapen_operation_is_found_before_its_turn_where_rfc_6902_rules() -> None:
    patch = [{"op": "remove", "path": "/n"}, {"op": "add", "path": "/c"}]
    assert len(trace(DOCUMENT, patch)) == 2
    with pytest.raises(EngineError):
        trace(DOCUMENT, patch, Dialect.STRICT)


@given(small_values, small_values)
def test_the_last_step_is_the_whole(before: Any, after: Any) -> None:
    steps = trace(before, diff(before, after), Dialect.STRICT)
    assert not steps or equal(steps[-1].document if steps[-1].document is not MISSING else None, after)


operations = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test", "no"])},
    optional={
        "path": st.sampled_from(["", "/", "/a", "/a/b", "/l/0", "/l/-1", "/l/00", "l/1", "/l/-", "/z/z", "/~2"]),
        "from": st.sampled_from(["", "/a", "/l/0", "/z", "a/b"]),
        "value": small_values,
    },
)


@given(st.lists(operations, max_size=5))
def test_differences_are_told_exactly_where_there_are_some(patch: list[Any]) -> None:
    def outcome(dialect: Dialect) -> Any:
        try:
            return json.dumps(apply_json_patch(DOCUMENT, patch, dialect), sort_keys=True)
        except EngineError:
            return "refused"

    if outcome(Dialect.STRICT) != outcome(Dialect.KUBERNETES):
        assert differences(DOCUMENT, patch)
    for each in differences(DOCUMENT, patch):
        assert each.told.endswith(".")


def test_what_follows_a_difference_is_done_on_the_servers_document() -> None:
    patch = [
        {"op": "replace", "path": "/a/z", "value": [1]},
        {"op": "add", "path": "/a/z/-", "value": 2},
        {"op": "test", "path": "/a/z", "value": [1, 2]},
        {"op": "test", "path": "/n", "value": 1.0},
    ]
    assert [each.index for each in differences(DOCUMENT, patch)] == [0, 3]
    assert DOCUMENT["a"] == {"b": 1}


def test_differences_cost_what_the_operations_touch() -> None:
    def calls(size: int) -> int:
        document = {"l": [{"n": n} for n in range(size)]}
        patch = [{"op": "replace", "path": f"/l/{n}/n", "value": -1} for n in range(50)]
        count = 0

        def seen(*_: Any) -> None:
            nonlocal count
            count += 1

        sys.setprofile(seen)
        try:
            assert differences(document, patch) == ()
        finally:
            sys.setprofile(None)
        return count

    calls(100)
    assert calls(10_000) <= calls(100) * 1.1
