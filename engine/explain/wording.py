"""Reasons in sentences, each with its rule and where that is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.explain.reason import Reason, Why
from engine.fieldpath.element import render_path
from engine.meta.manager import ManagerIdentifier
from engine.said import said

_FIELDS = said("Kubernetes documentation, Server-Side Apply: Field management")
_CONFLICTS = said("Kubernetes documentation, Server-Side Apply: Conflicts")
_STRATEGY = said("Kubernetes documentation, Server-Side Apply: Merge strategy")
_DEFAULTING = said("Kubernetes documentation, API Concepts: Defaulting")
_VERSIONS = said("Kubernetes documentation, API Concepts: Resource versions")
_UPDATES = said("Kubernetes documentation, API Concepts: Updates to existing resources")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in one sentence, and the document that has it."""

    text: str
    source: str


RULES: Mapping[Why, Rule] = {
    Why.SET: Rule(said("Whoever changes a field owns it."), _FIELDS),
    Why.KEPT: Rule(said("What a write does not change stays as it is, and with its owners."), _FIELDS),
    Why.SHARED: Rule(said("Who applies a value that is there already becomes its co-owner."), _CONFLICTS),
    Why.HELD: Rule(said("A field goes only when all of its owners have let go of it."), _FIELDS),
    Why.LEFT: Rule(said("What contains fields of others stays with them."), _FIELDS),
    Why.RESET: Rule(said("What nobody owns any more goes, and the server fills in its default."), _DEFAULTING),
    Why.UNOWNED: Rule(said("A field that nobody wrote has no owner; anybody may take it."), _FIELDS),
    Why.DEFAULTED: Rule(said("The server fills in defaults after the merge."), _DEFAULTING),
    Why.WHOLE: Rule(said("An atomic list or map is replaced and owned as one."), _STRATEGY),
    Why.IDENTITY: Rule(said("Name, namespace and the server's own metadata have no owner."), _VERSIONS),
    Why.REMOVED: Rule(said("What an applier no longer says, and nobody else owns, is removed."), _FIELDS),
    Why.TAKEN: Rule(said("A PUT or a patch removes whatever its owner."), _UPDATES),
    Why.REFUSED: Rule(said("An apply must not change what others own, unless it forces."), _CONFLICTS),
}
"""By reason."""


def sentence(reason: Reason) -> str:
    """Return one reason as a sentence to its writer."""
    owners = _listed(reason.owners)
    if reason.why is Why.KEPT:
        told = said("Kept as it was; owned by %(owners)s.", owners=owners)
        return told if owners else said("Kept as it was, and still owned by this writer.")
    if reason.why is Why.TAKEN:
        told = said("Taken away by this write; it was owned by %(owners)s.", owners=owners)
        return told if owners else said("Taken away by this write.")
    if reason.why is Why.SHARED:
        return said("Shared: this write says the same as %(owners)s, and they own it together.", owners=owners)
    if reason.why is Why.HELD:
        return said("Kept although this write dropped it: still owned by %(owners)s.", owners=owners)
    if reason.why is Why.REFUSED:
        return said("Not changed: owned by %(owners)s, so this write was refused.", owners=owners)
    if reason.why is Why.WHOLE:
        field = render_path(reason.field) or said("the object")
        return said("Part of %(field)s, which this write set as a whole.", field=field)
    return _SENTENCES[reason.why]


_SENTENCES: Mapping[Why, str] = {
    Why.SET: said("Set by this write."),
    Why.LEFT: said("Kept although this write dropped it: it holds fields of others. Nobody owns it now."),
    Why.RESET: said("Dropped by this write, and nobody else owned it: the server filled in its default."),
    Why.UNOWNED: said("Kept as it was; nobody owns it."),
    Why.DEFAULTED: said("Filled in by the server."),
    Why.IDENTITY: said("Tells which object this is, or is the server's own."),
    Why.REMOVED: said("Removed: this write dropped it, and nobody else owned it."),
}
"""Those that tell no more than the reason."""


def _listed(owners: tuple[ManagerIdentifier, ...]) -> str:
    names = [_named(each) for each in owners]
    if len(names) < 2:
        return names[0] if names else ""
    return said("%(names)s and %(last)s", names=", ".join(names[:-1]), last=names[-1])


def _named(owner: ManagerIdentifier) -> str:
    if not owner.subresource:
        return f"{owner.manager} ({owner.operation})"
    return said(
        "%(manager)s (%(operation)s through %(subresource)s)",
        manager=owner.manager,
        operation=owner.operation,
        subresource=owner.subresource,
    )
