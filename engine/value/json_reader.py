"""JSON texts, read with the line and column of every value.

Two readers for one grammar: the standard library's, which is quick and knows no places, and a scanner of our own,
which finds them, and says what is wrong where. The scanner keeps its own stack: no depth of nesting can break it.

As Kubernetes reads JSON: integers beyond 64 bits are floats, numbers beyond a float's range are refused, half a
surrogate pair is U+FFFD, and of two members of one name the last counts.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from engine.said import said
from engine.value.failures import LimitExceeded, Path, UnreadableDocument
from engine.value.limits import DEFAULT_LIMITS, Limits, check_shape, check_size
from engine.value.model import Value
from engine.value.numbers import parse_decimal
from engine.value.positions import Place, Reading, place_finder

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][-+]?[0-9]+)?", re.ASCII)
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_SIMPLE = re.compile(r'"([^"\\\x00-\x1f]*)"')
"""A string without escapes: as most are."""
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


def parse_json(text: str, limits: Limits = DEFAULT_LIMITS) -> Value:
    """Return the value of a JSON text.

    Raises:
        UnreadableDocument: it is no JSON; the failure names line and column, what was found and what was expected.
        LimitExceeded: it is larger or deeper than `limits` allows.

    Source: RFC 8259; sigs.k8s.io/json of Kubernetes 1.36.
    """
    check_size(text, limits)
    try:
        value: Value = _QUICK.decode(text)
    except (ValueError, RecursionError):
        return read_json(text, limits).value
    check_shape(value, limits)
    return whole_characters(value) if "\\u" in text or not text.isascii() else value


def read_json(text: str, limits: Limits = DEFAULT_LIMITS) -> Reading:
    """Return the value of a JSON text with the place of every value, and of every key that stands twice.

    Raises: as `parse_json`.
    """
    check_size(text, limits)
    return _Scanner(text, limits).read()


def whole_characters(value: Value) -> Value:
    """Return `value` with U+FFFD for every half of a surrogate pair; `value` itself if there is none."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value) if _SURROGATE.search(value) else value
    if isinstance(value, list):
        return [whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {str(whole_characters(name)): whole_characters(member) for name, member in value.items()}
    return value


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _integer(text: str) -> int | float:
    number = parse_decimal(text)
    return number if isinstance(number, int) else _finite(text)


def _refuse(word: str) -> None:
    raise ValueError(word)


_QUICK = json.JSONDecoder(parse_float=_finite, parse_int=_integer, parse_constant=_refuse)


@dataclass(slots=True)
class _Open:
    """A list or map that has begun and not ended; `key` is the member that is being read."""

    value: list[Any] | dict[str, Any]
    path: Path
    key: str = ""


class _Scanner:
    """One reading of one text: `at` is the next character, `stack` the open lists and maps."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text, self.limits, self.at = text, limits, 0
        self.place = place_finder(text)
        self.stack: list[_Open] = []
        self.positions: dict[Path, Place] = {}
        self.duplicates: list[tuple[Path, int, int]] = []

    def read(self) -> Reading:
        self._blank()
        self.positions[()] = self.place(self.at)
        value = self._value(())
        while self.stack:
            self._step()
        self._blank()
        if self.at < len(self.text):
            raise self._wrong(said("the end of the document"))
        return Reading(value, self.positions, tuple(self.duplicates))

    def _value(self, path: Path) -> Value:
        """Read the value that begins here. A list or map is returned empty and put on the stack."""
        start = self.text[self.at : self.at + 1]
        if start and start in "[{":
            return self._open([] if start == "[" else {}, path)
        self._count()
        if start == '"':
            return self._string()
        if start and start in "-0123456789":
            return self._number()
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _WORDS:
            raise self._wrong(said("a value"))
        self.at = word.end()
        return _WORDS[word[0]]

    def _open(self, value: list[Any] | dict[str, Any], path: Path) -> Value:
        self._count()
        if len(self.stack) >= self.limits.max_depth:
            line, column = self.place(self.at)
            raise LimitExceeded("levels", self.limits.max_depth, None, line, column)
        self.at += 1
        self.stack.append(_Open(value, path))
        return value

    def _step(self) -> None:
        """Read one item or member of the innermost list or map, or its end."""
        top = self.stack[-1]
        self._blank()
        closing = "]" if isinstance(top.value, list) else "}"
        if self._take(closing):
            self.stack.pop()
            return
        if top.value:
            self._expect(",", said('"," or "%(closing)s"', closing=closing))
            self._blank()
        if isinstance(top.value, list):
            self._item(top, top.value)
        else:
            self._member(top, top.value)

    def _item(self, top: _Open, into: list[Any]) -> None:
        path = (*top.path, len(into))
        self.positions[path] = self.place(self.at)
        into.append(None)
        into[-1] = self._value(path)

    def _member(self, top: _Open, into: dict[str, Any]) -> None:
        line, column = self.place(self.at)
        if self.text[self.at : self.at + 1] != '"':
            raise self._wrong(said("a name in double quotes"))
        name = self._string()
        path = (*top.path, name)
        if name in into:
            self.duplicates.append((path, line, column))
        self.positions[path] = (line, column)
        self._blank()
        self._expect(":", '":"')
        self._blank()
        into[name] = self._value(path)

    def _string(self) -> str:
        plain = _SIMPLE.match(self.text, self.at)
        if plain is not None:
            self.at = plain.end()
            return str(whole_characters(plain[1]))
        begin, self.at = self.at, self.at + 1
        while True:
            self.at = _plain_end(self.text, self.at)
            if self._take('"'):
                break
            escape = _ESCAPE.match(self.text, self.at)
            if escape is None:
                raise self._bad_string(begin)
            self.at = escape.end()
        return str(whole_characters(json.loads(self.text[begin : self.at])))

    def _bad_string(self, begin: int) -> UnreadableDocument:
        if self.at >= len(self.text):
            self.at = begin
            return self._failure(said("this string does not end"), said('a closing "'))
        if self.text[self.at] == "\\":
            escape = self.text[self.at : self.at + 2]
            found = said("found the unknown escape %(escape)s", escape=escape)
            return self._failure(found, said("one of %(names)s", names=r"\" \\ \/ \b \f \n \r \t \uXXXX"))
        return self._wrong(said("the string to go on (a line break is written \\n)"))

    def _number(self) -> int | float:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise self._wrong(said("a number"))
        try:
            number = _integer(match[0]) if not (match["fraction"] or match["exponent"]) else _finite(match[0])
        except ValueError:
            found = said("found a number beyond what a 64-bit float holds")
            raise self._failure(found, said("a smaller one")) from None
        self.at = match.end()
        return number

    def _count(self) -> None:
        if len(self.positions) > self.limits.max_nodes:
            line, column = self.place(self.at)
            raise LimitExceeded("values", self.limits.max_nodes, None, line, column)

    def _blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _take(self, character: str) -> bool:
        if self.text[self.at : self.at + 1] != character:
            return False
        self.at += 1
        return True

    def _expect(self, character: str, expected: str) -> None:
        if not self._take(character):
            raise self._wrong(expected)

    def _wrong(self, expected: str) -> UnreadableDocument:
        character = self.text[self.at : self.at + 1]
        word = _WORD.match(self.text, self.at)
        found = f'"{word[0][:40]}"' if word else _spell(character)
        return self._failure(said("found %(what)s", what=found), expected)

    def _failure(self, found: str, expected: str) -> UnreadableDocument:
        line, column = self.place(self.at)
        return UnreadableDocument(found, expected, line, column)


def _plain_end(text: str, at: int) -> int:
    match = _PLAIN.match(text, at)
    assert match is not None
    return match.end()


def _spell(character: str) -> str:
    if not character:
        return said("the end of the document")
    if character.isprintable():
        return f"{character!r}"[1:-1].join('""')
    return said("the character %(code)s", code=f"U+{ord(character):04X}")
