"""What JSON's reader is trusted with in YAML's place is read as YAML's reader reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.value.failures import LimitExceeded
from engine.value.limits import Limits
from engine.value.model import MISSING
from engine.value.plain_json import plain_json
from engine.value.yaml_reader import parse_yaml, read_yaml_stream

_TEXTS = st.text(st.characters(max_codepoint=300), max_size=12) | st.sampled_from(
    ["<<", "=", "~", "yes", "1:20", "0777", "# no", "--- a", "{a: b}", "a: b", "- a", "*a", "&a", "!a", "%a", "@", "`"]
)
_SCALARS = st.none() | st.booleans() | st.integers() | st.integers(-(10**20), 10**20) | st.floats() | _TEXTS
_VALUES = st.recursive(
    _SCALARS, lambda each: st.lists(each, max_size=4) | st.dictionaries(_TEXTS, each, max_size=4), max_leaves=12
)


def by_yaml(text: str) -> Any:
    readings = read_yaml_stream(text, Limits())
    return readings[0].value if readings else None


@given(st.dictionaries(_TEXTS, _VALUES, max_size=4), st.sampled_from([None, 0, 1, 4]), st.booleans())
def test_both_readers_read_the_same(value: dict[str, Any], indent: int | None, is_ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    plain = plain_json(text)
    if plain is not MISSING:
        expected = by_yaml(text)
        assert (plain, repr(plain)) == (expected, repr(expected))


@given(st.text(st.sampled_from('{}[]:,"ab01 \n-'), max_size=14).map(lambda rest: "{" + rest))
def test_what_is_no_json_is_left_to_yaml(text: str) -> None:
    plain = plain_json(text)
    if plain is not MISSING:
        assert plain == by_yaml(text)


@pytest.mark.parametrize(
    "text",
    ["{a: 1}", '{"a": 1.0}', '{"a": 1e3}', '{"a": 9223372036854775808}', '{"a": "\\/"}', '{"a": 1, "a": 2}', "[1]"]
    + ['{"a": "é"}', '{\t"a": 1}', '{"a": NaN}', '{"' + "k" * 1_001 + '": 1}', "", "{", '{"a": "\x7f"}', '{"a": 1} {}'],
)
def test_what_the_two_might_read_differently_is_left_to_yaml(text: str) -> None:
    assert plain_json(text) is MISSING


def test_limits_are_told_as_yaml_tells_them() -> None:
    text = json.dumps({"a": [[[1]]]})
    assert parse_yaml(text) == {"a": [[[1]]]}
    for limits in (Limits(max_depth=3), Limits(max_nodes=4), Limits(max_bytes=5)):
        told = []
        for read in (parse_yaml, read_yaml_stream):
            with pytest.raises(LimitExceeded) as caught:
                read(text, limits)
            told.append(str(caught.value))
        assert told[0] == told[1]
        assert isinstance(caught.value, EngineError)
