"""Documents to the letter: numbers keep their type and all their digits, in comparing, reading and writing."""

from __future__ import annotations

import json
import math
from typing import Any

from engine.value.document import Document, Format, read_document
from engine.value.failures import LimitExceeded, Path
from engine.value.json_reader import whole_characters
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import Value, kind_of

MAX_DIGITS = 4_300
"""The longest integer that is kept to the letter: what Python turns into a number and back unless it is told else."""


def identical(a: Value, b: Value) -> bool:
    """Return True if two values are the same, with 1, 1.0 and true kept apart. The order of members does not count."""
    kind = type(a)
    if kind is not type(b):
        return False
    if isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(name in b and identical(member, b[name]) for name, member in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(identical, a, b))
    return repr(a) == repr(b) if kind is float else a == b


def first_difference(a: Value, b: Value) -> Path | None:
    """Return the path of the first place where two values differ, None if they are identical.

    The path ends at the member or item that only one of them has, or at the values that differ.
    """
    path: list[str | int] = []
    while not identical(a, b):
        step = _first_step(a, b)
        if step is None:
            return tuple(path)
        path.append(step)
        inside = [_inside(side, step) for side in (a, b)]
        if not all(found for found, _ in inside):
            return tuple(path)
        (_, a), (_, b) = inside
    return tuple(path) if path else None


def _first_step(a: Value, b: Value) -> str | int | None:
    if isinstance(a, dict) and isinstance(b, dict):
        names = [*b, *(name for name in a if name not in b)]
        return next((n for n in names if n not in a or n not in b or not identical(a[n], b[n])), None)
    if isinstance(a, list) and isinstance(b, list):
        shared = min(len(a), len(b))
        return next((i for i in range(shared) if not identical(a[i], b[i])), shared)
    return None


def _inside(value: Any, step: str | int) -> tuple[bool, Any]:
    if isinstance(value, dict):
        return step in value, value.get(step)
    return int(step) < len(value), value[step] if int(step) < len(value) else None


def read_exactly(text: str, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Return the document that `text` holds. JSON keeps integers of any size, and 1.0 apart from 1; YAML is read as
    Kubernetes does, where 1.0 is 1.

    Raises: as engine.value.document.read_document, and LimitExceeded for an integer of more than MAX_DIGITS digits.
    """
    document = read_document(text, limits)
    try:
        value = whole_characters(json.loads(text, parse_int=_integer, parse_float=_finite, parse_constant=_finite))
    except (ValueError, RecursionError):
        return document
    if kind_of(value) is not kind_of(document.value):
        return document
    return Document(text, Format.JSON, value, document.positions, document.duplicates)


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise LimitExceeded("digits in one number", MAX_DIGITS, len(text.lstrip("-")))
    return int(text)


def _finite(text: str) -> float:
    """Return a number that JSON can hold. One that it cannot (1e400, NaN) makes the text no JSON, but YAML."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def render_exactly(value: Value, indent: int | None = None) -> str:
    """Return `value` as JSON with every number as it is: compact, or with `indent` blanks for each level."""
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def exact_size(value: Value) -> int:
    """Return how many bytes `value` takes as compact JSON in UTF-8."""
    return len(render_exactly(value).encode("utf-8", "surrogatepass"))
