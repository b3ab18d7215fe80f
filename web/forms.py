"""A form's fields -> what the engine is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import EngineError
from engine.evaluation import Write, WriteKind
from engine.managedfields.entries import entries_of
from engine.value.document import Document, parse_yaml_stream, read_document
from engine.value.failures import DuplicateKey, LimitExceeded
from engine.value.limits import Limits, check_managers
from engine.value.model import Object, Value
from web import messages
from web.contexts import Choice, Draft, Problem
from web.shapes import Fault, definition_faults, object_faults
from web.translation import gettext, marked

KIND_LABELS = {
    WriteKind.APPLY: marked("Apply"),
    WriteKind.STRATEGIC_MERGE: marked("Strategic merge"),
    WriteKind.JSON_MERGE: marked("JSON merge"),
    WriteKind.JSON_PATCH: "JSON Patch",
    WriteKind.UPDATE: marked("Update (PUT)"),
    WriteKind.CREATE: marked("Create"),
    WriteKind.CLIENT_APPLY: "kubectl apply",
}
KINDS = {kind.value: label for kind, label in KIND_LABELS.items()}
SUBRESOURCES = {"": marked("none"), "status": "status", "scale": "scale"}
VALIDATIONS = {"Warn": "Warn", "Strict": "Strict", "Ignore": "Ignore"}
VIEWS = {
    "result": marked("Result"),
    "patch": "JSON Patch",
    "fields": "managedFields",
    "why": marked("Why"),
    "schema": marked("Schema"),
    "response": marked("Response"),
}
MOST_PATH = 2000
"""Characters of a path in the schema; more is nobody's path."""
COLUMNS = {"live": marked("Live object"), "body": marked("Intent"), "result": marked("Result")}


@dataclass(eq=False)
class Unusable(Exception):
    """A draft that is no request at all; every editor's problems are among `problems`."""

    problems: tuple[Problem, ...]


def read_draft(fields: Mapping[str, str]) -> Draft:
    """Return what the form holds; a choice that does not exist counts as the default."""
    return Draft(
        kind=_choice(fields, "kind", KINDS),
        live=_lines(fields.get("live", "")),
        body=_lines(fields.get("body", "")),
        crds=_lines(fields.get("crds", "")),
        manager=fields.get("manager", "").strip(),
        force="force" in fields,
        dry_run="dry_run" in fields,
        subresource=_choice(fields, "subresource", SUBRESOURCES),
        field_validation=_choice(fields, "field_validation", VALIDATIONS),
        view=_choice(fields, "view", VIEWS),
        column=_choice(fields, "column", COLUMNS),
        schema_path=(fields.get("schema_go") or fields.get("schema_path", "")).strip()[:MOST_PATH],
        whole="whole" in fields,
        redefine=fields.get("redefine", "").strip()[:MOST_PATH],
    )


def choices(draft: Draft) -> dict[str, tuple[Choice, ...]]:
    """Return the choices of each of the form's sets, by the name of the field."""
    offered = {
        "kind": (KINDS, draft.kind),
        "subresource": (SUBRESOURCES, draft.subresource),
        "field_validation": (VALIDATIONS, draft.field_validation),
        "view": (VIEWS, draft.view),
        "column": (COLUMNS, draft.column),
    }
    return {
        name: tuple(Choice(value, gettext(label), value == chosen) for value, label in labels.items())
        for name, (labels, chosen) in offered.items()
    }


def read_write(draft: Draft, limits: Limits) -> Write:
    """Return the write that `draft` describes; its body is None if there is nothing to write.

    Raises:
        Unusable: an editor's text cannot be read or is not what belongs there.
    """
    kind = WriteKind(draft.kind)
    problems: list[Problem] = []
    live = _live(draft.live, limits, problems)
    crds = _crds(draft.crds, limits, problems)
    body = _body(draft.body, kind, limits, problems)
    if live is not None and _is_list(live):
        live = _chosen_item(live, body, problems)
    if problems:
        raise Unusable(tuple(problems))
    return Write(
        kind=kind,
        live=live,
        body=body,
        crds=crds,
        manager=draft.manager,
        force=draft.force and kind is WriteKind.APPLY,
        dry_run=draft.dry_run,
        subresource=draft.subresource,
        field_validation=draft.field_validation,
        limits=limits,
    )


def _live(text: str, limits: Limits, problems: list[Problem]) -> Object | None:
    document = _read(text, "live", limits, problems)
    if document is None or document.value is None:
        return None
    if not isinstance(document.value, dict):
        problems.append(Problem("live", messages.not_a_map(document.value, "live"), 1, 1))
        return None
    problems.extend(_misshapen(document, object_faults(document.value), "live"))
    problems.extend(_too_many(document, entries_of(document.value), "live", limits))
    return document.value


def _is_list(obj: Object) -> bool:
    """True for what `kubectl get` prints of several objects."""
    kind, items = obj.get("kind"), obj.get("items")
    return isinstance(kind, str) and kind.endswith("List") and isinstance(items, list)


