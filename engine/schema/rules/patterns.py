"""Kubernetes' functions on regular expressions: find, findAll. `matches` is CEL's own.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36.
"""

from __future__ import annotations

from itertools import islice

from engine.schema.pattern import BadPattern, matches
from engine.schema.rules.function import CallFailed, Function


def _find(text: str, pattern: str) -> str:
    return next(iter(_find_all(text, pattern, 1)), "")


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    try:
        return list(islice(matches(pattern, text), limit if limit >= 0 else None))
    except BadPattern as error:
        raise CallFailed(f"Illegal regex: {error}") from None


FUNCTIONS = (
    Function("find", ("string", "string"), "string", _find),
    Function("findAll", ("string", "string"), "strings", _find_all),
    Function("findAll", ("string", "string", "int"), "strings", _find_all),
)
