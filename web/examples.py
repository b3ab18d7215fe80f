"""The examples of the menu, read from data files.

A file tells how its live object came to be (`history`, a list of writes) and what is tried on it (`write`). The live
object is made by playing the history, so it is what the API server would hold, managedFields and all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from engine.evaluation import Write, WriteKind, evaluate
from engine.value.codec import parse_yaml, render_yaml
from engine.value.document import parse_yaml_stream
from engine.value.model import Object
from web.contexts import Draft, ExampleGroup, ExampleLink
from web.texts import texts_of

FOLDER = Path(__file__).resolve().parent / "data/examples"
FIRST_MOMENT = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
STEP = timedelta(minutes=7)
UID = "6f1d7c3a-52b8-4e0f-9d64-0c8b7f21e5aa"


@dataclass(frozen=True, slots=True)
class Example:
    """A draft with a name, under which the menu and the address know it."""

    slug: str
    group: str
    title: str
    summary: str
    draft: Draft


@dataclass(eq=False)
class BrokenExample(Exception):
    """An example whose history the API server refuses."""

    slug: str
    step: int
    answer: Object

    def __str__(self) -> str:
        return f"example {self.slug}: step {self.step} of its history is refused: {self.answer.get('message')}"


@cache
def load_examples() -> tuple[Example, ...]:
    """Return all examples, in the menu's order."""
    return tuple(example_in(file) for file in sorted(FOLDER.glob("*.yaml")))


def spoken_example(example: Example) -> Example:
    """Return an example with its texts in the reader's language."""
    texts = texts_of("examples", example.slug)
    return replace(
        example,
        group=texts_of("examples", "groups").get(example.group, example.group),
        title=texts.get("title", example.title),
        summary=texts.get("summary", example.summary),
    )


def menu(examples: Sequence[Example], chosen: str) -> tuple[ExampleGroup, ...]:
    """Return the examples by group; groups in order of first appearance."""
    groups: dict[str, list[ExampleLink]] = {}
    for example in map(spoken_example, examples):
        link = ExampleLink(example.slug, example.title, example.summary, example.slug == chosen)
        groups.setdefault(example.group, []).append(link)
    return tuple(ExampleGroup(title, tuple(links)) for title, links in groups.items())


def example_in(file: Path) -> Example:
    """Return the example of a data file."""
    slug = file.stem.partition("-")[2]
    data: Any = parse_yaml(file.read_text(encoding="utf-8"))
    return Example(slug, data["group"], data["title"], data["summary"].strip(), draft_of(slug, data))


def draft_of(slug: str, data: Any) -> Draft:
    """Return the draft of a history and a write, as data files tell them; slug names it where the history fails.

    Raises:
        BrokenExample: the server refuses a step of the history.
    """
    write, crds = data["write"], data.get("crds", "")
    return Draft(
        kind=write["kind"],
        live=write["live"] if "live" in write else _live(slug, data.get("history", []), crds),
        body=write["body"],
        crds=crds,
        manager=write.get("manager", ""),
        force=write.get("force", False),
        subresource=write.get("subresource", ""),
        view=write.get("view", "result"),
    )


def _live(slug: str, history: Sequence[Object], crds: str) -> str:
    live: Object | None = None
    schemas = tuple(document.value for document in parse_yaml_stream(crds) if isinstance(document.value, dict))
    for number, step in enumerate(history):
        write = replace(_write(step, schemas), live=live)
        answer = evaluate(write, now=FIRST_MOMENT + number * STEP, new_uid=lambda: UID)
        if answer.after is None:
            raise BrokenExample(slug, number, answer.body if isinstance(answer.body, dict) else {})
        live = answer.after
    return "" if live is None else render_yaml(live)


def _write(step: Object, crds: tuple[Object, ...]) -> Write:
    return Write(
        kind=WriteKind(step["kind"]),
        live=None,
        body=step["body"],
        crds=crds,
        manager=step.get("manager", ""),
        force=step.get("force", False),
        subresource=step.get("subresource", ""),
    )
