"""JSON that YAML reads in the same way, read by JSON's reader: a tenth of the time for a manifest that a program wrote.

Left to YAML's reader is whatever the two might take differently: anything outside printable ASCII, escapes, tabs,
fractions, integers beyond 64 bits, names that stand twice or are longer than YAML allows.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from engine.value.model import MISSING, Missing, Value

_PLAIN = re.compile(r"[ \r\n]*\{[ \r\n!-\[\]-~]*")
"""Printable ASCII but the backslash, beginning as an object."""
_LONGEST_KEY = 1000
"""YAML's readers take names of 1,024 characters, their quotes among them."""
_DIGITS = 18
"""Integers of so many digits fit 64 bits."""


def plain_json(text: str) -> Value | Missing:
    """Return the value of a text that is JSON and that YAML reads in the same way, MISSING for any other."""
    if not _PLAIN.fullmatch(text):
        return MISSING
    try:
        value: Value = _READER.decode(text)
    except (ValueError, RecursionError):
        return MISSING
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs) or any(len(name) > _LONGEST_KEY for name in made):
        raise ValueError
    return made


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError
    return int(text)


def _other(_: str) -> NoReturn:
    raise ValueError


_READER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_other, parse_constant=_other)
