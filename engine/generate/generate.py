"""One change told in any of the formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.errors import EngineError
from engine.generate.apply_intent import generate_apply_intent
from engine.generate.json_patch import generate_json_patch
from engine.generate.merge_patch import generate_merge_patch
from engine.generate.model import Answer, Format, Impossible, Order
from engine.generate.objects import FORMAT_NAMES
from engine.generate.strategic import generate_strategic_patch

_GENERATORS: dict[Format, Callable[[Order], Answer]] = {
    Format.JSON_PATCH: generate_json_patch,
    Format.MERGE_PATCH: generate_merge_patch,
    Format.STRATEGIC: generate_strategic_patch,
    Format.APPLY: generate_apply_intent,
}


def generate(order: Order) -> Answer:
    """Return the patch that turns the first document of `order` into the second, proven by applying it, or why the
    format has none. Neither document is changed, and nothing that a person can type raises.
    """
    try:
        return _GENERATORS[order.format](order)
    except EngineError as error:
        return Impossible(order.format, f"{FORMAT_NAMES[order.format]} cannot say it: {error}.", ())


def reverse(order: Order) -> Answer:
    """Return the patch back, from the second document to the first."""
    return generate(replace(order, before=order.after, after=order.before))
