"""What is read quickly is what the reader with places reads, and all that it refuses is left to that one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.value.document import read_document
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import MISSING, Value
from engine.value.plain_yaml import plain_yaml
from engine.value.yaml_reader import read_yaml_stream

PIECES = (
    *(
        "a",
        "b",
        "yes",
        "null",
        "~",
        "0x1F",
        "1_000",
        "1e6",
        "012",
        ".inf",
        "2026-11-30",
        "'q'",
        '"d\\n"',
        '"a\\/b"',
        "|\n  t\n",
    ),
    *(": ", ":\n  ", "- ", "\n- ", "\n", "\n  ", "? ", ", ", "{", "}", "[", "]", "{}", "[]", "# c\n", "---\n", "...\n"),
    *(
        "&x ",
        "*x",
        "<<: ",
        "'<<': ",
        "!!str ",
        "!!binary ",
        "! ",
        "%YAML 1.1\n---\n",
        "%YAML 1.2\n---\n",
        "\t",
        "\x07",
        "\u2028",
    ),
)
LINES = (
    "a: 1",
    "b:",
    "  c: x",
    "  d: [1, {e: f}]",
    "- g",
    "-",
    "  - h: i",
    "    j: k",
    "'l': \"m\"",
    "n: |",
    "   text",
)


def slowly(text: str, limits: Limits = DEFAULT_LIMITS) -> list[Value] | EngineError:
    try:
        return [each.value for each in read_yaml_stream(text, limits)]
    except EngineError as error:
        return error


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.lists(st.sampled_from(LINES)).map("\n".join))
def test_what_is_read_quickly_is_read_right(text: str) -> None:
    value = plain_yaml(text, DEFAULT_LIMITS)
    if value is not MISSING:
        found = slowly(text)
        assert found == [value]
        assert repr(found) == repr([value])


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\nb: *x",
        "a: !!str 1",
        "<<: {a: 1}",
        "a: 1\na: 2",
        "a: 1\n---\nb: 1",
        "%YAML 1.1\n---\na: 1",
        "a",
        "",
        "{[a]: b}",
    ]
    + ["null: 1", "a: .inf", 'a: "\\/"', "a: b: c", "a: \x07", "? [a]\n: b"],
)
def test_what_is_unusual_or_wrong_is_left_to_the_other_reader(text: str) -> None:
    assert plain_yaml(text, DEFAULT_LIMITS) is MISSING


def test_keys_and_words_mean_what_they_mean_to_kubernetes() -> None:
    assert plain_yaml("yes: no\n0x10: 0o7\n'no': 'yes'\n", DEFAULT_LIMITS) == {"true": False, "16": 7, "no": "yes"}


@pytest.mark.parametrize("limits", [Limits(max_nodes=8), Limits(max_depth=2)])
def test_a_document_beyond_the_limits_is_left_to_the_other_reader(limits: Limits) -> None:
    text = "a:\n- b:\n  - c\nd: e\n"
    assert isinstance(slowly(text, limits), EngineError)
    assert plain_yaml(text, limits) is MISSING
    assert plain_yaml(text, Limits(max_nodes=9, max_depth=4)) == slowly(text)[0]  # type: ignore[index]


def test_places_are_found_when_they_are_asked_for() -> None:
    document = read_document("a:\n- b: 1\n  c: 2\n")
    assert document.place_of(("a", 0, "c")) == (3, 3)
    assert document.place_of(("a", 0, "absent")) == (2, 3)
    assert len(document.positions) == len(list(document.positions)) == 5
