"""What libyaml finds wrong with a text, or lets pass and Kubernetes does not, with the place where it is."""

from __future__ import annotations

import re
from typing import Any

import yaml

from engine.errors import EngineError
from engine.said import said
from engine.value.failures import LimitExceeded, UnreadableDocument
from engine.value.positions import place_finder

# What YAML 1.1 does not let stand in a text: controls but for tab, line feed, return and next line, and surrogates.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LIBYAML_LEVELS = 1000  # the nesting at which libyaml itself gives up
_SLASH_ESCAPE = re.compile(r"(?:[^\\]|\\[^/])*\\/", re.DOTALL)


def is_printable(text: str) -> bool:
    """Return True if YAML allows every character of a text."""
    return _UNPRINTABLE.search(text) is None


def check_characters(text: str) -> None:
    """Refuse a text with characters that YAML does not allow.

    Raises:
        UnreadableDocument: the first such character is named.
    """
    match = _UNPRINTABLE.search(text)
    if match:
        line, column = place_finder(text)(match.start())
        code = f"U+{ord(match[0]):04X}"
        found = said("found the character %(code)s, which YAML does not allow", code=code)
        raise UnreadableDocument(found, said("printable text (an escape in double quotes will do)"), line, column)


def check_escapes(event: yaml.ScalarEvent, text: str) -> None:
    """Refuse the escape `\\/` in a double-quoted scalar: libyaml knows it from YAML 1.2, Kubernetes does not.

    Raises:
        UnreadableDocument: there is one.
    """
    if event.style != '"' or "/" not in event.value:
        return
    start: Any = event.start_mark
    end: Any = event.end_mark
    source = text[start.index : end.index]
    match = _SLASH_ESCAPE.match(source) if "\\/" in source else None
    if match:
        line, column = place_finder(text)(start.index + match.end() - 2)
        found = said("found the unknown escape %(escape)s", escape=r"\/")
        raise UnreadableDocument(found, said("/ without a backslash"), line, column)


def fault_of(error: yaml.YAMLError, text: str) -> EngineError:
    """Return libyaml's complaint about `text` as a failure of ours."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark: Any = error.problem_mark or error.context_mark
        where = (mark.line + 1, mark.column + 1) if mark else (None, None)
        if "nesting depth" in str(error.problem):
            return LimitExceeded("levels", _LIBYAML_LEVELS, None, *where)
        if mark and text[mark.index : mark.index + 1] == "\t":
            return UnreadableDocument(said("found a tab where the line is indented"), said("spaces"), *where)
        problem = _said(error.problem) if error.problem else said("found something that is no YAML")
        if not error.context:
            return UnreadableDocument(problem, "", *where)
        found = said("%(problem)s %(context)s", problem=problem, context=_said(error.context))
        return UnreadableDocument(found, "", *where)
    position = getattr(error, "position", None)
    where = place_finder(text)(position) if isinstance(position, int) else (None, None)
    return UnreadableDocument(str(getattr(error, "reason", error)), "", *where)


def _said(text: str) -> str:
    """Return a text of libyaml as one of ours, which may be looked up in a catalogue."""
    return said(text.replace("%", "%%"))
