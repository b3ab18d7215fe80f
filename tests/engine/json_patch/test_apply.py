from __future__ import annotations

import json
import time
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.failures import (
    BadIndex,
    CopiesTooLarge,
    InapplicableOperation,
    InvalidOperation,
    MissingLocation,
    MissingMember,
    MoveIntoItself,
    OperationNotAnObject,
    PatchNotAList,
    RootRemoval,
    TestFailed,
    TooManyOperations,
    WrongMember,
)
from engine.json_patch.operation import Dialect
from engine.value.equality import equal
from engine.value.failures import LimitExceeded
from tests.engine.value.strategies import small_values

STRICT, KUBERNETES = Dialect.STRICT, Dialect.KUBERNETES

Case = tuple[str, Any, list[dict[str, Any]], Any, Any]


def op(kind: str, path: str, **members: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, **{name.rstrip("_"): value for name, value in members.items()}}


# phrase, document, patch, outcome under RFC 6902, outcome at the API server: a value, or the class of the failure
CASES: list[Case] = [
    ("add a member", {"a": 1}, [op("add", "/b", value=2)], {"a": 1, "b": 2}, {"a": 1, "b": 2}),
    ("add over a member", {"a": 1}, [op("add", "/a", value=2)], {"a": 2}, {"a": 2}),
    ("add into a list", {"a": [1, 3]}, [op("add", "/a/1", value=2)], {"a": [1, 2, 3]}, {"a": [1, 2, 3]}),
    ("add at the end", {"a": [1]}, [op("add", "/a/-", value=2)], {"a": [1, 2]}, {"a": [1, 2]}),
    ("add at the index after the last", {"a": [1]}, [op("add", "/a/1", value=2)], {"a": [1, 2]}, {"a": [1, 2]}),
    ("add beyond the end", {"a": [1]}, [op("add", "/a/2", value=2)], BadIndex, BadIndex),
    ("add under a missing parent", {}, [op("add", "/a/b", value=1)], MissingLocation, MissingLocation),
    ("add inside a scalar", {"a": 1}, [op("add", "/a/b", value=1)], MissingLocation, MissingLocation),
    ("add inside null", {"a": None}, [op("add", "/a/b", value=1)], MissingLocation, MissingLocation),
    ("remove a member", {"a": 1, "b": 2}, [op("remove", "/a")], {"b": 2}, {"b": 2}),
    ("remove an item", {"a": [1, 2, 3]}, [op("remove", "/a/1")], {"a": [1, 3]}, {"a": [1, 3]}),
    ("remove a missing member", {}, [op("remove", "/a")], MissingLocation, MissingLocation),
    ("remove beyond the end", {"a": [1]}, [op("remove", "/a/1")], BadIndex, BadIndex),
    ("remove the item after the last", {"a": [1]}, [op("remove", "/a/-")], BadIndex, BadIndex),
    ("replace a member", {"a": 1}, [op("replace", "/a", value=[])], {"a": []}, {"a": []}),
    ("replace a missing member", {}, [op("replace", "/a", value=1)], MissingLocation, {"a": 1}),
    ("replace a missing item", {"a": []}, [op("replace", "/a/0", value=1)], BadIndex, BadIndex),
    ("move a member", {"a": 1}, [op("move", "/b", from_="/a")], {"b": 1}, {"b": 1}),
    ("move an item", {"a": [1, 2, 3]}, [op("move", "/a/0", from_="/a/2")], {"a": [3, 1, 2]}, {"a": [3, 1, 2]}),
    ("move onto itself", {"a": 1}, [op("move", "/a", from_="/a")], {"a": 1}, {"a": 1}),
    ("move into itself", {"a": {"b": 1}}, [op("move", "/a/b", from_="/a")], MoveIntoItself, MissingLocation),
    ("move to a longer name", {"a": 1}, [op("move", "/ab", from_="/a")], {"ab": 1}, {"ab": 1}),
    ("move a missing member", {}, [op("move", "/b", from_="/a")], MissingLocation, MissingLocation),
    ("copy a member", {"a": [1]}, [op("copy", "/b", from_="/a")], {"a": [1], "b": [1]}, {"a": [1], "b": [1]}),
    ("copy a missing member", {}, [op("copy", "/b", from_="/a")], MissingLocation, {"b": None}),
    ("copy a missing item", {"a": []}, [op("copy", "/b", from_="/a/0")], BadIndex, BadIndex),
    (
        "a copy is changed alone",
        {"a": [1]},
        [op("copy", "/b", from_="/a"), op("add", "/b/-", value=2)],
        *[{"a": [1], "b": [1, 2]}] * 2,
    ),
    (
        "the source is changed alone",
        {"a": [1]},
        [op("copy", "/b", from_="/a"), op("add", "/a/-", value=2)],
        *[{"a": [1, 2], "b": [1]}] * 2,
    ),
    (
        "test an equal value",
        {"a": {"b": [1, "x"]}},
        [op("test", "/a", value={"b": [1, "x"]})],
        *[{"a": {"b": [1, "x"]}}] * 2,
    ),
    ("test another value", {"a": 1}, [op("test", "/a", value=2)], TestFailed, TestFailed),
    ("test one against true", {"a": 1}, [op("test", "/a", value=True)], TestFailed, TestFailed),
    ("test one against a float of one", {"a": 1}, [op("test", "/a", value=1.0)], {"a": 1}, TestFailed),
    ("test null on a missing member", {}, [op("test", "/a", value=None)], MissingLocation, {}),
    ("test a value on a missing member", {}, [op("test", "/a", value=1)], MissingLocation, TestFailed),
    ("test beyond the end", {"a": []}, [op("test", "/a/0", value=None)], BadIndex, BadIndex),
    (
        "a test that fails undoes all",
        {"a": 1},
        [op("add", "/b", value=1), op("test", "/a", value=2)],
        TestFailed,
        TestFailed,
    ),
    ("a negative index", {"a": [1, 2]}, [op("remove", "/a/-1")], BadIndex, {"a": [1]}),
    ("a negative index beyond the start", {"a": [1]}, [op("remove", "/a/-2")], BadIndex, BadIndex),
    ("a leading zero", {"a": [1, 2]}, [op("remove", "/a/01")], BadIndex, {"a": [1]}),
    ("a sign", {"a": [1, 2]}, [op("remove", "/a/+1")], BadIndex, {"a": [1]}),
    ("a word as an index", {"a": [1]}, [op("remove", "/a/x")], BadIndex, BadIndex),
    ("digits beyond all integers", {"a": [1]}, [op("remove", "/a/" + "9" * 5000)], BadIndex, BadIndex),
    ("escapes", {"/": {"~": 1}, "~1": 2}, [op("remove", "/~1/~0"), op("remove", "/~01")], {"/": {}}, {"/": {}}),
    ("the empty name", {"": 1}, [op("remove", "/")], {}, {}),
    ("a pointer without its slash", {"a": 1}, [op("remove", "x/a")], WrongMember, {}),
    ("a pointer of a word", {"a": 1}, [op("remove", "a")], WrongMember, MissingLocation),
    ("a bad escape", {"~2": 1}, [op("remove", "/~2")], WrongMember, {}),
    ("replace the document", {"a": 1}, [op("replace", "", value=[1])], [1], MissingLocation),
    ("test the document", {"a": 1}, [op("test", "", value={"a": 1})], {"a": 1}, MissingLocation),
    ("copy the document into itself", {"a": 1}, [op("copy", "/b", from_="")], {"a": 1, "b": {"a": 1}}, MissingLocation),
    ("remove the document", {"a": 1}, [op("remove", "")], RootRemoval, MissingLocation),
    ("add without a value", {}, [op("add", "/a")], MissingMember, {"a": None}),
    ("an operation without a path", {}, [{"op": "add", "value": 1}], MissingMember, InvalidOperation),
    ("an operation without a kind", {}, [{"path": "/a"}], MissingMember, InvalidOperation),
    ("an unknown kind", {}, [op("merge", "/a", value=1)], WrongMember, InvalidOperation),
    ("a move without a source", {"a": 1}, [op("move", "/b")], MissingMember, InvalidOperation),
    ("a path that is a number", {}, [{"op": "add", "path": 1, "value": 1}], WrongMember, WrongMember),
    ("members that no operation has", {}, [op("add", "/a", value=1, note="x")], {"a": 1}, {"a": 1}),
]


