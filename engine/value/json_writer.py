"""Values as JSON text, with numbers as Go writes them."""

from __future__ import annotations

import json
from typing import Any

from engine.value.model import Value
from engine.value.numbers import json_number

# Go's encoder also escapes what could end a script element or a line of JavaScript.
_GO_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def render_json(value: Value, indent: int | None = None) -> str:
    """Return `value` as JSON: on one line without blanks, or with `indent` blanks for each level.

    Members keep their order. Floats are written as Go writes them, so 1.0 is `1`. Characters stand as they are.
    """
    if _has_float(value):
        return "".join(_pieces(value, indent, 0))
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def render_go_json(value: Value) -> str:
    """Return `value` on one line as Go's json.Marshal writes a map: members sorted by name, `<`, `>`, `&` escaped."""
    return render_json(sorted_members(value)).translate(_GO_ESCAPES)


def sorted_members(value: Value) -> Value:
    """Return `value` with the members of all its maps sorted by name."""
    if isinstance(value, dict):
        return {name: sorted_members(value[name]) for name in sorted(value)}
    return [sorted_members(item) for item in value] if isinstance(value, list) else value


def _has_float(value: Value) -> bool:
    pending: list[Any] = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            pending += current.values()
        elif isinstance(current, list):
            pending += current
        elif isinstance(current, float):
            return True
    return False


def _pieces(value: Value, indent: int | None, level: int) -> list[str]:
    if isinstance(value, float):
        return [json_number(value)]
    if not isinstance(value, (dict, list)) or not value:
        return [json.dumps(value, ensure_ascii=False)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    inner, outer = (_line_break(indent, level + 1), _line_break(indent, level))
    pieces = [opening]
    members = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for number, (name, child) in enumerate(members):
        pieces.append("," + inner if number else inner)
        if name is not None:
            pieces += (json.dumps(name, ensure_ascii=False), ":" if indent is None else ": ")
        pieces += _pieces(child, indent, level + 1)
    return [*pieces, outer, closing]


def _line_break(indent: int | None, level: int) -> str:
    return "" if indent is None else "\n" + " " * (indent * level)
