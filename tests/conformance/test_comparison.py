"""The comparison itself: what counts as a difference, and what the engine is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.comparison import first_difference, normal, question

# recorded, got, path of the first difference
DIFFERENCES: list[tuple[Any, Any, str | None]] = [
    ({"a": 1}, {"a": 1}, None),
    ({"a": 1}, {"a": 1.0}, "/a"),
    ({"a": 1}, {"a": True}, "/a"),
    ({"a": None}, {}, "/a"),
    ({}, {"a": None}, "/a"),
    ([1, 2], [1], "/1"),
    ([], [1], "/0"),
    ([1], {"0": 1}, ""),
    ({"b": 1, "a": {"c": [1, "x"]}}, {"b": 2, "a": {"c": [1, "y"]}}, "/a/c/1"),
]


@pytest.mark.parametrize(("want", "got", "path"), DIFFERENCES)
def test_first_difference(want: Any, got: Any, path: str | None) -> None:
    found = first_difference(want, got)
    assert (found[0] if found else None) == path


def refusal(message: str, *causes: tuple[str, str]) -> dict[str, Any]:
    told = [{"field": field, "message": text} for field, text in causes]
    return {"code": 422, "body": {"message": message, "details": {"causes": told}}}


WHOLE = "{" + ", ".join(f'"k{number}": 1' for number in range(20)) + "}"


def test_the_order_of_causes_and_of_parts_of_the_message_is_left_out() -> None:
    one = refusal("x is invalid: [a: no, b: no]", ("a", "no"), ("b", "no"))
    other = refusal("x is invalid: [b: no, a: no]", ("b", "no"), ("a", "no"))
    assert one != other
    assert normal(one) == normal(other)


def test_whole_objects_in_messages_are_left_out_and_short_values_are_not() -> None:
    one, other = (
        refusal(f"a: Invalid value: {whole}: no", ("a", f"Invalid value: {whole}: no")) for whole in (WHOLE, "{}")
    )
    assert normal(one) != normal(other)
    short = [normal(refusal(f'a: Invalid value: "{text}": no')) for text in ("x", "y")]
    assert short[0] != short[1]
    longer = [normal(refusal(f"a: Invalid value: {whole}: no")) for whole in (WHOLE, WHOLE.replace("1", "2"))]
    assert longer[0] == longer[1]


def test_other_words_count() -> None:
    assert normal(refusal("a: no")) != normal(refusal("a: yes"))
    granted = {"code": 200, "body": {"message": "b, a"}}
    assert normal(granted) == granted


SCENARIO: Any = {
    "id": "x",
    "kind": "ConfigMap",
    "steps": [
        {
            "request": {"method": "POST", "query": {}, "body": {}},
            "response": {
                "code": 201,
                "body": {"kind": "ConfigMap", "metadata": {"resourceVersion": "rv0", "uid": "uid0"}},
            },
        },
        {
            "request": {"method": "PUT", "query": {}, "body": {"metadata": {"resourceVersion": "rv5"}}},
            "response": {"code": 409, "body": {"kind": "Status"}},
        },
        {
            "request": {"method": "DELETE", "query": {}, "body": None},
            "response": {"code": 200, "body": {"kind": "Status"}},
        },
        {
            "request": {"method": "GET", "query": {}, "body": None},
            "response": {"code": 404, "body": {"kind": "Status"}},
        },
    ],
}


def test_the_engine_is_not_told_the_answers() -> None:
    assert all(set(step) == {"request"} for step in question(SCENARIO, live=False)["steps"])
    assert question({"id": "y", "yaml": "spec: 1", "want": {"spec": 1}}, live=True) == {"id": "y", "yaml": "spec: 1"}


def test_with_live_the_engine_is_told_what_was_there_and_which_tokens_are_next() -> None:
    steps = question(SCENARIO, live=True)["steps"]
    created = SCENARIO["steps"][0]["response"]["body"]
    assert [step["live"] for step in steps] == [None, created, created, None]
    assert [step["next"] for step in steps] == [
        {"rv": 0, "uid": 0},
        {"rv": 6, "uid": 1},
        {"rv": 6, "uid": 1},
        {"rv": 6, "uid": 1},
    ]
