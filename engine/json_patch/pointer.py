"""JSON Pointers: a place in a document, as text and as its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.value.model import MISSING, Missing, Value

_BAD_ESCAPE = re.compile(r"~(?![01])")


def parse_pointer(text: str) -> tuple[str, ...] | None:
    """Return the parts of a pointer, unescaped, or None if it is none: it is empty or begins with `/`, `~` is escaped.

    Source: RFC 6901.
    """
    if text and not text.startswith("/") or _BAD_ESCAPE.search(text):
        return None
    return tuple(map(_unescaped, text.split("/")[1:]))


def parse_loose_pointer(text: str) -> tuple[str, ...]:
    """Return the parts of a pointer as the API server reads one: what stands before the first `/` is not looked at.

    Any `~` is allowed. A text without a slash has no parts, and nothing can be done at such a place.

    Source: the JSON Patch library of Kubernetes 1.36 (evanphx/json-patch 4).
    """
    return tuple(map(_unescaped, text.split("/")[1:]))


def render_pointer(parts: Iterable[str | int]) -> str:
    """Return the pointer of `parts`; list indices may be numbers."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def value_at_pointer(document: Value, text: str) -> Value | Missing:
    """Return what a pointer leads to in a document, MISSING if that is nothing."""
    found: Value = document
    for part in parse_loose_pointer(text):
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list) and part.isascii() and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        else:
            return MISSING
    return found


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~") if "~" in part else part
