"""Bodies as values, where they are looked into before the engine gets them."""

from __future__ import annotations

from engine.errors import EngineError
from engine.value.codec import parse_json, parse_yaml
from engine.value.limits import Limits
from engine.value.model import Value
from web.kubeapi.exchange import HttpRequest


def body_value(body: Value, http: HttpRequest, limits: Limits) -> Value:
    """Return a body's value where that can be read here; the engine says what is wrong with any other."""
    if not isinstance(body, str):
        return body
    try:
        return (parse_yaml if "yaml" in http.content_type else parse_json)(body, limits)
    except EngineError:
        return body
