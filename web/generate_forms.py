"""The form of /generate -> what the generators are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import EngineError
from engine.generate.exact import read_exactly
from engine.generate.model import Format, Order
from engine.generate.objects import kind_info
from engine.json_patch.options import ByNamedKey, ByPosition, BySchema, Fewest, Guard, Lists, Options, Transfer
from engine.value.document import Document
from engine.value.failures import DuplicateKey
from engine.value.limits import Limits
from engine.value.model import Value
from web import messages
from web.contexts import Choice, GenerateDraft, Problem
from web.translation import gettext, marked

FORMATS = {
    "json-patch": "JSON Patch",
    "merge-patch": marked("JSON merge patch"),
    "strategic": marked("Strategic merge"),
    "apply": marked("Apply intent"),
}
FEWEST = {"operations": marked("operations (precise)"), "bytes": marked("bytes (smallest)")}
GUARDS = {"none": marked("none"), "values": marked("old values"), "keys": marked("keys of items")}
LISTS = {"schema": marked("the schema's keys"), "position": marked("position"), "key": marked("a key")}
COLUMNS = {"before": marked("Before"), "after": marked("After"), "result": marked("Patch")}

SAMPLE_BEFORE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.16
        ports:
        - containerPort: 80
      - name: proxy
        image: envoy:1.29
        args: [--quiet]
"""
SAMPLE_AFTER = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
    tier: front
spec:
  replicas: 5
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: proxy
        image: envoy:1.30
        args: [--quiet]
      - name: web
        image: nginx:1.17
        ports:
        - containerPort: 80
"""


@dataclass(eq=False)
class Unreadable(Exception):
    """One of the documents cannot be read."""

    problems: tuple[Problem, ...]


def sample() -> GenerateDraft:
    """Return what the page shows at first."""
    return GenerateDraft(before=SAMPLE_BEFORE, after=SAMPLE_AFTER)


def read_draft(fields: Mapping[str, str]) -> GenerateDraft:
    """Return what the form holds; a choice that does not exist counts as the first."""
    return GenerateDraft(
        before=_lines(fields.get("before", "")),
        after=_lines(fields.get("after", "")),
        format=_choice(fields, "format", FORMATS),
        fewest=_choice(fields, "fewest", FEWEST),
        moves="moves" in fields,
        copies="copies" in fields,
        guard=_choice(fields, "guard", GUARDS),
        lists=_choice(fields, "lists", LISTS),
        key=fields.get("key", "").strip(),
        manager=fields.get("manager", "").strip(),
        column=_choice(fields, "column", COLUMNS),
    )


def choices(labels: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    """Return the choices that a field of the form offers."""
    return tuple(Choice(value, gettext(label), value == chosen) for value, label in labels.items())


def read_documents(draft: GenerateDraft, limits: Limits) -> tuple[Document | None, Document | None]:
    """Return both documents; None for an editor with nothing in it.

    Raises:
        Unreadable: a text is no document; all problems of both are told.
    """
    problems: list[Problem] = []
    before = _read(draft.before, "before", limits, problems)
    after = _read(draft.after, "after", limits, problems)
    if problems:
        raise Unreadable(tuple(problems))
    return before, after


def order_of(draft: GenerateDraft, before: Value, after: Value) -> Order:
    """Return what the generators are asked for."""
    plain = Order(before, after, Format(draft.format), manager=draft.manager)
    wanted = ((Transfer.MOVE, draft.moves), (Transfer.COPY, draft.copies))
    options = Options(
        fewest=Fewest(draft.fewest),
        transfers=frozenset(transfer for transfer, asked in wanted if asked),
        guard=Guard(draft.guard),
        lists=_lists(draft, plain),
    )
    return Order(before, after, plain.format, options, draft.manager)


def _lists(draft: GenerateDraft, order: Order) -> Lists:
    if draft.lists == "key" and draft.key:
        return ByNamedKey(draft.key)
    info = kind_info(order) if draft.lists == "schema" else None
    return BySchema(info.type) if info is not None else ByPosition()


def _read(text: str, editor: str, limits: Limits, problems: list[Problem]) -> Document | None:
    if not text.strip():
        return None
    try:
        document = read_exactly(text, limits)
    except EngineError as error:
        problems.append(_problem(error, editor))
        return None
    problems.extend(_problem(DuplicateKey(*duplicate), editor) for duplicate in document.duplicates)
    return document


def _problem(error: EngineError, editor: str) -> Problem:
    line, column = getattr(error, "line", None), getattr(error, "column", None)
    return Problem(editor, messages.sentence(error, editor), line or 0, column or 0)


def _choice(fields: Mapping[str, str], name: str, labels: Mapping[str, str]) -> str:
    value = fields.get(name, "")
    return value if value in labels else next(iter(labels))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
