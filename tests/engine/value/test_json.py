from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.value.equality import equal
from engine.value.failures import LimitExceeded, UnreadableDocument
from engine.value.json_reader import parse_json, read_json
from engine.value.json_writer import render_go_json, render_json
from engine.value.limits import Limits, check_shape
from tests.engine.value.strategies import texts, values_of

FAULTS = [
    ("a comma before the closing brace", '{"a":1,}', 1, 8, "a name in double quotes"),
    ("a missing comma", '{"a": 1\n "b": 2}', 2, 2, '"," or "}"'),
    ("a missing colon", '{"a" 1}', 1, 6, '":"'),
    ("a list that does not end", "[1,\n2", 2, 2, '"," or "]"'),
    ("a string that does not end", '{"a": "b', 1, 7, 'a closing "'),
    ("a line break inside a string", '["a\nb"]', 1, 4, "the string to go on"),
    ("an unknown escape", '["\\q"]', 1, 3, "one of"),
    ("a word that is no value", "[nil]", 1, 2, "a value"),
    ("not a number", "[NaN]", 1, 2, "a value"),
    ("infinity", "[-Infinity]", 1, 2, "a number"),
    ("a number beyond floats", "[1e400]", 1, 2, "a smaller one"),
    ("an integer beyond floats", "[" + "9" * 400 + "]", 1, 2, "a smaller one"),
    ("a leading zero", "[01]", 1, 3, '"," or "]"'),
    ("text after the value", "{} x", 1, 4, "the end of the document"),
    ("no text", "", 1, 1, "a value"),
    ("a zero byte", "[\x00]", 1, 2, "a value"),
    ("a byte order mark", "\ufeff{}", 1, 1, "a value"),
]


@pytest.mark.parametrize(("phrase", "text", "line", "column", "expected"), FAULTS)
def test_a_fault_is_placed(phrase: str, text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(UnreadableDocument) as failure:
        parse_json(text)
    assert (failure.value.line, failure.value.column) == (line, column)
    assert failure.value.expected.startswith(expected)


NUMBERS = [
    ("the largest 64-bit integer stays exact", "9223372036854775807", 9223372036854775807),
    ("one above it is a float", "9223372036854775808", 9223372036854775808.0),
    ("the smallest stays exact", "-9223372036854775808", -9223372036854775808),
    ("an integer of 300 digits is a float", "1" * 300, float("1" * 300)),
    ("a fraction of nothing stays a float", "1.0", 1.0),
    ("an exponent makes a float", "1e3", 1000.0),
    ("minus zero is zero", "-0", 0),
]


@pytest.mark.parametrize(("phrase", "text", "number"), NUMBERS)
def test_numbers(phrase: str, text: str, number: float) -> None:
    assert parse_json(text) == number
    assert type(parse_json(text)) is type(number)
    assert read_json(text).value == number


RENDERED = [
    ("a whole float", 1.0, "1"),
    ("a float beyond 64 bits", 9223372036854775808.0, "9223372036854776000"),
    ("the largest positional float", 1e20, "100000000000000000000"),
    ("the first with an exponent", 1e21, "1e+21"),
    ("the smallest positional float", 1e-6, "0.000001"),
    ("below it", 1e-7, "1e-7"),
    ("a fraction", -1234.5, "-1234.5"),
    ("minus zero", -0.0, "-0"),
    ("a two-digit exponent", 1.5e-10, "1.5e-10"),
    ("a boolean beside a float", [True, 1.5], "[true,1.5]"),
    ("text as it stands", "é\u2028<", '"é\u2028<"'),
]


@pytest.mark.parametrize(("phrase", "value", "text"), RENDERED)
def test_rendered_as_go_does(phrase: str, value: object, text: str) -> None:
    assert render_json(value) == text


def test_an_indented_rendering_is_the_same_with_and_without_floats() -> None:
    value = {"a": [1, {}, []], "b": {"c": "d"}}
    with_float = {"a": [1.0, {}, []], "b": {"c": "d"}}
    assert render_json(value, indent=2) == render_json(with_float, indent=2) == json.dumps(value, indent=2)


def test_go_sorts_members_and_escapes_what_html_minds() -> None:
    assert render_go_json({"b": "<&>", "a": {"d": 1, "c": "\u2028"}}) == (
        '{"a":{"c":"\\u2028","d":1},"b":"\\u003c\\u0026\\u003e"}'
    )


def test_half_a_surrogate_pair_becomes_the_replacement_character() -> None:
    assert parse_json('["\\ud83d", "\\ude00x", "\\ud83d\\ude00"]') == ["\ufffd", "\ufffdx", "😀"]
    assert parse_json('{"\ud800": "\ud800"}') == {"\ufffd": "\ufffd"}


def test_a_repeated_key_is_reported_and_its_last_value_counts() -> None:
    reading = read_json('{"a": {"b": 1,\n  "b": 2}, "a": 3}')
    assert reading.value == {"a": 3}
    assert reading.duplicates == ((("a", "b"), 2, 3), (("a",), 2, 12))


def test_every_value_has_a_place() -> None:
    reading = read_json('{"a": [1,\n {"b": null}]}')
    assert reading.positions == {
        (): (1, 1),
        ("a",): (1, 2),
        ("a", 0): (1, 8),
        ("a", 1): (2, 2),
        ("a", 1, "b"): (2, 3),
    }


@pytest.mark.parametrize("text", ["[" * 10_000, '{"a":' * 10_000, "[" * 10_000 + "]" * 10_000])
def test_ten_thousand_levels_are_refused(text: str) -> None:
    with pytest.raises(LimitExceeded, match="at most 200"):
        parse_json(text)


def test_a_text_over_the_limit_is_refused_with_its_size() -> None:
    with pytest.raises(LimitExceeded) as failure:
        parse_json('"' + "é" * 2_000_000 + '"')
    assert (failure.value.limit, failure.value.allowed) == ("bytes", 1 << 20)


def test_too_many_values_are_refused_by_both_readers() -> None:
    limits = Limits(max_nodes=10)
    for read in (parse_json, read_json):
        with pytest.raises(LimitExceeded, match="values"):
            read("[" + "0," * 20 + "0]", limits)


def test_a_shape_check_names_a_place_below_the_last_level() -> None:
    with pytest.raises(LimitExceeded) as failure:
        check_shape({"a": [[1]]}, Limits(max_depth=2))
    assert failure.value.path == ("a", 0)


@given(values_of(st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(-1e15, 1e15) | texts | st.none() | st.booleans()))
def test_reading_what_was_rendered_gives_the_value(value: object) -> None:
    for text in (render_json(value), render_json(value, indent=1), render_go_json(value)):
        assert equal(parse_json(text), value)
        assert equal(read_json(text).value, value)


@given(st.text('{}[]",:\\ntrue01.e- \n', max_size=30))
def test_both_readers_agree_on_what_is_json(text: str) -> None:
    def outcome(read: object) -> object:
        try:
            return read(text)  # type: ignore[operator]
        except UnreadableDocument as failure:
            return (failure.line, failure.column)

    assert outcome(parse_json) == outcome(lambda source: read_json(source).value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_rendered_float_reads_back(number: float) -> None:
    again = parse_json(render_json(number))
    assert isinstance(again, (int, float))
    assert float(again) == number
    assert math.isfinite(again)
