"""Lessons: short steps beside a playground that is filled in, each with a question that the engine's answer decides.

A lesson is a data file; what its `given` says holds for every step that does not say otherwise. A step tells
something (`text`), asks (`question`), and starts from a history and a write, as examples do. It is answered in one of
two ways:

- by a write: `check` says what must come of what the person has in the form (see `Check`), `answer` is a write that
  does it, and `wrong` one that does not; both are what the lesson's test tries.
- by a choice: `options` of which `right` is one, and a `demo`, requests that the engine answers, which proves it.

`explain` is told with the right answer, `hint` with a wrong one. `differs` tells where documentation and server part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.evaluation import Evaluation, WriteKind
from engine.fieldpath.element import Path as FieldPath
from engine.fieldpath.fields_v1 import decode_fields_v1
from engine.fieldpath.path_text import parse_paths
from engine.json_patch.pointer import value_at_pointer
from engine.managedfields.entries import entries_of
from engine.replay import replay
from engine.value.codec import parse_yaml, render_json
from engine.value.equality import equal
from engine.value.limits import Limits
from engine.value.model import Missing, Object, Value
from web import messages
from web.contexts import Draft
from web.evaluating import evaluated
from web.examples import draft_of
from web.forms import KIND_LABELS, Unusable, read_write
from web.texts import texts_of
from web.translation import gettext as _

FOLDER = Path(__file__).resolve().parent / "data/lessons"
TEXTS = ("text", "question", "hint", "explain", "differs")
"""The texts of a step, by the names of the data files and of their translations."""
_WRITE = ("kind", "live", "body", "manager", "force", "subresource", "view")


@dataclass(frozen=True, slots=True)
class Check:
    """What must come of a write; what is None is not asked.

    kind, manager and force are the write's own. values: JSON pointers into the object and what must be there; absent:
    pointers at which nothing may be. owners: paths, and the managers that own them, no others. conflicts: the paths in
    conflict. ops: operations that the JSON Patch must have; said and unsaid: pointers into the body that must lead to
    something, or to nothing. same: nothing may change; warned: there must be a warning, or none.
    """

    code: int | None = None
    kind: str | None = None
    manager: str | None = None
    force: bool | None = None
    values: Object | None = None
    absent: Sequence[str] | None = None
    owners: Object | None = None
    conflicts: Sequence[str] | None = None
    ops: Sequence[str] | None = None
    said: Sequence[str] | None = None
    unsaid: Sequence[str] | None = None
    same: bool | None = None
    warned: bool | None = None


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step, its texts in English. options are empty where a write is the answer."""

    text: str
    question: str
    hint: str
    explain: str
    differs: str
    draft: Draft
    check: Check
    answer: Draft
    wrong: tuple[Draft, ...]
    options: tuple[str, ...]
    right: int
    demo: Object | None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson and its steps."""

    slug: str
    group: str
    title: str
    steps: tuple[LessonStep, ...]


@cache
def load_lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which they build on each other."""
    return tuple(_read(file) for file in sorted(FOLDER.glob("*.yaml")))


def find_lesson(slug: str) -> Lesson | None:
    """Return the lesson of that slug."""
    return next((lesson for lesson in load_lessons() if lesson.slug == slug), None)


def spoken_lesson(lesson: Lesson) -> Lesson:
    """Return a lesson with its texts in the reader's language."""
    texts = texts_of("lessons", lesson.slug)
    groups = texts_of("lessons", "groups")
    steps = tuple(_spoken_step(step, number, texts) for number, step in enumerate(lesson.steps, 1))
    title = texts.get("title", lesson.title)
    return Lesson(lesson.slug, groups.get(lesson.group, lesson.group), title, steps)


def _spoken_step(step: LessonStep, number: int, texts: Any) -> LessonStep:
    named = {name: texts.get(f"{number}.{name}", getattr(step, name)) for name in TEXTS}
    options = tuple(texts.get(f"{number}.option{at}", option) for at, option in enumerate(step.options, 1))
    return replace(step, **named, options=options)


def fault_of(step: LessonStep, draft: Draft, limits: Limits, now: datetime) -> str:
    """Return in a sentence why a draft does not answer a step that asks for a write; empty if it does."""
    try:
        write = read_write(draft, limits)
        if write.body is None:
            return _("There is nothing to write yet.")
        done = evaluated(write, now)
    except Unusable as unusable:
        return unusable.problems[0].message
    except EngineError as error:
        return messages.sentence(error, "body")
    return next(_faults(step.check, draft, write.body, done), "")


def demonstration(step: LessonStep) -> tuple[tuple[str, int, str], ...]:
    """Return the requests of a step's demo with the engine's answers: request, code, body as JSON."""
    if step.demo is None:
        return ()
    (answer,) = replay([render_json({"id": "demo", **step.demo})])
    rows = []
    for asked, got in zip(step.demo["steps"], answer["steps"], strict=True):
        request, response = asked["request"], got["response"]
        rows.append((_request_line(request), int(response["code"]), render_json(response["body"], 2)))
    return tuple(rows)


