"""What the playground's templates are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from web.contexts.lessons import LessonPanel
from web.contexts.parts import Badge, Choice, Outcome, Problem
from web.contexts.schema import SchemaView


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person typed and chose, as it stands in the form."""

    kind: str = "apply"
    live: str = ""
    body: str = ""
    crds: str = ""
    manager: str = ""
    force: bool = False
    dry_run: bool = False
    subresource: str = ""
    field_validation: str = "Warn"
    view: str = "result"
    column: str = "result"
    schema_path: str = ""
    redefine: str = ""
    whole: bool = False
    """Of a step of the timeline that changes a definition: what it makes of which field, `RELATION KEYS PATH`."""


class Line(NamedTuple):
    """One line of the result. change: empty, added, removed or contested; stripe: the classes that colour its edge.

    badges are those that there is room for, more counts the others, letters names all. folded: if not 0, this
    stands for so many lines that are not there.
    """

    number: int
    text: str
    path: str
    change: str
    badges: tuple[Badge, ...]
    more: int
    letters: str
    stripe: str
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the JSON Patch from before to after; value is JSON text. Empty stands for none."""

    op: str
    path: str
    source: str
    value: str


@dataclass(frozen=True, slots=True)
class OwnedField:
    """One field of an entry: its readable path, and what the write did to the claim (gained, lost or empty).

    others are the letters of its other owners.
    """

    path: str
    change: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of managedFields: whose it is, its fields with those that it lost, and its FieldsV1 as JSON.

    state is empty for an entry that is as it was, else new, changed or gone. more counts the fields not listed.
    """

    badge: Badge
    fields: tuple[OwnedField, ...]
    more: int
    raw: str
    state: str


@dataclass(frozen=True, slots=True)
class WhyRow:
    """Why one field is as it is: its reason by name and as a sentence, the rule behind it and where that is written.

    badges are the other owners'. A quiet row is about what the write had no part in.
    """

    path: str
    why: str
    sentence: str
    rule: str
    source: str
    badges: tuple[Badge, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class TextChange:
    """One line of a person's text that goes or comes (removed, added), with its number in the text that has it."""

    change: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class WayCard:
    """One way out of all conflicts: what it does, what it would get, whose the fields would be, and the command.

    answer is empty if the way leads out; closed says why it cannot be gone, and is empty if it can.
    """

    way: str
    title: str
    summary: str
    answer: str
    outcome: tuple[str, ...]
    command: str
    changes: tuple[TextChange, ...]
    closed: str


@dataclass(frozen=True, slots=True)
class WaysPartial:
    """The ways out of one conflict, for its place in the table."""

    ways: tuple[WayCard, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One contested field: who holds it, what it holds, what was wanted. An owner not in the legend has no badge.

    kind tells what sort of conflict it is, in a sentence.
    """

    badge: Badge | None
    owner: str
    path: str
    yours: str
    live: str
    message: str
    kind: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One operation of the JSON Patch that was written, and the object after it, or why it failed."""

    number: int
    operation: str
    document: str
    failure: str


NO_SCHEMA = SchemaView("", "")


@dataclass(frozen=True, slots=True)
class Result:
    """What the panes of the result column show.

    gutter is the most badges that a line shows; left_out counts the lines that are not there. whole: all lines were
    asked for, and are more than are shown unasked. held: the name of the list of lines that the browser holds, empty
    if it holds none.
    """

    lines: tuple[Line, ...] = ()
    gutter: int = 1
    left_out: int = 0
    held: str = ""
    whole: bool = False
    owners: tuple[Badge, ...] = ()
    note: str = ""
    operations: tuple[Operation, ...] = ()
    patch: str = ""
    entries: tuple[Entry, ...] = ()
    size: str = ""
    response: str = ""
    warnings: tuple[str, ...] = ()
    request_line: str = ""
    request_body: str = ""
    dialects: tuple[str, ...] = ()
    steps: tuple[TraceStep, ...] = ()
    why: tuple[WhyRow, ...] = ()
    schema: SchemaView = NO_SCHEMA
    views: frozenset[str] = frozenset()
    """The panes that were asked for; what belongs to others alone is left empty."""
    three_lists: tuple[tuple[str, str], ...] = ()
    """Of a kubectl apply: last-applied, deletions, changes and their sum, each with its title and as YAML."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that follows from one draft. result is None where the draft cannot be used."""

    outcome: Outcome
    result: Result | None
    conflicts: tuple[Conflict, ...] = ()
    ways: tuple[WayCard, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleLink:
    """An example in the menu."""

    slug: str
    title: str
    summary: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ExampleGroup:
    """Examples of one subject."""

    title: str
    examples: tuple[ExampleLink, ...]


@dataclass(frozen=True, slots=True)
class PlaygroundPage:
    """playground.html"""

    nonce: str
    asset_version: str
    draft: Draft
    kinds: tuple[Choice, ...]
    subresources: tuple[Choice, ...]
    validations: tuple[Choice, ...]
    views: tuple[Choice, ...]
    columns: tuple[Choice, ...]
    example_groups: tuple[ExampleGroup, ...]
    example_summary: str
    last_good: str
    answer: Answer
    lesson: LessonPanel | None = None


@dataclass(frozen=True, slots=True)
class ComparePartial:
    """_compare.html: two states of an object. changes: lines that differ, -1 if only owners do, 0 if nothing does."""

    problem: str = ""
    changes: int = 0
    lines: tuple[Line, ...] = ()
    gutter: int = 1
    owners: tuple[Badge, ...] = ()
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPartial:
    """_answer.html: every part of the page that follows from what is typed, for htmx."""

    answer: Answer
