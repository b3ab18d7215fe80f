"""JSON that the page's own scripts send, or that a form carries along: read with limits, whatever it is."""

from __future__ import annotations

from engine.errors import EngineError
from engine.value.codec import parse_json
from engine.value.limits import Limits
from engine.value.model import Value

_LIMITS = Limits(max_bytes=64 << 20, max_nodes=1_000_000)
"""Above what a request may be in all: each document in it is held to its own limits when it is read."""


def json_in(text: str) -> Value:
    """Return the value of a text; None if it is no JSON. No text in it holds half a character."""
    # Python's own reader makes all of it before anything is counted.
    if text.count("[") + text.count("{") > _LIMITS.max_nodes:
        return None
    try:
        return parse_json(text, _LIMITS)
    except EngineError:
        return None
