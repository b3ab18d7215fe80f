"""Owners made visible: a letter, a colour and a pattern for each, in the order of first appearance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.ownership.blame import Owner
from web.contexts import Badge

COLOURS = 7
"""The colours of the Okabe-Ito set without black, which is the text's."""


class Legend:
    """The badges of a scenario; an owner keeps its badge in the object before and in the object after."""

    def __init__(self, badges: Iterable[Badge]) -> None:
        self.badges = tuple(badges)
        self._numbers = {identity(badge): number for number, badge in enumerate(self.badges)}

    def badge(self, owner: Owner) -> Badge:
        """Return the badge of `owner`, with the API version and time that this `owner` carries."""
        return _badge(self._numbers[identity(owner)], owner)

    def ordered(self, owners: Iterable[Owner]) -> tuple[Badge, ...]:
        """Return the badges of `owners` in the legend's order."""
        return tuple(sorted((self.badge(owner) for owner in owners), key=lambda badge: badge.number))

    def find(self, manager: str, operation: str, subresource: str, api_version: str) -> Badge | None:
        """Return the badge of the entry so named, or None."""
        number = self._numbers.get(identity(Owner(manager, operation, subresource, api_version, "")))
        return self.badges[number] if number is not None else None


def legend(groups: Iterable[Sequence[Owner]]) -> Legend:
    """Return the legend of the owners in `groups`, in order of first appearance."""
    owners: dict[tuple[str, str, str, str], Owner] = {}
    for group in groups:
        for owner in group:
            owners.setdefault(identity(owner), owner)
    return Legend(_badge(number, owner) for number, owner in enumerate(owners.values()))


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
