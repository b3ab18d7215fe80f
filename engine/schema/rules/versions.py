"""Kubernetes' functions on semantic versions.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36; semver.org 2.0.0 for the order.
"""

from __future__ import annotations

import re
from typing import Any

from engine.schema.rules.function import CallFailed, Function, stand_in, succeeds, text_in

_NUMBER = "(0|[1-9][0-9]*)"
_PART = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PART}(?:\.{_PART})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?", re.ASCII
)
_DIGITS, _SHOWN = 20, 40
_LOOSE = re.compile(r"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?([-+].*)?", re.ASCII | re.DOTALL)


def _semver(text: str, normalize: bool = False) -> Any:
    match = _VERSION.fullmatch(_normalized(text) if normalize else text)
    if match is None:
        raise CallFailed(f"semantic version {text!r} cannot be parsed: expected MAJOR.MINOR.PATCH")
    if any(map(_is_too_large, (*match.groups()[:3], *(match[4] or "").split(".")))):
        raise CallFailed(f"semantic version {text[:_SHOWN]!r} cannot be parsed: a number is not below 2^64")
    release = f"-{match[4]}" if match[4] else ""
    return stand_in("semver", f"{match[1]}.{match[2]}.{match[3]}{release}")


def _is_too_large(part: str) -> bool:
    """Return True if a part is a number beyond what Go's uint64 holds."""
    digits = part.lstrip("0")
    return part.isdecimal() and (len(digits) > _DIGITS or int(digits or "0") >= 2**64)


def _normalized(text: str) -> str:
    """A version without leading v and zeros, with all three numbers."""
    match = _LOOSE.fullmatch(text)
    if match is None or any(map(_is_too_large, match.groups("")[:3])):
        return text
    numbers = ".".join((number or "").lstrip("0") or "0" for number in match.groups()[:3])
    return numbers + (match[4] or "")


def order_of(value: Any) -> tuple[Any, ...]:
    """Return a sort key of a version: by its numbers, a release after its pre-releases; build data does not count.

    Raises:
        CallFailed: the value is no version.
    """
    numbers, dash, release = text_in("semver", value).partition("-")
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in release.split(".")) if dash else ()
    return (*map(int, numbers.split(".")), 0 if dash else 1, parts)


def _number(index: int) -> Any:
    return lambda value: order_of(value)[index]


FUNCTIONS = (
    Function("semver", ("string",), "map", _semver, member=False),
    Function("semver", ("string", "bool"), "map", _semver, member=False),
    Function("isSemver", ("string",), "bool", succeeds(_semver), member=False),
    Function("isSemver", ("string", "bool"), "bool", succeeds(_semver), member=False),
    *(Function(name, ("map",), "int", _number(index)) for index, name in enumerate(("major", "minor", "patch"))),
)
