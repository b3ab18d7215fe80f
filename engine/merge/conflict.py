"""What an apply without force runs into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.errors import EngineError
from engine.fieldpath.element import Path
from engine.said import said_many

Owner = TypeVar("Owner")


@dataclass(frozen=True, slots=True)
class Conflict(Generic[Owner]):
    """One field that the apply would change and that `manager` owns."""

    manager: Owner
    path: Path


@dataclass(eq=False)
class Conflicts(EngineError, Generic[Owner]):
    """An unforced apply would change fields of others: at least one conflict, in order of owner and path."""

    conflicts: tuple[Conflict[Owner], ...]

    def __str__(self) -> str:
        return said_many(
            "%(num)s field that this apply changes belongs to another manager",
            "%(num)s fields that this apply changes belong to other managers",
            len(self.conflicts),
        )
