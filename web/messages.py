"""The page's own sentence for everything that can be wrong with what was typed: place, found, expected, remedy.

Each is in the reader's language. A Status of the API server keeps its own words; these are for what never reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from engine.errors import EngineError
from engine.value.failures import (
    LIMIT_NAMES,
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
from web.translation import ENGLISH, gettext, language, marked, ngettext, translated

EDITORS = {
    "live": marked("live object"),
    "body": marked("intent or patch"),
    "crds": marked("custom resource definition"),
    "before": marked("first document"),
    "after": marked("second document"),
    "fields": marked("set of fields"),
    "text": marked("text"),
    "change_a": marked("change of the first client"),
    "change_b": marked("change of the second client"),
}
"""What each editor is called inside a sentence."""

KIND_NAMES = {
    Kind.NULL: marked("null"),
    Kind.BOOLEAN: marked("true or false"),
    Kind.NUMBER: marked("a number"),
    Kind.STRING: marked("a text"),
    Kind.LIST: marked("a list"),
    Kind.MAP: marked("a map"),
}

LIMIT_REMEDIES = {
    "bytes": marked("Shorten it, or raise the limit with the setting PATCHYARD_MAX_DOCUMENT_BYTES."),
    "levels": marked(
        "Take the inner levels out: no object of the API is nested that deeply. The setting is PATCHYARD_MAX_LEVELS."
    ),
    "values": marked(
        "Take out what the question does not need, or raise the limit with the setting PATCHYARD_MAX_VALUES."
    ),
    "repeated values": marked(
        "Write the values out instead of repeating them by alias, or raise the limit with the setting "
        "PATCHYARD_MAX_ALIASED_VALUES."
    ),
    "bytes by alias": marked(
        "Repeat shorter values by alias, or raise the limit with the setting PATCHYARD_MAX_DOCUMENT_BYTES."
    ),
    "operations": marked("Write fewer operations, or raise the limit with the setting PATCHYARD_MAX_OPERATIONS."),
    "entries of managedFields": marked(
        "Take the entries out of managers that write no more, or raise the limit with the setting "
        "PATCHYARD_MAX_MANAGERS."
    ),
    "aliased values": marked("Write the values out instead of repeating them by alias."),
    "documents": marked(
        "Keep those that you need and remove the others, or raise the limit with the setting PATCHYARD_MAX_DOCUMENTS."
    ),
}


@singledispatch
def sentence(error: EngineError, editor: str) -> str:
    """Return what to tell a person about `error` in the text of `editor`, without the line and column."""
    return gettext(
        "The %(editor)s cannot be used: %(error)s. Correct it there.",
        editor=_editor(editor),
        error=translated(str(error)),
    )


@sentence.register
def _unreadable(error: UnreadableDocument, editor: str) -> str:
    found = _capital(translated(error.found))
    if not error.expected:
        return gettext("%(found)s. Correct the %(editor)s there.", found=found, editor=_editor(editor))
    return gettext(
        "%(found)s; expected %(expected)s. Correct the %(editor)s there.",
        found=found,
        expected=translated(error.expected),
        editor=_editor(editor),
    )


@sentence.register
def _empty(error: EmptyDocument, editor: str) -> str:
    return gettext(
        "The %(editor)s holds no document, only blanks or comments; expected YAML or JSON. Paste an object.",
        editor=_editor(editor),
    )


@sentence.register
def _several(error: SeveralDocuments, editor: str) -> str:
    return gettext(
        "The %(editor)s holds %(count)s documents, and the second begins here; expected one. "
        "Keep the one that is meant and remove the others.",
        editor=_editor(editor),
        count=error.count,
    )


@sentence.register
def _loop(error: AnchorLoop, editor: str) -> str:
    return gettext(
        'The anchor "&%(anchor)s" contains itself through "*%(anchor)s"; expected an alias of a value '
        "that ends before. Write the value out.",
        anchor=error.anchor,
    )


@sentence.register
def _unknown_anchor(error: UnknownAnchor, editor: str) -> str:
    return gettext(
        'The alias "*%(anchor)s" has no anchor; expected "&%(anchor)s" at an earlier value. '
        "Name the anchor, or put the text in quotes if it is no alias.",
        anchor=error.anchor,
    )


@sentence.register
def _duplicate(error: DuplicateKey, editor: str) -> str:
    key = error.path[-1] if error.path else ""
    if not error.path[:-1]:
        return gettext(
            'The key "%(key)s" is already set above. '
            "Each key may stand once in a map: remove or rename one of the two.",
            key=key,
        )
    return gettext(
        'The key "%(key)s" of %(path)s is already set above. '
        "Each key may stand once in a map: remove or rename one of the two.",
        key=key,
        path=render_path(error.path[:-1]),
    )


@sentence.register
def _limit(error: LimitExceeded, editor: str) -> str:
    allowed = f"{error.allowed:,}"
    found = gettext("more than %(number)s", number=allowed) if error.found is None else f"{error.found:,}"
    remedy = LIMIT_REMEDIES.get(error.limit, marked("Make it smaller."))
    return gettext(
        "The %(editor)s has %(found)s %(what)s; at most %(allowed)s are read. %(remedy)s",
        editor=_editor(editor),
        found=found,
        what=translated(LIMIT_NAMES.get(error.limit, error.limit)),
        allowed=allowed,
        remedy=gettext(remedy),
    )


def not_a_map(value: Value, editor: str) -> str:
    """Return the sentence for a document that should be an object."""
    return gettext(
        "The %(editor)s is %(kind)s; expected a map with apiVersion, kind and metadata. "
        "Paste one object, as kubectl get -o yaml prints it.",
        editor=_editor(editor),
        kind=_kind(kind_of(value)),
    )


def misshapen(fault: Fault) -> str:
    """Return the sentence for a member of another kind than belongs there."""
    return gettext(
        "%(path)s is %(found)s; expected %(expected)s. Correct it, or take it out.",
        path=render_path(fault.path),
        found=_kind(fault.found),
        expected=_kind(fault.expected),
    )


def not_operations(value: Value) -> str:
    """Return the sentence for a JSON Patch that is no list."""
    return gettext(
        "A JSON Patch is a list of operations; found %(kind)s. "
        'Begin with a line such as "- op: add", or choose the kind of write that this text is for.',
        kind=_kind(kind_of(value)),
    )


def operations_elsewhere(kind: str) -> str:
    """Return the sentence for a list where the kind of write wants an object."""
    return gettext(
        "This is a list; %(kind)s expects a map. "
        "If these are JSON Patch operations, choose JSON Patch as the kind of write.",
        kind=kind,
    )


def not_a_crd(found: str) -> str:
    """Return the sentence for a schema document that is no CustomResourceDefinition."""
    return gettext(
        "This is %(found)s; expected a CustomResourceDefinition of apiextensions.k8s.io/v1. "
        "Paste the definition as kubectl get crd NAME -o yaml prints it.",
        found=found,
    )


IDLE = marked("Nothing to write yet: paste an intent or a patch, or choose an example.")
ONLY_LIVE = marked(
    "Nothing is written: this is the live object with the owner of every line. Paste an intent to go on."
)
UNCHANGED = marked("Nothing changes: the object stays as it is, and so does its resourceVersion.")
REFUSAL_REMEDIES = {
    "Operation cannot be fulfilled on": marked(
        "Refused for its resourceVersion, not for an owner, so force does not help: %(message)s."
    ),
    "invalid object type": marked(
        "Refused: %(message)s. Write the apiVersion and kind of the live object into the intent, each as a text."
    ),
    "the server rejected our request due to an error in our request": marked(
        "Refused: %(message)s. JSON Patch shows which operation fails."
    ),
}
"""What to say about a refusal that says little, by how its message begins."""
REFUSED = marked("Refused: %(message)s")
REFUSED_SHOWS_LIVE = marked("The write is refused, so this is the live object as it stays.")


def stale(count: int) -> str:
    """Return the line above a result that no longer belongs to what is typed."""
    return ngettext(
        "There is something to correct in what you typed; until then this is the last good result.",
        "There are %(num)s things to correct in what you typed; until then this is the last good result.",
        count,
    )


def success(operations: int, created: bool, dry_run: bool, warnings: int) -> str:
    """Return what a write did."""
    if created:
        told = gettext("The object is created.")
    elif not operations:
        told = gettext("Written: no value changes, only who owns what.")
    else:
        told = ngettext(
            "Written: 1 change from the live object to the result.",
            "Written: %(num)s changes from the live object to the result.",
            operations,
        )
    return joined(told, gettext("Dry run: nothing would be stored.") if dry_run else "", _warned(warnings))


def unchanged(warnings: int) -> str:
    """Return that a write did nothing."""
    return joined(gettext(UNCHANGED), _warned(warnings))


def _warned(warnings: int) -> str:
    if not warnings:
        return ""
    return ngettext("1 warning: see Response.", "%(num)s warnings: see Response.", warnings)


def joined(*sentences: str) -> str:
    """Return sentences one after the other, with a blank between them where the language has one; "" counts not."""
    return (" " if language() is ENGLISH else "").join(each for each in sentences if each)


def owner(manager: str, operation: str, api_version: str, subresource: str) -> str:
    """Return an owner in words: `autoscaler (Update, apps/v1, /scale)`."""
    facts = [fact for fact in (operation, api_version, f"/{subresource}" if subresource else "") if fact]
    return f"{manager} ({', '.join(facts)})" if facts else manager


def refusal(status: Value, conflicts: int) -> str:
    """Return why the API server refuses, first in the page's words where it has some, else in the server's.

    conflicts: how many fields are contested.
    """
    if conflicts:
        return ngettext(
            "Conflict: 1 field has another owner. Nothing is written.",
            "Conflict: %(num)s fields have another owner. Nothing is written.",
            conflicts,
        )
    message = status.get("message") if isinstance(status, dict) else None
    if not isinstance(message, str):
        return gettext("The write is refused.")
    told = (sentence for begin, sentence in REFUSAL_REMEDIES.items() if message.startswith(begin))
    return gettext(next(told, REFUSED), message=message)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _editor(name: str) -> str:
    return gettext(EDITORS[name])


def _kind(kind: Kind) -> str:
    return gettext(KIND_NAMES[kind])


MOST_NAMES = 5


def several_objects(identities: Sequence[tuple[str, str]]) -> str:
    """Return what to do with a list of objects, by kind and name, where one is wanted."""
    if not identities:
        return gettext(
            "This is a List without objects; expected one object. Paste the object, or leave the editor empty."
        )
    nameless = gettext("an object")
    names = [f"{kind or nameless} {name}".strip() for kind, name in identities[:MOST_NAMES]]
    told = ", ".join(names)
    if len(identities) > MOST_NAMES:
        told = gettext("%(names)s and %(number)s more", names=told, number=len(identities) - MOST_NAMES)
    return gettext(
        "This is a List of %(names)s; one object is written to. Keep one, or write to one by its kind and name.",
        names=told,
    )
