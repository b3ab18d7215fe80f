"""What a plain YAML scalar means to Kubernetes.

Kubernetes reads YAML with goyaml v2 (YAML 1.1 with exceptions of its own), writes the outcome as JSON and reads that.
So: y, n, yes, no, on and off are booleans; 0o10, 0x1F, 0b101 and 1_000 are integers; 08 is a float, hence 8; dates and
sexagesimals are strings; 1.0 is the integer 1; infinities and NaN are refused, since JSON has no word for them.

Source: gopkg.in/yaml.v2 resolve.go and sigs.k8s.io/yaml, as kubectl 1.27 to 1.33 answer.
"""

from __future__ import annotations

import math
import re

from engine.value.numbers import INT64_MAX, INT64_MIN, UINT64_MAX, through_json

TRUE_WORDS = frozenset(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"])
FALSE_WORDS = frozenset(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"])
NULL_WORDS = frozenset(("", "~", "null", "Null", "NULL"))
INFINITY_WORDS = frozenset(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF"))
NAN_WORDS = frozenset((".nan", ".NaN", ".NAN"))

_NUMBER_STARTS = frozenset("+-.0123456789")
_YAML_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_GO_FLOAT_AFTER_POINT = re.compile(r"\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?", re.ASCII)
_GO_INTEGER = re.compile(
    r"(?P<sign>[-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)|(?P<dec>0|[1-9][0-9]*))",
    re.ASCII,
)
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_LONGEST_INTEGER = 66  # the digits of 64 bits in base 2, and a little


def resolve_plain(text: str) -> bool | int | float | str | None:
    """Return the value of a plain (unquoted, untagged) scalar. Infinities and NaN come back as such floats."""
    if text in NULL_WORDS:
        return None
    if text[0] not in _NUMBER_STARTS:
        if text in TRUE_WORDS:
            return True
        return False if text in FALSE_WORDS else text
    if text in INFINITY_WORDS:
        return -math.inf if text[0] == "-" else math.inf
    if text in NAN_WORDS:
        return math.nan
    number = _after_point(text) if text[0] == "." else _number(text.replace("_", ""))
    return text if number is None else number


def _after_point(text: str) -> int | float | None:
    """A scalar that begins with a point is what Go's own float syntax says, underscores between digits included."""
    if not _GO_FLOAT_AFTER_POINT.fullmatch(text):
        return None
    return _finite(float(text))


def _number(text: str) -> int | float | None:
    whole = _integer(text)
    if whole is not None:
        # Above 63 bits the integer survives YAML, not the JSON that Kubernetes makes of it.
        return whole if whole <= INT64_MAX else float(whole)
    if _YAML_FLOAT.fullmatch(text):
        return _finite(float(text))
    return _signed_binary(text)


def _integer(text: str) -> int | None:
    """Go's ParseInt, then ParseUint, both of base 0 and 64 bits."""
    match = _GO_INTEGER.fullmatch(text)
    if not match or match.lastgroup is None:
        return None
    digits = match[match.lastgroup].lstrip("0")
    if len(digits) > _LONGEST_INTEGER:
        return None
    number = int(digits or "0", _BASES[match.lastgroup])
    if match["sign"]:
        number = -number if match["sign"] == "-" else number
        return number if INT64_MIN <= number <= INT64_MAX else None
    return number if number <= UINT64_MAX else None


def _signed_binary(text: str) -> int | None:
    """goyaml's own reading of `0b`: what follows may carry a sign."""
    for prefix, sign in (("0b", ""), ("-0b", "-")):
        digits = sign + text[len(prefix) :]
        if text.startswith(prefix) and re.fullmatch(r"[-+]?[01]{1,64}", digits):
            number = int(digits, 2)
            return number if INT64_MIN <= number <= INT64_MAX else None
    return None


def _finite(number: float) -> int | float | None:
    return None if math.isinf(number) else through_json(number)
