"""How the way into a workspace fails."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError


@dataclass(eq=False)
class BadWorkspaceId(EngineError):
    """A text that can be no workspace's id."""

    found: str

    def __str__(self) -> str:
        return (
            f"{self.found!r} is no workspace: expected 1 to 63 lower-case letters, digits, dots, dashes or "
            "underscores, with a letter or digit at both ends"
        )


@dataclass(eq=False)
class NoSuchWorkspace(Exception):
    """A workspace that was not made, has expired, or a link that was taken back."""

    name: str

    def __str__(self) -> str:
        return f'there is no workspace "{self.name}" here. POST /w/ makes a new one and answers its id'


@dataclass(eq=False)
class Unauthorized(Exception):
    """The workspace wants its token, which the request does not carry."""

    def __str__(self) -> str:
        return (
            "Unauthorized: this workspace wants its token. Send it as Authorization: Bearer TOKEN; kubectl does with "
            "--token=TOKEN over https"
        )


@dataclass(eq=False)
class BadLink(Exception):
    """A link that cannot be made, and why."""

    reason: str

    def __str__(self) -> str:
        return self.reason
