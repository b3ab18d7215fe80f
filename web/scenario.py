"""A history as a file that says what came of it, and the check that it still does: for a repository and its CI.

The file is YAML:

    patchyard: scenario
    live: |         the object before all steps, as text; left out if there is none
    steps:
    - kind: apply   apply, strategic, merge, json-patch, update, create, kubectl-apply
      manager: ci
      body: |       the intent, patch or object, as text
      crds: |       definitions of custom resources in force, as text; force, dry_run, subresource, field_validation
      expect:
        code: 200
        message:    of a refusal
        object:     the object after the step, without what differs from run to run
        owners:     the fields of each owner, as paths: those of web page and engine.fieldpath.path_text
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.errors import EngineError
from engine.evaluation import Evaluation
from engine.fieldpath.fields_v1 import decode_fields_v1
from engine.fieldpath.path_text import spell_path
from engine.managedfields.entries import entries_of
from engine.meta.object_meta import without_metadata
from engine.value.codec import render_json, render_yaml
from engine.value.equality import equal
from engine.value.limits import Limits
from engine.value.model import MISSING, Missing, Object, Value
from web import messages
from web.contexts import Draft
from web.evaluating import evaluated
from web.forms import Unusable, read_draft, read_write

MARK = "scenario"
CHANGING = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")
_TEXTS = ("kind", "manager", "subresource", "body", "crds")
_SWITCHES = ("force", "dry_run")
MOST_STEPS = 1000
HEADER = "# What these writes do, and what came of them. Check it with: patchyard replay FILE\n"


@dataclass(eq=False)
class NoScenario(Exception):
    """A document that is no scenario; `path` tells where, `found` and `expected` what."""

    path: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.path or 'the file'}: found {self.found}; expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Difference:
    """What came otherwise than a step expects: where, and both sides as compact JSON, `nothing` for an absent one."""

    place: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Checked:
    """One step checked: its number from 1, the write in words, the code that it got, and what differs."""

    number: int
    title: str
    code: int
    differences: tuple[Difference, ...]


def render_scenario(live: str, drafts: Sequence[Draft], limits: Limits, now: datetime) -> str:
    """Return a history as a file; steps that are no request, or change only the schema, are left out.

    Raises:
        Unusable, EngineError: no step is a request.
    """
    steps: list[Value] = []
    current, wrong = live, None
    for draft in drafts:
        if draft.redefine:
            continue
        draft = replace(draft, live=current)
        try:
            done = _done(draft, limits, now)
        except (Unusable, EngineError) as error:
            wrong = error
            continue
        steps.append({**_spelled(draft), "expect": _expected(done)})
        current = _after(draft, done)
    if wrong is not None and not steps:
        raise wrong
    whole: Object = {"patchyard": MARK, **({"live": live} if live.strip() else {}), "steps": steps}
    return HEADER + render_yaml(whole)


def check_scenario(document: Value, limits: Limits, now: datetime) -> Iterator[Checked]:
    """Yield what came of each step, and what differs from what it expects.

    Raises:
        NoScenario: the document is no scenario, or a step of it is no request.
    """
    live, steps = _read(document)
    for number, step in enumerate(steps, start=1):
        draft = replace(read_draft({**_fields(step, number), "live": live}), live=live)
        try:
            done = _done(draft, limits, now)
        except Unusable as unusable:
            raise NoScenario(f"step {number}", unusable.problems[0].message, "a request") from unusable
        except EngineError as error:
            raise NoScenario(f"step {number}", messages.sentence(error, "body"), "a request") from error
        title = f"{draft.kind} by {draft.manager or 'patchyard'}"
        yield Checked(number, title, done.code, tuple(_differences(step.get("expect"), _expected(done), "")))
        live = _after(draft, done)


def is_scenario(document: Value) -> bool:
    """True for a document that says it is one."""
    return isinstance(document, dict) and document.get("patchyard") == MARK


def _done(draft: Draft, limits: Limits, now: datetime) -> Evaluation:
    write = read_write(draft, limits)
    return evaluated(write, now)


def _after(draft: Draft, done: Evaluation) -> str:
    return draft.live if done.after is None or draft.dry_run else render_yaml(done.after)


def _spelled(draft: Draft) -> Object:
    """The step as plain data, defaults left out."""
    out: Object = {name: getattr(draft, name) for name in _TEXTS if getattr(draft, name)}
    out |= {name: True for name in _SWITCHES if getattr(draft, name)}
    return out | ({"field_validation": draft.field_validation} if draft.field_validation != "Warn" else {})


def _expected(done: Evaluation) -> Object:
    if done.after is None:
        message = done.body.get("message") if isinstance(done.body, dict) else None
        return {"code": done.code, **({"message": message} if isinstance(message, str) else {})}
    return {"code": done.code, "object": without_metadata(done.after, *CHANGING), "owners": _owners(done.after)}


def _owners(obj: Object) -> Value:
    stored = entries_of(obj)
    rows: list[Value] = []
    for entry in stored if isinstance(stored, list) else []:
        kept: Object = {
            name: entry[name] for name in ("manager", "operation", "apiVersion", "subresource") if name in entry
        }
        rows.append({**kept, "fields": [spell_path(path) for path in decode_fields_v1(entry.get("fieldsV1", {}))]})
    return sorted(rows, key=render_json)


def _read(document: Value) -> tuple[str, list[Object]]:
    if not isinstance(document, dict) or document.get("patchyard") != MARK:
        raise NoScenario("", "another document", f"a map with patchyard: {MARK}")
    live, steps = document.get("live", ""), document.get("steps")
    if not isinstance(live, str):
        raise NoScenario("live", "no text", "the object as a block of text, live: |")
    if not isinstance(steps, list) or not steps:
        raise NoScenario("steps", "none", "a list of at least one step")
    if len(steps) > MOST_STEPS:
        raise NoScenario("steps", f"{len(steps)} steps", f"at most {MOST_STEPS}")
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, dict):
            raise NoScenario(f"step {number}", "no map", "a map with kind, body and expect")
    return live, steps


def _fields(step: Object, number: int) -> dict[str, str]:
    """A step as a form's fields."""
    out = {}
    for name in (*_TEXTS, "field_validation"):
        value: Any = step.get(name, "")
        if not isinstance(value, str):
            raise NoScenario(f"step {number}, {name}", render_json(value)[:60], "a text; begin a block of text with |")
        if value:
            out[name] = value
    return out | {name: "1" for name in _SWITCHES if step.get(name) is True}


def _differences(expected: Value | Missing, got: Value | Missing, place: str) -> Iterator[Difference]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in sorted({*expected, *got}):
            yield from _differences(expected.get(name, MISSING), got.get(name, MISSING), f"{place}.{name}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from _differences(one, other, f"{place}[{index}]")
    elif not _same(expected, got):
        yield Difference(place.lstrip(".") or "expect", _brief(expected), _brief(got))


def _same(expected: Value | Missing, got: Value | Missing) -> bool:
    if isinstance(expected, Missing) or isinstance(got, Missing):
        return expected is got
    return equal(expected, got)


def _brief(value: Value | Missing) -> str:
    return "nothing" if isinstance(value, Missing) else render_json(value)