def outcome(document: Any, patch: Any, dialect: Dialect) -> Any:
    try:
        return apply_json_patch(document, patch, dialect)
    except EngineError as failure:
        return type(failure)


@pytest.mark.parametrize(
    ("phrase", "document", "patch", "strict", "kubernetes"), CASES, ids=[case[0] for case in CASES]
)
def test_operation(phrase: str, document: Any, patch: Any, strict: Any, kubernetes: Any) -> None:
    assert outcome(document, patch, STRICT) == strict
    assert outcome(document, patch, KUBERNETES) == kubernetes


FORMS = [({}, PatchNotAList), ("x", PatchNotAList), ([1], OperationNotAnObject), ([[]], OperationNotAnObject)]


@pytest.mark.parametrize(("patch", "failure"), FORMS)
@pytest.mark.parametrize("dialect", Dialect)
def test_a_value_of_another_form_is_no_patch(patch: Any, failure: type[EngineError], dialect: Dialect) -> None:
    with pytest.raises(failure):
        apply_json_patch({}, patch, dialect)


def test_null_is_an_empty_patch_to_the_api_server_and_no_operation() -> None:
    assert outcome({"a": 1}, None, KUBERNETES) == {"a": 1}
    assert outcome({"a": 1}, None, STRICT) is PatchNotAList
    assert outcome({"a": 1}, [None], KUBERNETES) is InvalidOperation
    assert outcome({"a": 1}, [None], STRICT) is OperationNotAnObject


