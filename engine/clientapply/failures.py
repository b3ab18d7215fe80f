"""Why client-side apply cannot send anything."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError


@dataclass(eq=False)
class UnreadableLastApplied(EngineError):
    """The last-applied annotation of the live object holds no JSON object; `problem` says why."""

    problem: str

    def __str__(self) -> str:
        return f"the last-applied annotation of the live object cannot be read: {self.problem}"
