"""What the templates of the tools are given: field sets, migration, two clients."""

from __future__ import annotations

from dataclasses import dataclass

from web.contexts.parts import Choice, Outcome, Problem


@dataclass(frozen=True, slots=True)
class ToolsPage:
    """tools.html"""

    nonce: str
    asset_version: str


@dataclass(frozen=True, slots=True)
class FieldsAnswer:
    """A set of fields in both spellings. turned: the one that was made from the other, fields or paths."""

    outcome: Outcome
    fields: str
    paths: str
    turned: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldsPage:
    """tools/fields.html"""

    nonce: str
    asset_version: str
    answer: FieldsAnswer


@dataclass(frozen=True, slots=True)
class FieldsPartial:
    """tools/_fields.html"""

    answer: FieldsAnswer


@dataclass(frozen=True, slots=True)
class Listing:
    """Some fields under a title, each with a note that may be empty. more counts those that are not listed."""

    title: str
    rows: tuple[tuple[str, str], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A text to read or copy, under a title."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a migration: what it is about, what is so, and what shows it."""

    title: str
    sentences: tuple[str, ...]
    listings: tuple[Listing, ...] = ()
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class MigrationDraft:
    """What a person typed: the object as client-side apply left it, the manifest, and who applies from now on."""

    live: str = ""
    body: str = ""
    crds: str = ""
    manager: str = "kubectl"


@dataclass(frozen=True, slots=True)
class MigrationAnswer:
    """The stages, or why there are none."""

    outcome: Outcome
    stages: tuple[Stage, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class MigrationPage:
    """tools/migration.html"""

    nonce: str
    asset_version: str
    draft: MigrationDraft
    answer: MigrationAnswer


@dataclass(frozen=True, slots=True)
class MigrationPartial:
    """tools/_migration.html"""

    answer: MigrationAnswer


@dataclass(frozen=True, slots=True)
class ClientForm:
    """One client as the form has it: its name, the change that it wants, and how it writes."""

    name: str
    change: str
    manners: tuple[Choice, ...]
    retries: bool


@dataclass(frozen=True, slots=True)
class EventRow:
    """One request of a race: who, what, the answer's code (empty if there was no request), and what it means."""

    client: str
    request: str
    code: str
    sentence: str
    tone: str


@dataclass(frozen=True, slots=True)
class RaceAnswer:
    """What came of an order: the requests, the object in the end, and beside it what a lock would have done.

    order is the text of the moves; moves are those that can be added to it.
    """

    outcome: Outcome
    order: str
    moves: tuple[Choice, ...]
    events: tuple[EventRow, ...] = ()
    end: str = ""
    lock_sentence: str = ""
    lock_events: tuple[EventRow, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class RacePage:
    """tools/race.html"""

    nonce: str
    asset_version: str
    live: str
    clients: tuple[ClientForm, ...]
    presets: tuple[Choice, ...]
    answer: RaceAnswer


@dataclass(frozen=True, slots=True)
class RacePartial:
    """tools/_race.html; clients are empty unless a ready example has set them."""

    answer: RaceAnswer
    clients: tuple[ClientForm, ...] = ()
