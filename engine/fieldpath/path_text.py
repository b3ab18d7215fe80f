"""Sets of paths as people read and write them, one path a line; every path that fieldsV1 can hold has one spelling.

    .spec.replicas                          a member
    .metadata.labels["app.example.com/x"]   a member whose name has dots, brackets, blanks or quotes in it
    .spec.ports[port=80,protocol="TCP"]     the item of a map list that has these keys
    .metadata.finalizers[="a"]              the item of a set that is this value
    .spec.args[0]                           the item at this index

A path stands for itself alone, not for what is below it. Blank lines, and lines that begin with #, say nothing.
Source: conflicts of the API server, which spell paths so but for names with dots.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

from engine.errors import EngineError
from engine.fieldpath.element import (
    FieldName,
    Path,
    PathElement,
    field_element,
    index_element,
    key_element,
    parse_element,
    value_element,
)
from engine.fieldpath.field_set import FieldSet, field_set
from engine.said import said
from engine.value.failures import LimitExceeded
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import Object, Value

_PLAIN = re.compile(r"[^.\[\]\s\"'=,#]+")
_INDEX = re.compile(r"[0-9]{1,18}\]")
_KEY_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_DECODER = JSONDecoder()


@dataclass(eq=False)
class MalformedPath(EngineError):
    """A line that is no path; line and column count from 1."""

    line: int
    column: int
    found: str
    expected: str

    def __str__(self) -> str:
        return said(
            "line %(line)s, column %(column)s: found %(found)s; expected %(expected)s",
            line=self.line,
            column=self.column,
            found=self.found,
            expected=self.expected,
        )


def render_paths(fields: FieldSet) -> str:
    """Return a set of paths, one a line, in the order of fieldsV1."""
    return "".join(f"{spell_path(path)}\n" for path in fields)


def spell_path(path: Path) -> str:
    """Return one path so that `parse_paths` reads it back."""
    return "".join(_spelled(element) for element in path)


def _spelled(element: PathElement) -> str:
    step = parse_element(element)
    if isinstance(step, FieldName):
        return f".{step.name}" if _PLAIN.fullmatch(step.name) else f"[{json.dumps(step.name, ensure_ascii=False)}]"
    return str(step)


def parse_paths(text: str, limits: Limits = DEFAULT_LIMITS) -> FieldSet:
    """Return the set of the paths that a text spells, one a line.

    Raises:
        MalformedPath: a line is no path.
        LimitExceeded: a path has more levels than a document may have.
    """
    return field_set(
        _bounded(number, limits.max_depth, tuple(_Line(number, line.rstrip()).elements()))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    )


def _bounded(number: int, most: int, path: Path) -> Path:
    if len(path) > most:
        raise LimitExceeded("levels", most, len(path), number)
    return path


@dataclass(slots=True)
class _Line:
    """One line being read; `at` is where reading has come to."""

    number: int
    text: str
    at: int = 0

    def elements(self) -> Iterator[PathElement]:
        self.at = len(self.text) - len(self.text.lstrip())
        while self.at < len(self.text):
            yield self._member() if self.text[self.at] == "." else self._bracket()

    def _member(self) -> PathElement:
        self.at += 1
        match = _PLAIN.match(self.text, self.at)
        if match is None:
            raise self._malformed(said("a name after the dot"))
        self.at = match.end()
        return field_element(match[0])

    def _bracket(self) -> PathElement:
        if self.text[self.at] != "[":
            raise self._malformed(said('"." and a name, or "["'))
        self.at += 1
        sign = self.text[self.at : self.at + 1]
        if sign == "=":
            self.at += 1
            element = value_element(self._value())
        elif sign == '"':
            element = self._name()
        elif _INDEX.match(self.text, self.at):
            end = self.text.index("]", self.at)
            element = index_element(int(self.text[self.at : end]))
            self.at = end
        else:
            element = key_element(self._keys())
        self._take("]")
        return element

    def _name(self) -> PathElement:
        name = self._value()
        assert isinstance(name, str)
        return field_element(name)

    def _keys(self) -> Object:
        keys: Object = {}
        while True:
            match = _KEY_NAME.match(self.text, self.at)
            if match is None:
                raise self._malformed(said('an index, "=" and a value, a name in quotes, or keys such as name="web"'))
            self.at = match.end()
            self._take("=")
            keys[match[0]] = self._value()
            if self.text[self.at : self.at + 1] != ",":
                return keys
            self.at += 1

    def _value(self) -> Value:
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except (JSONDecodeError, RecursionError, ValueError):
            raise self._malformed(said('a value as JSON spells it, such as 80, true or "TCP"')) from None
        found: Value = value
        return found

    def _take(self, sign: str) -> None:
        if not self.text.startswith(sign, self.at):
            raise self._malformed(f'"{sign}"')
        self.at += len(sign)

    def _malformed(self, expected: str) -> MalformedPath:
        rest = self.text[self.at : self.at + 20]
        return MalformedPath(self.number, self.at + 1, f'"{rest}"' if rest else said("the end of the line"), expected)
