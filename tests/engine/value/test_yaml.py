from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.value.document import Format, parse_yaml_stream, read_document
from engine.value.equality import equal
from engine.value.failures import (
    AnchorLoop,
    DuplicateKey,
    EmptyDocument,
    LimitExceeded,
    SeveralDocuments,
    UnknownAnchor,
    UnreadableDocument,
)
from engine.value.json_writer import render_json
from engine.value.numbers import yaml_number
from engine.value.scalars import resolve_plain
from engine.value.yaml_order import sorted_keys
from engine.value.yaml_reader import parse_yaml
from engine.value.yaml_writer import render_yaml, render_yaml_lines
from tests.engine.value.strategies import names, texts, values, values_of

RECORDINGS = Path(__file__).parents[2] / "conformance" / "yaml.jsonl.gz"


def recorded() -> list[Any]:
    with gzip.open(RECORDINGS, "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("case", recorded(), ids=lambda case: case["id"])
def test_reads_as_the_recorded_kubernetes(case: dict[str, Any]) -> None:
    try:
        got = {"spec": parse_yaml(case["yaml"])["spec"]}
    except EngineError:
        got = {"error": True}
    assert json.dumps(json.loads(render_json(got)), sort_keys=True) == json.dumps(case["want"], sort_keys=True)


MEANINGS = [
    ("a float in a key has Go's exponent", "1e6: x", {"1e+06": "x"}),
    ("a signed binary", "0b-1", -1),
    ("a hexadecimal integer beyond 64 bits is text", "0x10000000000000000", "0x10000000000000000"),
    ("a long octal is a decimal float", "0" + "7" * 25, 7.777777777777778e24),
    ("underscores between digits after a point", ".2_5", 0.25),
    ("an underscore at the end after a point", ".2_", ".2_"),
    ("an underflow is zero", "1e-400", 0),
    ("the lone exclamation mark makes text", "! 1", "1"),
    ("a merge overrides what stands before", "{a: &x {k: 1}, b: {k: 0, <<: *x}}", {"a": {"k": 1}, "b": {"k": 1}}),
    ("of two merges the later wins", "{<<: {k: 1}, <<: {k: 2}}", {"k": 2}),
    ("of a list of merges the first wins", "{<<: [{k: 1}, {k: 2}]}", {"k": 1}),
    ("a quoted merge key is a key", '{"<<": 1}', {"<<": 1}),
    ("an alias can be a key", "{a: &x k, *x : 1}", {"a": "k", "k": 1}),
    ("a document of a comment is nothing", "# only this\n", None),
    ("dates are text", "2001-01-01", "2001-01-01"),
]


@pytest.mark.parametrize(("phrase", "text", "value"), MEANINGS)
def test_meaning(phrase: str, text: str, value: object) -> None:
    assert equal(parse_yaml(text), value)


FAULTS = [
    ("a self-containing anchor", "a: &x\n- 1\n- *x", AnchorLoop, 3, 3),
    ("an alias of nothing", "a: 1\nb: *x", UnknownAnchor, 2, 4),
    ("two documents", "a: 1\n---\nb: 2", SeveralDocuments, 3, 1),
    ("infinity", "a:\n  b: .inf", UnreadableDocument, 2, 6),
    ("a null key", "a: 1\n~: 2", UnreadableDocument, 2, 1),
    ("a list as a key", "[a]: 1", UnreadableDocument, 1, 1),
    ("a merge of a number", "a: {<<: 1}", UnreadableDocument, 1, 9),
    ("a zero byte", "a: b\nc: \x00", UnreadableDocument, 2, 4),
    ("half a surrogate pair", "a: \ud800", UnreadableDocument, 1, 4),
    ("a version of YAML that Kubernetes lacks", "%YAML 1.2\n---\na: 1", UnreadableDocument, 1, 1),
    ("the escape of a slash", 'a: "x\\/"', UnreadableDocument, 1, 6),
    ("a tab as indentation", "a:\n\tb: 1", UnreadableDocument, 2, 1),
    ("an unclosed flow list", "a: [1\nb: 2", UnreadableDocument, 2, 2),
    ("a text that does not fit its tag", "a: !!int x", UnreadableDocument, 1, 4),
    ("broken base64", "a: !!binary a", UnreadableDocument, 1, 4),
]


@pytest.mark.parametrize(("phrase", "text", "failure", "line", "column"), FAULTS)
def test_a_fault_is_placed(phrase: str, text: str, failure: type[UnreadableDocument], line: int, column: int) -> None:
    with pytest.raises(failure) as caught:
        parse_yaml(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)
EXCESSES = [
    ("an alias bomb", BOMB),
    ("ten thousand flow lists in each other", "[" * 10_000),
    ("ten thousand block lists in each other", "- " * 10_000),
    ("ten thousand maps in each other", "{a: " * 10_000),
    ("aliases that nest", "".join(f"a{n}: &a{n} [*a{n - 1}]\n" if n else "a0: &a0 []\n" for n in range(300))),
    ("three megabytes", "a: " + "x" * 3_000_000),
    ("many documents", "--- 1\n" * 500),
    ("many values", "[" + "0, " * 300_000 + "]"),
]


@pytest.mark.parametrize(("phrase", "text"), EXCESSES)
def test_excess_is_refused_at_once(phrase: str, text: str) -> None:
    before = time.monotonic()
    with pytest.raises(LimitExceeded):
        parse_yaml(text)
    assert time.monotonic() - before < 5


def test_a_document_knows_its_places_and_its_repeated_keys() -> None:
    document = read_document("a:\n  b: 1\n  c: &x {d: 2}\n  b: 3\ne:\n- *x\n")
    assert document.format is Format.YAML
    assert document.value == {"a": {"b": 3, "c": {"d": 2}}, "e": [{"d": 2}]}
    assert document.positions["a", "c", "d"] == (3, 10)
    assert document.duplicates == ((("a", "b"), 4, 3),)
    assert document.place_of(("e", 0, "d")) == (6, 3)
    with pytest.raises(DuplicateKey, match=r'line 4, column 3: the key "b" of \.a is already set'):
        document.require_unique_keys()


def test_a_text_in_braces_is_json_or_else_yaml() -> None:
    assert read_document('{"a": 1}').format is Format.JSON
    assert read_document("{a: 1}").format is Format.YAML
    with pytest.raises(UnreadableDocument, match='found "x"; expected "," or "}"'):
        read_document('{"a": 1 x: [}')


@pytest.mark.parametrize("text", ["", " \n", "# nothing\n", "---\n", "---\n...\n---\n"])
def test_an_empty_text_has_no_document(text: str) -> None:
    with pytest.raises(EmptyDocument):
        read_document(text)
    assert parse_yaml_stream(text) == []


def test_a_stream_gives_each_document_its_places_in_the_whole_text() -> None:
    first, second = parse_yaml_stream("a: 1\n---\n# empty\n---\nb: [x: 2]\n")
    assert (first.value, second.value) == ({"a": 1}, {"b": [{"x": 2}]})
    assert second.positions["b", 0, "x"] == (5, 5)


class Reference(yaml.CSafeDumper):
    """libyaml's emitter, told what kubectl tells its port."""

    yaml_implicit_resolvers: dict[str, Any] = {}

    def ignore_aliases(self, data: object) -> bool:
        return True

    def word(self, text: str, style: str | None = None) -> yaml.Node:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    def text(self, text: str) -> yaml.Node:
        if "\n" in text:
            return self.word(text, "|")
        return self.word(text, None if text != "<<" and isinstance(resolve_plain(text), str) else '"')

    def map(self, value: dict[str, Any]) -> yaml.Node:
        return self.represent_mapping("tag:yaml.org,2002:map", [(key, value[key]) for key in sorted_keys(value)])


Reference.add_representer(str, Reference.text)
Reference.add_representer(dict, Reference.map)
Reference.add_representer(bool, lambda dumper, value: dumper.word("true" if value else "false"))
Reference.add_representer(int, lambda dumper, value: dumper.word(str(value)))
Reference.add_representer(type(None), lambda dumper, value: dumper.word("null"))
Reference.add_representer(float, lambda dumper, value: dumper.word(yaml_number(value)))


def reference(value: object) -> str:
    text = str(
        yaml.dump(value, Dumper=Reference, default_flow_style=False, allow_unicode=True, width=10**9, sort_keys=False)
    )
    return text.removesuffix("...\n") if text.endswith("\n...\n") else text


collections = st.lists(values, max_size=4) | st.dictionaries(names | texts, values, max_size=4)


@settings(max_examples=300)
@given(collections)
def test_renders_byte_for_byte_as_libyaml(value: object) -> None:
    assert render_yaml(value) == reference(value)


@given(values)
def test_lines_join_to_the_rendering_and_name_existing_paths(value: object) -> None:
    lines = render_yaml_lines(value)
    assert "".join(line.text for line in lines) == render_yaml(value)
    assert all(line.text.endswith("\n") for line in lines)
    for line in lines:
        target: Any = value
        for step in line.path:
            target = target[step]


@given(values_of(st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | texts, names | texts))
def test_reading_what_was_rendered_gives_the_value(value: object) -> None:
    if isinstance(value, str) and not value.isprintable():
        return
    assert equal(parse_yaml(render_yaml({"value": value})), {"value": value})


@settings(max_examples=300)
@given(st.text("ab: \n-[]{},#&*!|>'\"%@`?\t~0\\", max_size=40))
def test_any_text_gives_documents_or_a_named_failure(text: str) -> None:
    try:
        documents = parse_yaml_stream(text)
    except EngineError:
        return
    assert all(() in document.positions for document in documents)


def test_each_line_belongs_to_the_deepest_path_on_it() -> None:
    lines = render_yaml_lines({"a": {"b": "x\ny\n"}, "c": [{"d": 1, "e": []}, [2]]})
    assert [(line.text, line.path) for line in lines] == [
        ("a:\n", ("a",)),
        ("  b: |\n", ("a", "b")),
        ("    x\n", ("a", "b")),
        ("    y\n", ("a", "b")),
        ("c:\n", ("c",)),
        ("- d: 1\n", ("c", 0, "d")),
        ("  e: []\n", ("c", 0, "e")),
        ("- - 2\n", ("c", 1, 0)),
    ]


@pytest.mark.parametrize(
    ("phrase", "keys"),
    [
        ("numbers in words sort by value", ["a9", "a10", "a100"]),
        ("letters come after other characters", ["$a", ".b", "1", "A", "a"]),
        ("a shorter name first", ["a", "ab"]),
        ("a leading zero", ["a1", "a01"]),
    ],
)
def test_order_of_keys(phrase: str, keys: list[str]) -> None:
    assert sorted_keys(reversed(keys)) == keys
