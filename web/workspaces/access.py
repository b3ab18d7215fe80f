"""Who may do what in a workspace: its own id opens everything, a link opens it for some verbs."""

from __future__ import annotations

from dataclasses import dataclass

from web.workspaces.failures import BadLink

VERBS = ("get", "create", "update", "patch", "delete")
"""What a link may allow. As in the reference's roles reading brings list and watch, deleting deletecollection."""

MOST_LINKS = 50
MOST_LETTERS = 60
_BRINGS = {"list": "get", "watch": "get", "deletecollection": "delete"}


@dataclass(frozen=True, slots=True)
class Rights:
    """The verbs that a user has. user is the name that refusals tell, in the reference's words."""

    user: str
    verbs: frozenset[str]

    def allows(self, verb: str) -> bool:
        """Return True if the user has a verb of the Kubernetes API."""
        return _BRINGS.get(verb, verb) in self.verbs

    @property
    def is_full(self) -> bool:
        """True if nothing is left out."""
        return self.verbs >= set(VERBS)


ALL = Rights("owner", frozenset(VERBS))
"""What the owner of a workspace has."""


@dataclass(frozen=True, slots=True)
class Link:
    """Another way into a workspace: an unguessable key, and what it allows."""

    key: str
    label: str
    verbs: tuple[str, ...]

    @property
    def rights(self) -> Rights:
        """What whoever has the link may do."""
        return Rights(f"link:{self.label}", frozenset(self.verbs))


def check_link(label: str, verbs: tuple[str, ...], have: tuple[Link, ...]) -> None:
    """Return if a workspace may get such a link.

    Raises:
        BadLink: it may not.
    """
    unknown = [verb for verb in verbs if verb not in VERBS]
    if unknown:
        raise BadLink(f"{unknown[0]!r} is no right: expected one or more of {', '.join(VERBS)}")
    if not verbs:
        raise BadLink(f"the link has no rights: choose one or more of {', '.join(VERBS)}")
    if not label or len(label) > MOST_LETTERS or not label.isprintable():
        raise BadLink(f"the link has no usable name: expected 1 to {MOST_LETTERS} letters, such as readers")
    if len(have) >= MOST_LINKS:
        raise BadLink(f"this workspace has {MOST_LINKS} links, which is as many as there may be. Remove one first")
