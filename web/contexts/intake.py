"""What the page that sorts a text is given."""

from __future__ import annotations

from dataclasses import dataclass

from web.contexts.parts import Problem
from web.contexts.playground import Draft


@dataclass(frozen=True, slots=True)
class Sorted:
    """One object of a text: its kind and name, what it is taken for, and the draft that it makes alone."""

    name: str
    role: str
    draft: Draft


@dataclass(frozen=True, slots=True)
class Contested:
    """A field that a message says is contested: with whom, and what else is said of the manager."""

    field: str
    manager: str
    more: str


@dataclass(frozen=True, slots=True)
class Intake:
    """A text sorted. draft is what all of it makes together, None if one of rows is to be chosen first."""

    draft: Draft | None = None
    rows: tuple[Sorted, ...] = ()
    definitions: int = 0
    conflicts: tuple[Contested, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenPage:
    """open.html. text is what was pasted; a file's text is not shown again."""

    nonce: str
    asset_version: str
    text: str
    answer: Intake
