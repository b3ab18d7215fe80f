"""What the templates of /generate are given."""

from __future__ import annotations

from dataclasses import dataclass

from web.contexts.parts import Choice, Outcome, Problem


@dataclass(frozen=True, slots=True)
class GenerateDraft:
    """What a person typed and chose to have patches made from."""

    before: str = ""
    after: str = ""
    format: str = "json-patch"
    fewest: str = "operations"
    moves: bool = True
    copies: bool = True
    guard: str = "none"
    lists: str = "schema"
    key: str = ""
    manager: str = "kubectl"
    column: str = "result"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the visual diff. change: empty, added or removed; the numbers are 0 where it has none."""

    text: str
    change: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class DiffGroup:
    """Lines that are shown, or a run of unchanged ones that is folded away. `unsent` more lines are left out."""

    lines: tuple[DiffLine, ...]
    folded: bool
    unsent: int = 0


@dataclass(frozen=True, slots=True)
class MadePatch:
    """A patch in one format and one direction: its text, or the reason why there is none."""

    text: str
    facts: str
    proof: str
    notes: tuple[str, ...]
    reason: str
    place: str


@dataclass(frozen=True, slots=True)
class SpelledChange:
    """One change in one format."""

    label: str
    made: MadePatch


@dataclass(frozen=True, slots=True)
class FormatsPartial:
    """_formats.html: a change in every format, or why there is none."""

    formats: tuple[SpelledChange, ...]
    nothing: str


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format with what it comes to: for its tab, in a word or two, and in full."""

    value: str
    label: str
    chosen: bool
    short: str
    there: MadePatch
    back: MadePatch


@dataclass(frozen=True, slots=True)
class GenerateResult:
    """The visual diff, and the change in every format."""

    groups: tuple[DiffGroup, ...]
    added: int
    removed: int
    formats: tuple[FormatRow, ...]


@dataclass(frozen=True, slots=True)
class GenerateAnswer:
    """Everything that follows from two documents. result is None where one cannot be read."""

    outcome: Outcome
    result: GenerateResult | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratePage:
    """generate.html"""

    nonce: str
    asset_version: str
    draft: GenerateDraft
    fewest: tuple[Choice, ...]
    guards: tuple[Choice, ...]
    lists: tuple[Choice, ...]
    columns: tuple[Choice, ...]
    last_good: str
    answer: GenerateAnswer


@dataclass(frozen=True, slots=True)
class GeneratePartial:
    """_generate_answer.html: every part of the page that follows from the two documents, for htmx."""

    answer: GenerateAnswer