def _chosen_item(listed: Object, body: Value, problems: list[Problem]) -> Object | None:
    """Return the item of a List that the write is to: the only one, or the one of the body's kind and name."""
    items = [each for each in listed["items"] if isinstance(each, dict)]
    wanted = [each for each in items if isinstance(body, dict) and _identity(each) == _identity(body)]
    found = items if len(items) == 1 else wanted
    if len(found) == 1:
        return found[0]
    problems.append(Problem("live", messages.several_objects([_identity(each) for each in items]), 1, 1))
    return None


def _identity(obj: Object) -> tuple[str, str]:
    metadata = obj.get("metadata")
    return str(obj.get("kind", "")), str(metadata.get("name", "")) if isinstance(metadata, dict) else ""


def _body(text: str, kind: WriteKind, limits: Limits, problems: list[Problem]) -> Value:
    found = len(problems)
    document = _read(text, "body", limits, problems)
    if document is None or len(problems) > found:
        return None
    value = document.value
    if kind is WriteKind.JSON_PATCH:
        if not isinstance(value, list):
            problems.append(Problem("body", messages.not_operations(value), 1, 1))
        elif len(value) > limits.max_operations:
            place = document.place_of((limits.max_operations,))
            problems.append(_problem(LimitExceeded("operations", limits.max_operations, len(value), *place), "body"))
    elif isinstance(value, list):
        problems.append(Problem("body", messages.operations_elsewhere(gettext(KIND_LABELS[kind])), 1, 1))
    elif not isinstance(value, dict):
        problems.append(Problem("body", messages.not_a_map(value, "body"), 1, 1))
    else:
        problems.extend(_too_many(document, entries_of(value), "body", limits))
    return value


def _crds(text: str, limits: Limits, problems: list[Problem]) -> tuple[Object, ...]:
    if not text.strip():
        return ()
    try:
        documents = parse_yaml_stream(text, limits)
    except EngineError as error:
        problems.append(_problem(error, "crds"))
        return ()
    for document in documents:
        problems.extend(_repeated_keys(document, "crds"))
        found = _not_a_crd(document.value)
        if found:
            problems.append(Problem("crds", messages.not_a_crd(found), *document.place_of(())))
        elif isinstance(document.value, dict):
            problems.extend(_misshapen(document, definition_faults(document.value), "crds"))
    return tuple(document.value for document in documents if isinstance(document.value, dict))


def _not_a_crd(value: Value) -> str:
    """Return in words what `value` is, or nothing if it is a CustomResourceDefinition."""
    if not isinstance(value, dict):
        return gettext("no map")
    if value.get("kind") == "CustomResourceDefinition":
        return ""
    if isinstance(value.get("kind"), str):
        return gettext("of kind %(kind)s", kind=value["kind"])
    return gettext("a map without a kind")


def _read(text: str, editor: str, limits: Limits, problems: list[Problem]) -> Document | None:
    if not text.strip():
        return None
    try:
        document = _read_kept(text, limits) if editor == "live" else read_document(text, limits)
    except EngineError as error:
        problems.append(_problem(error, editor))
        return None
    problems.extend(_repeated_keys(document, editor))
    return document


def _read_kept(text: str, limits: Limits) -> Document:
    """Read a text that stays the same while another is typed: it is read once. Nobody changes a document.

    Of an object with 5,000 lines reading is a third of the whole answer (110 of 340 ms).
    """
    if len(text) <= _SHORT:
        return _read_short(text, limits)
    return _read_long(text, limits) if len(text) <= _LONG else read_document(text, limits)


_SHORT, _LONG = 1 << 16, 1 << 20
"""Characters of a text that is one of many that are kept, or one of few: about 80 MiB in all at the most."""


def _read_to_keep(text: str, limits: Limits) -> Document:
    return read_document(text, limits).without_places(limits)


_read_short = lru_cache(maxsize=64)(_read_to_keep)
_read_long = lru_cache(maxsize=4)(_read_to_keep)


def _misshapen(document: Document, faults: Iterable[Fault], editor: str) -> list[Problem]:
    return [Problem(editor, messages.misshapen(fault), *document.place_of(fault.path)) for fault in faults]


def _too_many(document: Document, entries: Value, editor: str, limits: Limits) -> Iterator[Problem]:
    """The problem of managedFields with more entries than are taken, at the first of them."""
    try:
        check_managers(entries, limits)
    except LimitExceeded as error:
        yield Problem(editor, messages.sentence(error, editor), *document.place_of(error.path or ()))


def _repeated_keys(document: Document, editor: str) -> list[Problem]:
    return [_problem(DuplicateKey(*duplicate), editor) for duplicate in document.duplicates]


def _problem(error: EngineError, editor: str) -> Problem:
    line, column = getattr(error, "line", None), getattr(error, "column", None)
    return Problem(editor, messages.sentence(error, editor), line or 0, column or 0)


def _choice(fields: Mapping[str, str], name: str, labels: Mapping[str, str]) -> str:
    value = fields.get(name, "")
    return value if value in labels else next(iter(labels))


def _lines(text: str) -> str:
    """Return `text` with the line ends that people see; a browser's form sends CRLF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
