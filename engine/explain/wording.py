"""Reasons in sentences, each with its rule and where that is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.explain.reason import Reason, Why
from engine.fieldpath.element import render_path
from engine.meta.manager import ManagerIdentifier

_APPLY = "Kubernetes documentation, Server-Side Apply"
_API = "Kubernetes documentation, API Concepts"
_SMD = "structured-merge-diff, schema and list types"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in one sentence, and the document that has it."""

    text: str
    source: str


RULES: Mapping[Why, Rule] = {
    Why.SET: Rule("Whoever changes a field owns it.", f"{_APPLY}: Field management"),
    Why.KEPT: Rule("What a write does not change stays as it is, and with its owners.", f"{_APPLY}: Field management"),
    Why.SHARED: Rule("Who applies a value that is there already becomes its co-owner.", f"{_APPLY}: Conflicts"),
    Why.HELD: Rule("A field goes only when all of its owners have let go of it.", f"{_APPLY}: Field management"),
    Why.LEFT: Rule("What contains fields of others stays with them.", f"{_APPLY}: Field management"),
    Why.UNOWNED: Rule("A field that nobody wrote has no owner; anybody may take it.", f"{_APPLY}: Field management"),
    Why.DEFAULTED: Rule("The server fills in defaults after the merge.", f"{_API}: Defaulting"),
    Why.WHOLE: Rule("An atomic list or map is replaced and owned as one.", f"{_APPLY}: Merge strategy"),
    Why.IDENTITY: Rule("Name, namespace and the server's own metadata have no owner.", f"{_API}: Resource versions"),
    Why.REMOVED: Rule(
        "What an applier no longer says, and nobody else owns, is removed.", f"{_APPLY}: Field management"
    ),
    Why.TAKEN: Rule("A PUT or a patch removes whatever its owner.", f"{_API}: Updates to existing resources"),
    Why.REFUSED: Rule("An apply must not change what others own, unless it forces.", f"{_APPLY}: Conflicts"),
}
"""By reason."""


def sentence(reason: Reason) -> str:
    """Return one reason as a sentence to its writer."""
    return _SENTENCES[reason.why].format(
        owners=_listed(reason.owners), field=render_path(reason.field) or "the object", own=_own(reason)
    )


_SENTENCES: Mapping[Why, str] = {
    Why.SET: "Set by this write.",
    Why.KEPT: "Kept as it was{own}.",
    Why.SHARED: "Shared: this write says the same as {owners}, and they own it together.",
    Why.HELD: "Kept although this write dropped it: still owned by {owners}.",
    Why.LEFT: "Kept although this write dropped it: it holds fields of others. Nobody owns it now.",
    Why.UNOWNED: "Kept as it was; nobody owns it.",
    Why.DEFAULTED: "Filled in by the server.",
    Why.WHOLE: "Part of {field}, which this write set as a whole.",
    Why.IDENTITY: "Tells which object this is, or is the server's own.",
    Why.REMOVED: "Removed: this write dropped it, and nobody else owned it.",
    Why.TAKEN: "Taken away by this write{own}.",
    Why.REFUSED: "Not changed: owned by {owners}, so this write was refused.",
}


def _own(reason: Reason) -> str:
    if not reason.owners:
        return "" if reason.why is Why.TAKEN else ", and still owned by this writer"
    verb = "it was owned" if reason.why is Why.TAKEN else "owned"
    return f"; {verb} by {_listed(reason.owners)}"


def _listed(owners: tuple[ManagerIdentifier, ...]) -> str:
    names = [_named(each) for each in owners]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _named(owner: ManagerIdentifier) -> str:
    through = f" through {owner.subresource}" if owner.subresource else ""
    return f"{owner.manager} ({owner.operation}{through})"
