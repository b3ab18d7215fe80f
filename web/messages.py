"""The page's own sentence for everything that can be wrong with what was typed: place, found, expected, remedy.

A Status of the API server keeps its own words; these sentences are for what never reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from engine.errors import EngineError
from engine.value.failures import (
    AnchorLoop,
    DuplicateKey,
    EmptyDocument,
    LimitExceeded,
    SeveralDocuments,
    UnknownAnchor,
    UnreadableDocument,
    render_path,
)
from engine.value.model import Kind, Value, kind_of
from web.shapes import Fault

EDITORS = {
    "live": "live object",
    "body": "intent or patch",
    "crds": "custom resource definition",
    "before": "first document",
    "after": "second document",
}
"""What each editor is called inside a sentence."""

KIND_NAMES = {
    Kind.NULL: "null",
    Kind.BOOLEAN: "true or false",
    Kind.NUMBER: "a number",
    Kind.STRING: "a text",
    Kind.LIST: "a list",
    Kind.MAP: "a map",
}

LIMIT_REMEDIES = {
    "bytes": "Shorten it, or raise the limit with the setting PATCHYARD_MAX_DOCUMENT_BYTES.",
    "levels": "Take the inner levels out: no object of the API is nested that deeply.",
    "values": "Take out what the question does not need.",
    "aliased values": "Write the values out instead of repeating them by alias.",
    "documents": "Keep those that you need and remove the others.",
}

SAME_KEY = "Each key may stand once in a map: remove or rename one of the two."


@singledispatch
def sentence(error: EngineError, editor: str) -> str:
    """Return what to tell a person about `error` in the text of `editor`, without the line and column."""
    return f"The {EDITORS[editor]} cannot be used: {error}. Correct it there."


@sentence.register
def _unreadable(error: UnreadableDocument, editor: str) -> str:
    expected = f"; expected {error.expected}" if error.expected else ""
    return f"{_capital(error.found)}{expected}. Correct the {EDITORS[editor]} there."


@sentence.register
def _empty(error: EmptyDocument, editor: str) -> str:
    return f"The {EDITORS[editor]} holds no document, only blanks or comments; expected YAML or JSON. Paste an object."


@sentence.register
def _several(error: SeveralDocuments, editor: str) -> str:
    return (
        f"The {EDITORS[editor]} holds {error.count} documents, and the second begins here; expected one. "
        "Keep the one that is meant and remove the others."
    )


@sentence.register
def _loop(error: AnchorLoop, editor: str) -> str:
    return (
        f'The anchor "&{error.anchor}" contains itself through "*{error.anchor}"; expected an alias of a value '
        "that ends before. Write the value out."
    )


@sentence.register
def _unknown_anchor(error: UnknownAnchor, editor: str) -> str:
    return (
        f'The alias "*{error.anchor}" has no anchor; expected "&{error.anchor}" at an earlier value. '
        "Name the anchor, or put the text in quotes if it is no alias."
    )


@sentence.register
def _duplicate(error: DuplicateKey, editor: str) -> str:
    key = error.path[-1] if error.path else ""
    place = f" of {render_path(error.path[:-1])}" if error.path[:-1] else ""
    return f'The key "{key}"{place} is already set above. {SAME_KEY}'


@sentence.register
def _limit(error: LimitExceeded, editor: str) -> str:
    found = f"more than {error.allowed:,}" if error.found is None else f"{error.found:,}"
    remedy = LIMIT_REMEDIES.get(error.limit, "Make it smaller.")
    return f"The {EDITORS[editor]} has {found} {error.limit}; at most {error.allowed:,} are read. {remedy}"


def not_a_map(value: Value, editor: str) -> str:
    """Return the sentence for a document that should be an object."""
    return (
        f"The {EDITORS[editor]} is {KIND_NAMES[kind_of(value)]}; expected a map with apiVersion, kind and metadata. "
        "Paste one object, as kubectl get -o yaml prints it."
    )


def misshapen(fault: Fault) -> str:
    """Return the sentence for a member of another kind than belongs there."""
    return (
        f"{render_path(fault.path)} is {KIND_NAMES[fault.found]}; expected {KIND_NAMES[fault.expected]}. "
        "Correct it, or take it out."
    )


def not_operations(value: Value) -> str:
    """Return the sentence for a JSON Patch that is no list."""
    return (
        f"A JSON Patch is a list of operations; found {KIND_NAMES[kind_of(value)]}. "
        'Begin with a line such as "- op: add", or choose the kind of write that this text is for.'
    )


def operations_elsewhere(kind: str) -> str:
    """Return the sentence for a list where the kind of write wants an object."""
    return (
        f"This is a list; {kind} expects a map. "
        "If these are JSON Patch operations, choose JSON Patch as the kind of write."
    )


def not_a_crd(found: str) -> str:
    """Return the sentence for a schema document that is no CustomResourceDefinition."""
    return (
        f"This is {found}; expected a CustomResourceDefinition of apiextensions.k8s.io/v1. "
        "Paste the definition as kubectl get crd NAME -o yaml prints it."
    )


ONLY_LIVE = "Nothing is written: this is the live object with the owner of every line. Paste an intent to go on."
UNCHANGED = "Nothing changes: the object stays as it is, and so does its resourceVersion."
REFUSAL_REMEDIES = {
    "invalid object type": ". Write the apiVersion and kind of the live object into the intent, each as a text.",
    "the server rejected our request due to an error in our request": ". JSON Patch shows which operation fails.",
}
"""What to do about a refusal that says little, by how its message begins."""
REFUSED_SHOWS_LIVE = "The write is refused, so this is the live object as it stays."


def stale(count: int) -> str:
    """Return the line above a result that no longer belongs to what is typed."""
    places = "There is something" if count == 1 else f"There are {count} things"
    return f"{places} to correct in what you typed; until then this is the last good result."


def success(operations: int, created: bool, dry_run: bool, warnings: int) -> str:
    """Return what a write did."""
    tail = " Dry run: nothing would be stored." if dry_run else ""
    tail += _warned(warnings)
    if created:
        return f"The object is created.{tail}"
    if not operations:
        return f"Written: no value changes, only who owns what.{tail}"
    changes = "1 change" if operations == 1 else f"{operations} changes"
    return f"Written: {changes} from the live object to the result.{tail}"


def unchanged(warnings: int) -> str:
    """Return that a write did nothing."""
    return f"{UNCHANGED}{_warned(warnings)}"


def _warned(warnings: int) -> str:
    return f" {'1 warning' if warnings == 1 else f'{warnings} warnings'}: see Response." if warnings else ""


def owner(manager: str, operation: str, api_version: str, subresource: str) -> str:
    """Return an owner in words: `autoscaler (Update, apps/v1, /scale)`."""
    facts = [fact for fact in (operation, api_version, f"/{subresource}" if subresource else "") if fact]
    return f"{manager} ({', '.join(facts)})" if facts else manager


def refusal(status: Value, conflicts: int) -> str:
    """Return why the API server refuses, first in the page's words where it has some, else in the server's."""
    if conflicts:
        fields = "1 field belongs" if conflicts == 1 else f"{conflicts} fields belong"
        return f"Conflict: {fields} to another manager. Nothing is written."
    message = status.get("message") if isinstance(status, dict) else None
    if not isinstance(message, str):
        return "The write is refused."
    remedy = next((told for begin, told in REFUSAL_REMEDIES.items() if message.startswith(begin)), "")
    return f"Refused: {message}{remedy}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


MOST_NAMES = 5


def several_objects(identities: Sequence[tuple[str, str]]) -> str:
    """Return what to do with a list of objects, by kind and name, where one is wanted."""
    if not identities:
        return "This is a List without objects; expected one object. Paste the object, or leave the editor empty."
    names = [f"{kind or 'an object'} {name}".strip() for kind, name in identities[:MOST_NAMES]]
    more = f" and {len(identities) - MOST_NAMES} more" if len(identities) > MOST_NAMES else ""
    told = ", ".join(names) + more
    return f"This is a List of {told}; one object is written to. Keep one, or write to one by its kind and name."
