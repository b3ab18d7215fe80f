"""Owners made visible: a letter, a colour and a pattern for each, in the order of first appearance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.ownership.blame import Owner
from web.contexts import Badge

COLOURS = 7
"""The colours of the Okabe-Ito set without black, which is the text's."""


@dataclass(frozen=True, slots=True)
class Legend:
    """The badges of a scenario; an owner keeps its badge in the object before and in the object after."""

    badges: tuple[Badge, ...]

    def badge(self, owner: Owner) -> Badge:
        """Return the badge of `owner`, with the API version and time that this `owner` carries."""
        number = next(i for i, badge in enumerate(self.badges) if identity(badge) == identity(owner))
        return _badge(number, owner)

    def ordered(self, owners: Iterable[Owner]) -> tuple[Badge, ...]:
        """Return the badges of `owners` in the legend's order."""
        return tuple(sorted((self.badge(owner) for owner in owners), key=lambda badge: badge.number))

    def find(self, manager: str, operation: str, subresource: str, api_version: str) -> Badge | None:
        """Return the badge of the entry so named, or None."""
        for badge in self.badges:
            if identity(badge) == identity(Owner(manager, operation, subresource, api_version, "")):
                return badge
        return None


def legend(groups: Iterable[Sequence[Owner]]) -> Legend:
    """Return the legend of the owners in `groups`, in order of first appearance."""
    owners: dict[tuple[str, str, str, str], Owner] = {}
    for group in groups:
        for owner in group:
            owners.setdefault(identity(owner), owner)
    return Legend(tuple(_badge(number, owner) for number, owner in enumerate(owners.values())))


def stripe(badges: Sequence[Badge]) -> str:
    """Return the CSS classes that paint a line's edge: one colour, or two in stripes where it is co-owned."""
    if not badges:
        return "free"
    if len(badges) == 1:
        return f"from-{badges[0].colour}"
    return f"from-{badges[0].colour} to-{badges[1].colour} shared"


def identity(owner: Owner | Badge) -> tuple[str, str, str, str]:
    """Return what tells entries apart: an applier keeps one entry across API versions."""
    version = "" if owner.operation == "Apply" else owner.api_version
    return owner.manager, owner.operation, owner.subresource, version


def _badge(number: int, owner: Owner) -> Badge:
    return Badge(
        number=number,
        letter=_letter(number),
        colour=number % COLOURS,
        pattern=number // COLOURS % 3,
        manager=owner.manager,
        operation=owner.operation,
        subresource=owner.subresource,
        api_version=owner.api_version,
        time=owner.time,
    )


def _letter(number: int) -> str:
    """Return A to Z, then AA, AB, ..."""
    first, last = divmod(number, 26)
    return (_letter(first - 1) if first else "") + chr(ord("A") + last)
