"""How Go names the types of JSON values and prints them: the API server's messages spell some."""

from __future__ import annotations

from engine.value.model import Value
from engine.value.numbers import general_number, json_number

MAP, LIST = "map[string]interface {}", "[]interface {}"


def go_type(value: Value) -> str:
    """Return the Go type of a decoded JSON value."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return MAP
    if isinstance(value, list):
        return LIST
    return "int64" if isinstance(value, int) else "float64"


def go_text(value: Value) -> str:
    """Return `value` as Go's `%v` prints it: `map[a:1 b:<nil>]`, `[x y]`, keys sorted, strings bare."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{name}:{go_text(value[name])}' for name in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(go_text, value))}]"
    return _go_float(value) if isinstance(value, float) else str(value)


def _go_float(number: float) -> str:
    """`%v` of a float turns to an exponent as `%g` does, but only from 10^21 on."""
    return json_number(number) if 1e-4 <= abs(number) < 1e21 else general_number(number)
