"""What a person may ask of a JSON Patch that is made from two documents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from engine.json_patch.numbering import Numbers
from engine.schema.elements import TypeRef


class Fewest(Enum):
    """What there is to be as little of as possible."""

    OPERATIONS = "operations"
    """Precise: no map is exchanged for a map, and no list for a list, unless as items of a list come and go."""
    BYTES = "bytes"
    """Smallest: as compact JSON; values are replaced whole where that is shorter."""


class Transfer(Enum):
    """The operations that take a value from elsewhere in the document."""

    MOVE = "move"
    COPY = "copy"


class Guard(Enum):
    """Which `test` operations stand before the others, so that the patch fails on another document."""

    NONE = "none"
    VALUES = "values"
    """Every value that is removed, replaced or moved away is tested to be the old one."""
    KEYS = "keys"
    """Every item of a keyed list that is touched is tested to have its key at its index."""


class Root(Enum):
    """Whether a map or list that is the whole document may be replaced by another one."""

    REPLACEABLE = "replaceable"
    KEPT = "kept"
    """As the API server's patches need it: it has no pointer for the whole document."""


@dataclass(frozen=True, slots=True)
class ByPosition:
    """Items of lists belong together as their positions and contents suggest."""


@dataclass(frozen=True, slots=True)
class ByNamedKey:
    """Items of lists belong together if they have the same value of the member `name`, in lists where all have one."""

    name: str


@dataclass(frozen=True, slots=True)
class BySchema:
    """Items of lists belong together as the type of the document says; other lists go by position."""

    type: TypeRef


Lists: TypeAlias = ByPosition | ByNamedKey | BySchema

ALL_TRANSFERS = frozenset(Transfer)


@dataclass(frozen=True, slots=True)
class Options:
    """How to make a JSON Patch."""

    fewest: Fewest = Fewest.OPERATIONS
    transfers: frozenset[Transfer] = ALL_TRANSFERS
    guard: Guard = Guard.NONE
    lists: Lists = ByPosition()
    root: Root = Root.REPLACEABLE
    numbers: Numbers = Numbers.APART
