"""Why client-side apply cannot send anything."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.said import said


@dataclass(eq=False)
class NoLastApplied(EngineError):
    """The object was never applied by kubectl, or its annotation was taken away."""

    def __str__(self) -> str:
        return said(
            "the object has no annotation kubectl.kubernetes.io/last-applied-configuration; "
            "expected one, as kubectl apply writes it. Set it, and let it be created."
        )


@dataclass(eq=False)
class UnreadableLastApplied(EngineError):
    """The last-applied annotation of the live object holds no JSON object; `problem` says why."""

    problem: str

    def __str__(self) -> str:
        return said("the last-applied annotation of the live object cannot be read: %(problem)s", problem=self.problem)
