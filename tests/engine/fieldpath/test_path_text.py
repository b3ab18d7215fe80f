"""Paths as people write them are the sets that fieldsV1 holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fieldpath.element import field_element, index_element, key_element, value_element
from engine.fieldpath.field_set import field_set
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.fieldpath.path_text import MalformedPath, parse_paths, render_paths

FIELDS = {
    "f:metadata": {"f:labels": {".": {}, "f:app.example.com/x": {}}},
    "f:spec": {
        "f:ports": {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:name": {}}},
        "f:args": {"i:0": {}},
        "f:finalizers": {'v:"a b"': {}},
    },
}
TEXT = """\
.metadata.labels
.metadata.labels["app.example.com/x"]
.spec.args[0]
.spec.finalizers[="a b"]
.spec.ports[port=80,protocol="TCP"]
.spec.ports[port=80,protocol="TCP"].name
"""


def test_there_and_back() -> None:
    assert render_paths(decode_fields_v1(FIELDS)) == TEXT
    assert encode_fields_v1(parse_paths(TEXT)) == encode_fields_v1(decode_fields_v1(FIELDS))


SCALARS = st.one_of(st.text(max_size=5), st.integers(-(10**6), 10**6), st.booleans())
ELEMENTS = st.one_of(
    st.text(max_size=6).map(field_element),
    SCALARS.map(value_element),
    st.integers(0, 999).map(index_element),
    st.dictionaries(st.sampled_from(["name", "port", "a-b.c"]), SCALARS, min_size=1, max_size=3).map(key_element),
)


@given(st.lists(st.lists(ELEMENTS, min_size=1, max_size=4).map(tuple), max_size=6))
def test_every_set_reads_back_from_its_text(paths: list[tuple[str, ...]]) -> None:
    fields = field_set(paths)
    assert parse_paths(render_paths(fields)) == fields


def test_blank_lines_and_comments_say_nothing() -> None:
    assert parse_paths("\n  # a note\n  .a.b  \n\n") == field_set([("f:a", "f:b")])


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("spec", 1, '"."'),
        (".a\n", 0, ""),
        (".a..b", 4, "a name after the dot"),
        (".a[", 4, "an index"),
        (".a[x]", 5, '"="'),
        (".a[x=y]", 6, "JSON"),
        (".a[=1", 6, '"]"'),
        ('.a["b]', 4, "JSON"),
        (".a b", 3, '"."'),
    ],
)
def test_a_line_that_is_no_path_is_told_with_its_place(text: str, column: int, expected: str) -> None:
    if not column:
        assert parse_paths(text)
        return
    with pytest.raises(MalformedPath) as caught:
        parse_paths(f".fine\n{text}")
    assert (caught.value.line, caught.value.column) == (2, column)
    assert expected in caught.value.expected


@given(st.text(alphabet='.[]="\\ \n#aé1,', max_size=30))
def test_any_text_is_read_or_told(text: str) -> None:
    try:
        fields = parse_paths(text)
    except MalformedPath:
        return
    assert parse_paths(render_paths(fields)) == fields
