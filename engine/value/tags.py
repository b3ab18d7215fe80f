"""What a YAML scalar with its tag means: as a value, and as a key of a map."""

from __future__ import annotations

import base64
import binascii
import math

from engine.said import said
from engine.value.model import Value
from engine.value.numbers import general_number
from engine.value.scalars import resolve_plain

_PREFIX = "tag:yaml.org,2002:"
_STRING, _BINARY = _PREFIX + "str", _PREFIX + "binary"
_BOOLEAN, _INTEGER, _FLOAT, _NULL = _PREFIX + "bool", _PREFIX + "int", _PREFIX + "float", _PREFIX + "null"
_NAMES = {_BOOLEAN: "!!bool", _INTEGER: "!!int", _FLOAT: "!!float", _NULL: "!!null"}


def resolve_scalar(text: str, tag: str | None, plain: bool) -> Value:
    """Return the value of a scalar: of its tag if Kubernetes knows that, else of its plain text, else the text itself.

    Raises:
        ValueError: the text does not fit the tag, or is a number that JSON lacks; the message says so.
    """
    value = _meaning(text, tag, plain)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(said("found the number %(text)s, which JSON cannot hold", text=text))
    return value


def resolve_key(text: str, tag: str | None, plain: bool) -> str:
    """Return the string that a key is turned into: `yes` becomes "true", `0x10` "16", `1e6` "1e+06".

    Raises:
        ValueError: the key is null, or does not fit its tag.
    """
    value = _meaning(text, tag, plain)
    if isinstance(value, str):
        return value
    if value is None:
        raise ValueError(said("found null as a key"))
    if isinstance(value, bool):
        return "true" if value else "false"
    return _key_of_number(text, value) if isinstance(value, (int, float)) else text


def _key_of_number(text: str, value: int | float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else "-.inf" if value < 0 else ".inf"
    if isinstance(value, float):
        # An integer between 2^63 and 2^64 is still exact as a key; only as a value does JSON make it a float.
        digits = text.replace("_", "").lstrip("+")
        return digits if digits.isdecimal() and value == float(digits) and value < 2.0**64 else general_number(value)
    return general_number(float(value)) if _written_as_float(text) else str(value)


def _written_as_float(text: str) -> bool:
    return not text.lower().startswith(("0x", "-0x", "+0x")) and any(mark in text for mark in ".eE")


def _meaning(text: str, tag: str | None, plain: bool) -> Value:
    if tag is None:
        return resolve_plain(text) if plain else text
    if tag == _BINARY:
        return _decode_binary(text)
    if tag not in _NAMES:
        return text
    value = resolve_plain(text)
    if not _fits(value, text, tag):
        raise ValueError(said('found "%(text)s", which is no %(tag)s', text=text, tag=_NAMES[tag]))
    return value


def _fits(value: Value, text: str, tag: str) -> bool:
    if tag == _NULL:
        return value is None
    if tag == _BOOLEAN:
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return tag == _FLOAT or (isinstance(value, int) and not _written_as_float(text))


def _decode_binary(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "replace")
    except binascii.Error:
        raise ValueError(said("found !!binary that is no base64")) from None
