"""Changes in a person's own text."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.value.codec import parse_yaml, render_yaml
from engine.value.edit import NotInText, with_value, without

MANIFEST = """\
# of the shop
apiVersion: apps/v1  # still
kind: Deployment
metadata:
  name: web
  # labels of it
  labels:
    app: web  # app
    # which tier
    tier: front

spec:
  replicas: 3  # three
  # how pods are made
  template:
    spec:
      containers:
      - name: x  # first
        # the image
        image: i
        args: [a, "b", c]
        ports:
          - containerPort: 80
            name: http
          # the second
          - containerPort: 443
      note: |
        long
        text
      flow: {a: 1, b: {c: 2}, "d": 3}
      empty:
"""


def lost(before: str, after: str) -> list[str]:
    """Return the lines that went, in order; all others are as they were."""
    gone, rest = [], after.splitlines()
    for line in before.splitlines():
        if rest and rest[0] == line:
            rest.pop(0)
        else:
            gone.append(line.strip())
    assert not rest, rest
    return gone


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        (("spec", "replicas"), ["replicas: 3  # three"]),
        (("metadata", "labels", "tier"), ["tier: front"]),
        (("metadata", "labels"), ["labels:", "app: web  # app", "# which tier", "tier: front"]),
        (("spec", "template", "spec", "containers", 0, "image"), ["image: i"]),
        (("spec", "template", "spec", "containers", 0, "ports", 0), ["- containerPort: 80", "name: http"]),
        (("spec", "template", "spec", "containers", 0, "ports", 1), ["- containerPort: 443"]),
        (("spec", "template", "spec", "note"), ["note: |", "long", "text"]),
        (("spec", "template", "spec", "empty"), ["empty:"]),
    ],
)
def test_a_field_goes_with_its_lines_alone(steps: tuple[str | int, ...], lines: list[str]) -> None:
    assert lost(MANIFEST, without(MANIFEST, steps)) == lines


@pytest.mark.parametrize(
    ("steps", "was", "now"),
    [
        (("spec", "replicas"), "replicas: 3  # three", "replicas: 5  # three"),
        (("spec", "template", "spec", "flow", "b"), '{a: 1, b: {c: 2}, "d": 3}', '{a: 1, b: 5, "d": 3}'),
        (("spec", "template", "spec", "empty"), "empty:\n", "empty: 5\n"),
    ],
)
def test_a_value_changes_where_it_stands(steps: tuple[str | int, ...], was: str, now: str) -> None:
    assert with_value(MANIFEST, steps, 5) == MANIFEST.replace(was, now)


def test_the_first_field_of_an_item_leaves_the_dash() -> None:
    text = "- a: 1\n  b: 2\n- c: 3\n  d: 4\n"
    assert without(text, (1, "c")) == "- a: 1\n  b: 2\n- d: 4\n"


def test_the_last_field_of_a_map_leaves_it_empty() -> None:
    assert without("a:\n  # why\n  b: 1\nc: 2\n", ("a", "b")) == "a: {}\n  # why\nc: 2\n"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a: &x {b: 1}\nc: *x\n", ("c", "b")),
        ("a: &x {b: 1}\nc: {<<: *x}\n", ("c", "b")),
        ("a: 1\n", ("b",)),
        ("a: [1]\n", ("a", 1)),
        ("a: 1\n", ()),
    ],
)
def test_what_the_text_does_not_spell_there_is_not_changed(text: str, steps: tuple[str | int, ...]) -> None:
    with pytest.raises(NotInText):
        without(text, steps)
    with pytest.raises(NotInText):
        with_value(text, steps, 2)


SCALARS = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["x", "a b", "# no", "1", "", "two\nlines", "- d"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b c", "d-e", "1"]), inner, max_size=3)
    ),
    max_leaves=12,
)


def places(value: Any, steps: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return every place in a value but its root."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for step, member in below for place in ((*steps, step), *places(member, (*steps, step)))]


def commented(text: str, draw: Any) -> str:
    """Return a YAML text with comments on lines of their own, outside texts of several lines."""
    lines = text.splitlines()
    if "|" in text or '"' in text or "'" in text:
        return text
    return "\n".join(f"# note\n{line}" if draw(st.booleans()) else line for line in lines) + "\n"


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, Any, tuple[str | int, ...]]:
    """Return a text, its value, and a place in it."""
    value = draw(VALUES.filter(places))
    style = draw(st.sampled_from(["yaml", "json", "indented"]))
    if style == "yaml":
        text = commented(render_yaml(value), draw)
    else:
        text = json.dumps(value, indent=2 if style == "indented" else None)
    return text, value, draw(st.sampled_from(places(value)))


@settings(max_examples=300, deadline=None)
@given(texts())
def test_taking_out_takes_out_that_place_alone(case: tuple[str, Any, tuple[str | int, ...]]) -> None:
    text, value, steps = case
    wanted = copy.deepcopy(value)
    holder = wanted
    for step in steps[:-1]:
        holder = holder[step]
    del holder[steps[-1]]
    assert parse_yaml(without(text, steps)) == wanted


@settings(max_examples=300, deadline=None)
@given(texts(), VALUES)
def test_replacing_replaces_that_value_alone(case: tuple[str, Any, tuple[str | int, ...]], new: Any) -> None:
    text, value, steps = case
    wanted = copy.deepcopy(value)
    holder = wanted
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = new
    assert parse_yaml(with_value(text, steps, new)) == wanted
