"""Kubernetes' functions on regular expressions: find, findAll. `matches` is CEL's own.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36. It searches with RE2, this with Python's `re`: what only one of
the two can read differs.
"""

from __future__ import annotations

import re

from engine.schema.rules.function import CallFailed, Function


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise CallFailed(f"Illegal regex: {error}") from None


def _find(text: str, pattern: str) -> str:
    match = _compiled(pattern).search(text)
    return match[0] if match else ""


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    found = [match[0] for match in _compiled(pattern).finditer(text)]
    return found if limit < 0 else found[:limit]


FUNCTIONS = (
    Function("find", ("string", "string"), "string", _find),
    Function("findAll", ("string", "string"), "strings", _find_all),
    Function("findAll", ("string", "string", "int"), "strings", _find_all),
)
