"""A person reloads, or comes back later: what they made is there, and goes on where it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.playground import Playground
from e2e.test_timeline import commit, config, steps

LIVE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old\n"
TWO = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n"
)
KEPT = "() => localStorage.getItem('patchyard.draft') ?? ''"


def three_steps(playground: Playground) -> None:
    playground.page.get_by_role("link", name="Clear").click()
    expect(playground.page.locator("#live")).to_have_value("")
    for count, data in enumerate(("  x: one\n", "  w: two\n", "  z: three\n"), 1):
        commit(playground, "abc"[count - 1], config(data), count)
    expect(playground.line("z: three")).to_have_count(1)


def kept(playground: Playground, text: str) -> None:
    """Wait until the browser keeps `text`."""
    playground.page.wait_for_function(f"text => ({KEPT})().includes(text)", arg=text)


def typed_draft(playground: Playground) -> None:
    playground.page.goto("/empty")
    playground.type_over("live", LIVE)
    kept(playground, "old")


def shared_and_committed(playground: Playground) -> str:
    """Make something of the example, and return the object that comes of it."""
    playground.open_example("conflict")
    playground.page.locator(".way button", has_text="Share it").click()
    playground.expect_outcome("200")
    playground.page.get_by_role("button", name="Commit").click()
    expect(steps(playground)).to_have_count(1)
    return playground.text("live")


def offer(page: Page) -> None:
    expect(page.locator("#notice")).to_contain_text("is kept in this browser")


def test_work_goes_on_at_the_current_step(playground: Playground) -> None:
    three_steps(playground)
    live, body = playground.text("live"), playground.text("body")
    playground.page.reload()
    expect(playground.page.locator("#live")).to_have_value(live)
    assert (playground.text("body"), playground.page.get_by_label("Manager").input_value()) == (body, "c")
    expect(playground.page.locator("#timeline [aria-current=step] .number")).to_have_text("3.")
    commit(playground, "d", config("  v: four\n"), 4)


def test_work_goes_on_in_the_past_of_the_timeline(playground: Playground) -> None:
    three_steps(playground)
    playground.page.get_by_role("button", name="Go back to before step 2").click()
    playground.expect_outcome("200")
    live = playground.text("live")
    assert "x: one" in live
    playground.page.reload()
    expect(playground.page.locator("#live")).to_have_value(live)
    assert "w: two" in playground.text("body")
    expect(playground.page.locator("#timeline [aria-current=step] .number")).to_have_text("1.")


@pytest.mark.parametrize("leave", [Page.reload, lambda page: (page.goto("/cases"), page.go_back())])
def test_at_the_address_of_an_example_ones_own_work_goes_on(
    playground: Playground, leave: Callable[[Page], object]
) -> None:
    live = shared_and_committed(playground)
    leave(playground.page)
    expect(playground.page.locator("#live")).to_have_value(live)
    expect(playground.page.locator("#timeline")).to_be_visible()
    playground.page.get_by_role("button", name="Show the example instead").click()
    playground.expect_outcome("409")
    expect(playground.page.locator("#timeline")).to_be_hidden()
    playground.page.get_by_role("button", name="Bring it back").click()
    expect(playground.page.locator("#live")).to_have_value(live)


@pytest.mark.parametrize("address", ["/?example=created-by-apply", "/empty"])
def test_an_offer_lasts_over_reloads(playground: Playground, address: str) -> None:
    live = shared_and_committed(playground)
    page = playground.page
    page.goto(address)
    offer(page)
    expect(page.locator("#timeline")).to_be_hidden()
    page.reload()
    offer(page)
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator("#live")).to_have_value(live)
    expect(page.locator("#timeline [aria-current=step] .number")).to_have_text("1.")


def test_the_same_example_again_replaces_nothing(playground: Playground) -> None:
    live = shared_and_committed(playground)
    page = playground.page
    page.goto("/cases")
    playground.open_example("conflict")
    offer(page)
    page.reload()
    offer(page)
    page.goto("/")
    expect(page.locator("#live")).to_have_value(live)


@pytest.mark.parametrize("choice", ["Clear", "Two managers, one conflict"])
def test_what_is_loaded_from_the_menu_replaces_nothing(playground: Playground, choice: str) -> None:
    typed_draft(playground)
    page = playground.page
    if choice == "Clear":
        page.get_by_role("link", name="Clear").click()
    else:
        playground.choose_example(choice)
    expect(page.locator("#live")).not_to_have_value(LIVE)
    page.reload()
    offer(page)
    page.goto("/")
    expect(page.locator("#live")).to_have_value(LIVE)


def test_an_offer_that_is_closed_is_not_made_again_but_nothing_is_lost(playground: Playground) -> None:
    typed_draft(playground)
    page = playground.page
    playground.open_example("conflict")
    offer(page)
    page.get_by_role("button", name="Close this notice").click()
    page.reload()
    playground.expect_outcome("409")
    expect(page.locator("#notice")).to_be_hidden()
    page.goto("/")
    expect(page.locator("#live")).to_have_value(LIVE)


def test_what_is_typed_into_an_example_is_the_newer_draft(playground: Playground) -> None:
    typed_draft(playground)
    playground.open_example("conflict")
    playground.type_over("body", config("  newer: than old\n"))
    playground.page.goto("/")
    expect(playground.page.locator("#body")).to_have_value(config("  newer: than old\n"))


def test_to_look_at_another_column_is_not_to_type(playground: Playground) -> None:
    typed_draft(playground)
    playground.page.set_viewport_size({"width": 390, "height": 844})
    playground.open_example("conflict")
    playground.page.locator(".columns-choice label").nth(2).click()
    playground.page.goto("/")
    expect(playground.page.locator("#live")).to_have_value(LIVE)


def test_what_was_chosen_is_opened_and_the_draft_is_offered_back(playground: Playground) -> None:
    typed_draft(playground)
    page = playground.page
    page.goto("/open")
    page.get_by_label("Text").fill(TWO)
    page.get_by_role("button", name="Sort it").click()
    page.get_by_role("button", name="Open ConfigMap d in the playground").click()
    offer(page)
    assert "name: d" in playground.text("body")
    assert playground.text("live") == ""
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator("#live")).to_have_value(LIVE)
    page.get_by_role("button", name="Undo").click()
    assert "name: d" in playground.text("body")
    offer(page)


def test_what_was_pasted_into_the_playground_is_chosen_from_and_the_draft_stays(playground: Playground) -> None:
    typed_draft(playground)
    page = playground.page
    playground.type_over("live", TWO)
    page.get_by_role("button", name="Sort it into the editors").click()
    page.get_by_role("button", name="Open ConfigMap d in the playground").click()
    offer(page)
    assert "name: d" in playground.text("body")
    page.get_by_role("button", name="Bring it back").click()
    expect(page.locator("#live")).to_have_value(LIVE)


def test_what_is_sorted_from_an_example_replaces_no_draft(playground: Playground) -> None:
    typed_draft(playground)
    page = playground.page
    playground.open_example("conflict")
    playground.type_over("live", TWO)
    page.get_by_role("button", name="Sort it into the editors").click()
    page.wait_for_url("**/open")
    page.goto("/")
    expect(page.locator("#live")).to_have_value(LIVE)


def test_a_change_of_language_keeps_the_mark_of_ones_own_work(playground: Playground) -> None:
    three_steps(playground)
    live = playground.text("live")
    page = playground.page
    page.locator("#languages summary").click()
    page.get_by_role("button", name="繁體中文", exact=True).click()
    expect(page.locator("#live-title")).to_have_text("現行物件")
    expect(page.locator("#timeline [aria-current=step] .number")).to_have_text("3.")
    page.reload()
    expect(page.locator("#live")).to_have_value(live)
    expect(page.locator("#timeline [aria-current=step] .number")).to_have_text("3.")
