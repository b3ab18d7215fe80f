"""What several templates are given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Why what was typed cannot be used: a sentence and where it belongs.

    place is the editor: live, body or crds. line and column count from 1; 0 where the place is not known.
    """

    place: str
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Badge:
    """An owner's mark: its letter, its colour and pattern (numbers of CSS classes), and its words.

    number is the owner's place in the legend, from 0.
    """

    number: int
    letter: str
    colour: int
    pattern: int
    manager: str
    operation: str
    subresource: str
    api_version: str
    time: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer in a line: its tone (done, same, refused, idle or stale), its code and its sentence."""

    tone: str
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of several: its value in the form, its words, and whether it is chosen."""

    value: str
    label: str
    chosen: bool
