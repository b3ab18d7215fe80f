"""A person chooses one of the three ways out of a conflict, with the mouse and with keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from e2e.playground import Playground


def way(playground: Playground, name: str) -> Locator:
    """The card of a way out."""
    return playground.page.locator(".way").filter(has=playground.page.get_by_role("heading", name=name))


def test_each_way_tells_who_would_own_the_field(playground: Playground) -> None:
    playground.open_example("conflict")
    expect(way(playground, "Take it").locator(".afterwards li")).to_have_text([".spec.replicas: owned by ci (Apply)"])
    expect(way(playground, "Give it up").locator(".afterwards li")).to_have_text(
        [".spec.replicas: owned by ops (Apply)"]
    )
    expect(way(playground, "Share it").locator(".afterwards li")).to_have_text(
        [".spec.replicas: owned by ops (Apply) and ci (Apply)"]
    )
    expect(way(playground, "Take it").locator(".command")).to_contain_text("--force-conflicts")


@pytest.mark.parametrize(
    ("name", "gone", "here"),
    [("Give it up", "  replicas: 5\n", ""), ("Share it", "replicas: 5", "replicas: 3")],
)
def test_choosing_changes_those_lines_of_the_intent_alone(
    playground: Playground, name: str, gone: str, here: str
) -> None:
    playground.open_example("conflict")
    before = playground.text("body")
    way(playground, name).get_by_role("button").click()
    playground.expect_outcome("200")
    assert playground.text("body") == before.replace(gone, here)
    expect(playground.page.locator(".way")).to_have_count(0)


def test_taking_checks_force_and_undo_brings_the_conflict_back(playground: Playground) -> None:
    playground.open_example("conflict")
    way(playground, "Take it").get_by_role("button").click()
    playground.expect_outcome("200")
    expect(playground.page.get_by_label("Force conflicts")).to_be_checked()
    playground.page.get_by_role("button", name="Undo").click()
    playground.expect_outcome("409")
    expect(playground.page.get_by_label("Force conflicts")).not_to_be_checked()


def test_the_conflict_is_resolved_by_keys_alone(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.expect_outcome("409")
    way(playground, "Share it").get_by_role("button").focus()
    playground.page.keyboard.press("Enter")
    playground.expect_outcome("200")
    expect(playground.page.locator('[name="view"]:checked')).to_be_focused()


def test_one_of_two_conflicts_is_resolved_alone(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Manager").fill("third")
    expect(playground.page.locator("#conflicts tbody tr:not(.each)")).not_to_have_count(1)
    expect(playground.page.locator("#conflicts tbody tr:not(.each)").first).to_be_visible()
    count = playground.page.locator("#conflicts tbody tr:not(.each)").count()
    playground.page.get_by_role("button", name="Give up .spec.replicas").click()
    expect(playground.page.locator("#conflicts tbody tr:not(.each)")).to_have_count(count - 1)
    assert "replicas: 5" not in playground.text("body")


def test_what_each_way_would_do_to_one_conflict_is_told_first(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Manager").fill("third")
    details = playground.page.locator("#conflicts .each details").first
    expect(details).to_be_visible()
    details.locator("summary").click()
    expect(details.locator(".way")).to_have_count(3)
    expect(details.locator(".way").first).to_contain_text("--force-conflicts")
    details.locator(".way").first.get_by_role("button").click()
    playground.expect_outcome("20")
    expect(playground.page.get_by_label("Force conflicts")).to_be_checked()