def _request_line(request: Object) -> str:
    query = "&".join(f"{name}={value}" for name, value in request.get("query", {}).items())
    watch = "watch=1" if request.get("watch") else ""
    tail = "&".join(filter(None, (watch, query)))
    return f"{request['method']} {request.get('path', '')}{'?' + tail if tail else ''}".strip()


def _faults(check: Check, draft: Draft, body: Value, done: Evaluation) -> Iterator[str]:
    if check.kind is not None and draft.kind != check.kind:
        yield _("The kind of write is another one: choose %(kind)s.", kind=_(KIND_LABELS[WriteKind(check.kind)]))
    if check.manager is not None and draft.manager != check.manager:
        yield _("The manager is %(found)s; write as %(wanted)s.", found=draft.manager or "-", wanted=check.manager)
    if check.force is not None and draft.force != check.force:
        yield _("Do it with force.") if check.force else _("Do it without force.")
    if check.code is not None and done.code != check.code:
        yield _("The server answers %(code)s.", code=done.code)
    yield from _said(check, body)
    if check.conflicts is not None and {each.path for each in done.conflicts} != set(check.conflicts):
        yield _("The conflicts are others: %(paths)s.", paths=", ".join(each.path for each in done.conflicts) or "0")
    if check.same is not None and (done.before == done.after) != check.same:
        yield _("The object changes.") if check.same else _("Nothing changes.")
    if check.warned is not None and bool(done.warnings) != check.warned:
        yield _("The server does not warn.") if check.warned else _("The server warns.")
    obj = done.after if done.after is not None else done.before or {}
    yield from _values(check, obj)
    yield from _owners(check, obj)


def _said(check: Check, body: Value) -> Iterator[str]:
    if check.ops is not None:
        used = {each.get("op") for each in body if isinstance(each, dict)} if isinstance(body, list) else set()
        missing = [op for op in check.ops if op not in used]
        if missing:
            yield _("The patch has no operation %(op)s.", op=missing[0])
    for pointer in check.said or ():
        if isinstance(value_at_pointer(body, pointer), Missing):
            yield _("What you write does not say %(place)s.", place=pointer)
    for pointer in check.unsaid or ():
        if not isinstance(value_at_pointer(body, pointer), Missing):
            yield _("What you write says %(place)s.", place=pointer)


def _values(check: Check, obj: Object) -> Iterator[str]:
    for pointer, wanted in (check.values or {}).items():
        found = value_at_pointer(obj, pointer)
        if isinstance(found, Missing):
            yield _("The result has nothing at %(place)s.", place=pointer)
        elif not equal(found, wanted):
            yield _("At %(place)s the result has %(found)s.", place=pointer, found=render_json(found))
    for pointer in check.absent or ():
        if not isinstance(value_at_pointer(obj, pointer), Missing):
            yield _("The result still has %(place)s.", place=pointer)


def _owners(check: Check, obj: Object) -> Iterator[str]:
    for text, wanted in (check.owners or {}).items():
        (path,) = parse_paths(text)
        found = _owners_of(obj, path)
        if found != sorted(wanted):
            yield _("%(field)s belongs to %(owners)s.", field=text, owners=", ".join(found) or _("nobody"))


def _owners_of(obj: Object, path: FieldPath) -> list[str]:
    stored = entries_of(obj)
    return sorted(
        {
            str(entry.get("manager", ""))
            for entry in (stored if isinstance(stored, list) else [])
            if path in decode_fields_v1(entry.get("fieldsV1", {}))
        }
    )


def _read(file: Path) -> Lesson:
    slug = file.stem.partition("-")[2]
    data: Any = parse_yaml(file.read_text(encoding="utf-8"))
    given = data.get("given", {})
    return Lesson(slug, data["group"], data["title"], tuple(_step(slug, {**given, **each}) for each in data["steps"]))


def _step(slug: str, data: Any) -> LessonStep:
    write = {"kind": "apply", "body": "", **{name: data[name] for name in _WRITE if name in data}}
    draft = draft_of(slug, {"write": write, "history": data.get("history", []), "crds": data.get("crds", "")})
    wrong = data.get("wrong", [])
    return LessonStep(
        **{name: str(data.get(name, "")).strip() for name in TEXTS},
        draft=draft,
        check=Check(**data.get("check", {})),
        answer=_changed(draft, data.get("answer", {})),
        wrong=tuple(_changed(draft, each) for each in (wrong if isinstance(wrong, list) else [wrong])),
        options=tuple(str(each) for each in data.get("options", ())),
        right=int(data.get("right", 0)),
        demo=data.get("demo"),
    )


def _changed(draft: Draft, change: Object) -> Draft:
    """The draft as a person changes it: `replace` is a text of the body and what it becomes, others are fields."""
    body = draft.body
    for old, new in change.get("replace", {}).items():
        assert old in body, f"the lesson's body has no {old!r}"
        body = body.replace(old, new)
    known = {each.name for each in fields(Draft)}
    return replace(draft, **{"body": body, **{name: value for name, value in change.items() if name in known}})
