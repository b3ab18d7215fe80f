"""Whatever a person pastes or drops, sorted into the editors: objects, Lists, several documents, CRDs, conflicts.

- A CustomResourceDefinition becomes a schema.
- An object that has been on a server (it has a uid, a resourceVersion or managedFields) is a live object, others are
  something to write; a list of operations is a JSON Patch.
- A List counts as its items.
- What kubectl prints of a conflict is taken apart into managers and fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.errors import EngineError
from engine.evaluation import WriteKind
from engine.meta.object_meta import metadata_of, text_of
from engine.value.codec import render_yaml
from engine.value.document import parse_yaml_stream
from engine.value.failures import LimitExceeded
from engine.value.limits import Limits, check_size
from engine.value.model import Object, Value
from web import messages
from web.contexts import Contested, Draft, Intake, Problem, Sorted
from web.translation import gettext as _

_BORDER = re.compile(r"^---(?:[ \t].*)?$", re.MULTILINE)
_CONFLICT = re.compile(
    r'conflicts? with "(?P<manager>(?:[^"\\\n]|\\.)*)"(?P<more>[^\n]*?):(?P<field>[ \t]*\S.*)?$', re.M
)
_FIELD = re.compile(r"^\s*- (?P<field>\.\S.*)$")
MOST_OBJECTS = 200
MOST_OF_A_LINE = 4_000
"""Characters of a line that may be a message: one that repeats itself is looked through in squared time."""


def sorted_in(text: str, limits: Limits) -> Intake:
    """Return what `text` holds, sorted; with a problem if it can be read neither as documents nor as a conflict."""
    try:
        check_size(text, limits)
    except LimitExceeded as error:
        return Intake(problems=(Problem("text", messages.sentence(error, "text")),))
    conflicts = tuple(conflicts_in(text))
    if conflicts:
        return Intake(conflicts=conflicts)
    if not text.strip():
        return Intake(problems=(Problem("text", _("There is nothing to sort: paste something, or choose a file.")),))
    try:
        documents = [_Piece(document.value, "") for document in parse_yaml_stream(text, limits)]
    except EngineError as error:
        line, column = getattr(error, "line", None) or 0, getattr(error, "column", None) or 0
        return Intake(problems=(Problem("text", messages.sentence(error, "text"), line, column),))
    texts = _texts(text, len(documents))
    pieces = [piece for document, own in zip(documents, texts, strict=True) for piece in _pieces(document.value, own)]
    return _sorted(pieces)


@dataclass(frozen=True, slots=True)
class _Piece:
    """One value with its own text."""

    value: Value
    text: str


def _texts(text: str, count: int) -> list[str]:
    """The text of each document: its own, comments and all; nothing where it cannot be told apart."""
    parts = [part.strip("\n") + "\n" for part in _BORDER.split(text) if _says_something(part)]
    return parts if len(parts) == count else [""] * count


def _says_something(part: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in part.splitlines())


def _pieces(value: Value, text: str) -> Iterator[_Piece]:
    if isinstance(value, dict) and str(value.get("kind", "")).endswith("List") and isinstance(value.get("items"), list):
        version = str(value.get("apiVersion", ""))
        for item in value["items"]:
            if isinstance(item, dict):
                kind = str(value["kind"]).removesuffix("List")
                named = item if kind == "" or "kind" in item else {"apiVersion": version, "kind": kind, **item}
                yield _Piece(named, "")
    elif value is not None:
        yield _Piece(value, text)


def _sorted(pieces: list[_Piece]) -> Intake:
    crds = [piece for piece in pieces if _kind(piece.value) == "CustomResourceDefinition"]
    objects = [piece for piece in pieces if piece not in crds and isinstance(piece.value, dict)]
    patches = [piece for piece in pieces if isinstance(piece.value, list)]
    others = len(pieces) - len(crds) - len(objects) - len(patches)
    live = [piece for piece in objects if _was_stored(piece.value)]
    wanted = [piece for piece in objects if piece not in live]
    problems = () if pieces and not others else (Problem("text", _nothing_usable()),)
    schema = "---\n".join(_text(piece) for piece in crds)
    rows = [_row(piece, schema, live=True) for piece in live] + [_row(piece, schema, live=False) for piece in wanted]
    rows += [_patch(piece, schema) for piece in patches]
    together = _together(live, wanted, patches, schema)
    if not rows and crds:
        together = Draft(crds=schema)
    return Intake(draft=together, rows=tuple(rows[:MOST_OBJECTS]), definitions=len(crds), problems=problems)


def _nothing_usable() -> str:
    return _(
        "This is neither an object nor a message about a conflict; expected what kubectl get -o yaml or kubectl apply "
        "prints. Paste the whole of it."
    )


def _together(live: list[_Piece], wanted: list[_Piece], patches: list[_Piece], schema: str) -> Draft | None:
    """The one draft that all pieces make, None if somebody has to choose."""
    if len(live) > 1 or len(wanted) + len(patches) > 1 or not (live or wanted or patches):
        return None
    draft = Draft(crds=schema, manager="kubectl", live=_text(live[0]) if live else "")
    if wanted:
        return _with_body(draft, wanted[0])
    return _with_body(draft, patches[0]) if patches else draft


def _with_body(draft: Draft, piece: _Piece) -> Draft:
    kind = WriteKind.JSON_PATCH if isinstance(piece.value, list) else WriteKind.APPLY
    return Draft(kind.value, draft.live, _text(piece), draft.crds, draft.manager)


def _row(piece: _Piece, schema: str, *, live: bool) -> Sorted:
    value = piece.value
    assert isinstance(value, dict)
    name = " ".join(filter(None, (_kind(value) or _("an object"), text_of(value, "namespace"), text_of(value, "name"))))
    if live:
        return Sorted(name, _("live object"), Draft(live=_text(piece), crds=schema, manager="kubectl"))
    return Sorted(name, _("to be written"), _with_body(Draft(crds=schema, manager="kubectl"), piece))


def _patch(piece: _Piece, schema: str) -> Sorted:
    return Sorted("JSON Patch", _("to be written"), _with_body(Draft(crds=schema, manager="kubectl"), piece))


def _kind(value: Value) -> str:
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""


def _was_stored(value: Value) -> bool:
    metadata: Object = metadata_of(value) if isinstance(value, dict) else {}
    return any(metadata.get(name) for name in ("uid", "resourceVersion", "managedFields"))


def _text(piece: _Piece) -> str:
    return piece.text or render_yaml(piece.value)


def conflicts_in(text: str) -> Iterable[Contested]:
    """Yield the fields that a message of kubectl or of the API server says are contested, each with its manager."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if len(line) > MOST_OF_A_LINE:
            continue
        for match in _CONFLICT.finditer(line):
            more = match["more"].strip()
            fields = [match["field"].strip()] if match["field"] else list(_listed(lines, number + 1))
            yield from (Contested(field, match["manager"], more) for field in fields if field.startswith("."))


def _listed(lines: list[str], first: int) -> Iterator[str]:
    for number in range(first, len(lines)):
        match = _FIELD.match(lines[number])
        if match is None:
            return
        yield match["field"].strip()
