"""Regular expressions that a person wrote, as the API server reads them, and in time that grows with the text only.

Go's expressions are RE2's: no lookaround, no references back, `$` is the end of the text. So no expression takes long,
whatever it is tried on; one whose compiled form would be too large is refused.

Source: Go's regexp/syntax, as in Kubernetes 1.36; https://github.com/google/re2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from engine.errors import EngineError

_COMPILED = 512
"""How many expressions stay compiled; a large definition has some dozens."""

# What the two say of one fault. Source: Go's regexp/syntax/parse.go; RE2's re2/regexp.cc.
_GO_WORDS = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid repetition size": "invalid repeat count",
    "no argument for repetition operator": "missing argument to repetition operator",
    "trailing \\": "trailing backslash at end of expression",
}


@dataclass(eq=False)
class BadPattern(EngineError):
    """A text that is no regular expression; `reason` says why in Go's words, as far as they are known."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def check_pattern(pattern: str) -> None:
    """Return if `pattern` is a regular expression.

    Raises:
        BadPattern: it is none.
    """
    _compiled(pattern)


def is_found(pattern: str, text: str) -> bool:
    """Return True if `pattern` matches somewhere in `text`. Raises: as check_pattern."""
    return _compiled(pattern).search(_encoded(text)) is not None


def matches(pattern: str, text: str) -> Iterator[str]:
    """Yield what `pattern` matches in `text`, from left to right, nothing twice. Raises: as check_pattern."""
    for found in _compiled(pattern).finditer(_encoded(text)):
        yield found[0].decode("utf-8", "replace")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@lru_cache(maxsize=_COMPILED)
def _compiled(pattern: str) -> Any:
    re2: Any = import_module("re2")  # loaded where it is needed: a command that starts often has no pattern
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(_encoded(pattern), options)
    except re2.error as error:
        raise BadPattern(_told(error)) from None


def _told(error: Exception) -> str:
    told = error.args[0] if error.args else b""
    text = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    fault, colon, where = text.partition(": ")
    return f"error parsing regexp: {_GO_WORDS.get(fault, fault)}" + (f": `{where}`" if colon else "")
