"""A store that cannot be used now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class StoreFailed(Exception):
    """The store cannot be read or written now; nothing that was acknowledged is lost.

    attempt is what failed ("read", "written"), reason what is wrong and what to do about it. is_passing tells that it
    may do to try again. It is no EngineError: the engine has no answer to it.
    """

    attempt: str
    reason: str
    is_passing: bool = False

    def __str__(self) -> str:
        return f"the store cannot be {self.attempt}: {self.reason}"
