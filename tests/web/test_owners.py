"""Owners keep their letter and colour from the object before to the object after."""

from __future__ import annotations

from engine.ownership.blame import Owner
from web.owners import COLOURS, legend, stripe


def owner(manager: str, operation: str = "Apply", api_version: str = "v1", time: str = "") -> Owner:
    return Owner(manager, operation, "", api_version, time)


def test_letters_go_by_first_appearance() -> None:
    marks = legend([[owner("b"), owner("c")], [owner("a"), owner("b")]])
    assert [(badge.letter, badge.manager) for badge in marks.badges] == [("A", "b"), ("B", "c"), ("C", "a")]


def test_an_applier_is_one_owner_across_versions_and_an_updater_is_not() -> None:
    versions = ("apps/v1", "apps/v1beta1")
    assert len(legend([[owner("a", "Apply", version) for version in versions]]).badges) == 1
    assert len(legend([[owner("a", "Update", version) for version in versions]]).badges) == 2


def test_a_badge_carries_the_time_of_the_entry_asked_for() -> None:
    marks = legend([[owner("a", time="t0")], [owner("a", time="t1")]])
    assert marks.badge(owner("a", time="t1")).time == "t1"


def test_thirty_owners_differ_in_letter_and_in_colour_or_pattern() -> None:
    badges = legend([[owner(str(number)) for number in range(30)]]).badges
    assert len({badge.letter for badge in badges}) == 30
    assert badges[26].letter == "AA"
    assert len({(badge.colour, badge.pattern) for badge in badges[: 3 * COLOURS]}) == 3 * COLOURS


def test_stripes() -> None:
    first, second = legend([[owner("a"), owner("b")]]).badges
    assert stripe([]) == "free"
    assert stripe([first]) == "from-0"
    assert stripe([first, second]) == "from-0 to-1 shared"
