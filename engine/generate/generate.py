"""One change told in any of the formats.

The module of a format is imported when the format is asked for: a JSON Patch needs neither server-side apply nor
strategic merge, and loading those takes a third of the time in which `patchyard diff` answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.errors import EngineError
from engine.generate.model import Answer, Format, Impossible, Order
from engine.generate.objects import FORMAT_NAMES
from engine.said import said


def generate(order: Order) -> Answer:
    """Return the patch that turns the first document of `order` into the second, proven by applying it, or why the
    format has none. Neither document is changed, and nothing that a person can type raises.
    """
    try:
        return _generator(order.format)(order)
    except EngineError as error:
        told = said("%(format)s cannot say it: %(error)s.", format=FORMAT_NAMES[order.format], error=str(error))
        return Impossible(order.format, told, ())


def _generator(wanted: Format) -> Callable[[Order], Answer]:
    if wanted is Format.JSON_PATCH:
        from engine.generate.json_patch import generate_json_patch as generator
    elif wanted is Format.MERGE_PATCH:
        from engine.generate.merge_patch import generate_merge_patch as generator
    elif wanted is Format.STRATEGIC:
        from engine.generate.strategic import generate_strategic_patch as generator
    else:
        from engine.generate.apply_intent import generate_apply_intent as generator
    return generator


def reverse(order: Order) -> Answer:
    """Return the patch back, from the second document to the first."""
    return generate(replace(order, before=order.after, after=order.before))
