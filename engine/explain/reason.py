"""The reasons that a field of a result can have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.fieldpath.element import Path
from engine.meta.manager import ManagerIdentifier


class Why(Enum):
    """One reason, by the name that forms, commands and translations use."""

    SET = "set"
    """This write gave it its value."""
    KEPT = "kept"
    """It is as it was, and its owners are told."""
    SHARED = "shared"
    """This write says the same as its other owners: it is owned together."""
    HELD = "held"
    """The applier dropped it, and it stayed: others own it, too."""
    LEFT = "left"
    """The applier dropped it, and it stayed though nobody owns it now."""
    RESET = "reset"
    """The applier dropped it, nobody else owned it, and the server filled in its default."""
    UNOWNED = "unowned"
    """It is as it was, and nobody owns it."""
    DEFAULTED = "defaulted"
    """The server filled it in, or changed its form."""
    WHOLE = "whole"
    """It is part of a list or map that this write set as a whole."""
    IDENTITY = "identity"
    """It says which object this is, or is the server's own; ownership is not about it."""
    REMOVED = "removed"
    """The applier dropped it, and nobody else owned it: it is gone."""
    TAKEN = "taken"
    """This write took it away."""
    REFUSED = "refused"
    """This write would change it, and was refused for it."""


GONE = (Why.REMOVED, Why.TAKEN)
"""The reasons of fields that the result does not have."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one leaf is as it is.

    steps leads to the leaf in the result, in the object before if it is gone. field is whose ownership decides, the
    path of a list or map around the leaf if that is owned as a whole. owners are those of the field after the write
    without the writer; for what is gone, those before it.
    """

    why: Why
    steps: tuple[str | int, ...]
    field: Path
    owners: tuple[ManagerIdentifier, ...]