def test_a_failure_says_which_operation_and_how_far_its_pointer_leads() -> None:
    patch = [op("add", "/spec/a", value={}), op("remove", "/spec/a/b/c")]
    with pytest.raises(MissingLocation) as failure:
        apply_json_patch({"spec": {}}, patch, STRICT)
    assert (failure.value.index, failure.value.op, failure.value.path) == (1, "remove", "/spec/a/b/c")
    assert failure.value.exists == "/spec/a"
    assert str(failure.value) == (
        'operation 1 (remove "/spec/a/b/c"): "/spec/a/b/c" does not exist; the document has it as far as "/spec/a"'
    )


def test_ten_thousand_operations_pass_and_one_more_does_not() -> None:
    patch = [op("add", "/a/-", value=1)] * 10_000
    before = time.monotonic()
    assert len(apply_json_patch({"a": []}, patch, STRICT)["a"]) == 10_000  # type: ignore[index, call-overload]
    assert time.monotonic() - before < 5
    with pytest.raises(TooManyOperations):
        apply_json_patch({"a": []}, [*patch, patch[0]], STRICT)


def test_copies_that_double_the_document_are_refused_at_once() -> None:
    patch = [op("copy", "/a/-", from_="/a")] * 1000
    before = time.monotonic()
    with pytest.raises(CopiesTooLarge):
        apply_json_patch({"a": ["x" * 100]}, patch, STRICT)
    assert time.monotonic() - before < 5


def test_moves_and_adds_cannot_nest_a_document_without_end() -> None:
    patch = [
        step
        for _ in range(300)
        for step in (op("add", "/b", value={}), op("move", "/b/a", from_="/a"), op("move", "/a", from_="/b"))
    ]
    with pytest.raises(LimitExceeded):
        apply_json_patch({"a": {}}, patch, STRICT)


paths = st.lists(st.sampled_from(["a", "b", "0", "1", "-", "~0", "~1", ""]), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)
operations = st.one_of(
    st.builds(
        lambda kind, path, value: op(kind, path, value=value),
        st.sampled_from(["add", "replace", "test"]),
        paths,
        small_values,
    ),
    st.builds(lambda path: op("remove", path), paths),
    st.builds(lambda kind, path, source: op(kind, path, from_=source), st.sampled_from(["move", "copy"]), paths, paths),
)
documents = st.recursive(
    st.sampled_from([None, True, 1, "x"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "0", "~", "/", ""]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(documents, st.lists(operations, max_size=5))
def test_the_strict_dialect_agrees_with_the_jsonpatch_library(document: Any, patch: Any) -> None:
    ours = outcome(document, patch, STRICT)
    if ours in (MoveIntoItself, RootRemoval):
        return  # the library moves a value into itself where it can, and makes null of a document that is removed
    try:
        theirs = jsonpatch.apply_patch(*json.loads(json.dumps([document, patch])))
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
        assert isinstance(ours, type)
        assert issubclass(ours, InapplicableOperation)
        return
    assert equal(ours, theirs)


@given(documents, st.lists(operations, max_size=5), st.sampled_from(Dialect))
def test_neither_document_nor_patch_is_changed(document: Any, patch: Any, dialect: Dialect) -> None:
    before = json.dumps([document, patch])
    outcome(document, patch, dialect)
    assert json.dumps([document, patch]) == before


def test_what_was_copied_stands_in_two_places_and_is_changed_in_one() -> None:
    patch = [
        {"op": "add", "path": "/l/0/-", "value": 2},
        {"op": "copy", "from": "/l/0", "path": "/l/-"},
        {"op": "add", "path": "/l/0/-", "value": 3},
        {"op": "add", "path": "/l/1/-", "value": 4},
        {"op": "copy", "from": "/l", "path": "/m"},
        {"op": "add", "path": "/m/0/-", "value": 5},
        {"op": "copy", "from": "/m", "path": "/m/0/0"},
    ]
    document = {"l": [[1]]}
    made = apply_json_patch(document, patch)
    assert made == {"l": [[1, 2, 3], [1, 2, 4]], "m": [[[[1, 2, 3, 5], [1, 2, 4]], 1, 2, 3, 5], [1, 2, 4]]}
    assert document == {"l": [[1]]}


def test_copies_of_one_item_do_not_copy_their_list_each_time() -> None:
    def seconds(items: int) -> float:
        patch = [{"op": "copy", "from": "/l/0", "path": "/l/-"}] * 2_000
        began = time.thread_time()
        apply_json_patch({"l": list(range(items))}, patch)
        return time.thread_time() - began

    assert seconds(150_000) < 20 * seconds(150) + 0.2
