"""What kind of conflict a contested field is.

Rules, the first that fits: a rival of the writer's own name is the writer under another operation; what is owned as a
whole is contested whatever differs in it; an empty value or null is an opinion as any other; a quantity counts as it
is written; else the two want different values.

Source: Server-Side Apply in the Kubernetes documentation: Conflicts; structured-merge-diff's typed.Compare.
"""

from __future__ import annotations

from enum import Enum

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.value.model import Missing, Value


class ConflictClass(Enum):
    """The kinds of conflicts of owners, by the name that forms, commands and translations use."""

    SELF = "self"
    """The writer's own name owns the field by another operation: by an update, not by an apply."""
    ATOMIC = "atomic"
    """A list or map that is owned as a whole differs somewhere."""
    EMPTY = "empty"
    """The intent says null or empty, and that is a value like any other."""
    QUANTITY = "quantity"
    """Both say the same amount, written differently."""
    VALUE = "value"
    """The two want different values."""


def classify(writer: str, rival: str, live: Value | Missing, intended: Value | Missing) -> ConflictClass:
    """Return the kind of a conflict between two managers, by name, over a field with these two values."""
    if writer == rival:
        return ConflictClass.SELF
    if intended is None or intended in ("", [], {}):
        return ConflictClass.EMPTY
    if isinstance(intended, dict | list) and isinstance(live, dict | list):
        return ConflictClass.ATOMIC
    return ConflictClass.QUANTITY if _same_amount(live, intended) else ConflictClass.VALUE


def _same_amount(live: Value | Missing, intended: Value | Missing) -> bool:
    if not isinstance(live, str | int) or not isinstance(intended, str | int):
        return False
    try:
        return parse_quantity(str(live)).amount == parse_quantity(str(intended)).amount
    except MalformedQuantity:
        return False
