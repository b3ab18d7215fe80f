"""A learner works through a step, by mouse and by keys alone; a teacher reveals the result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.playground import Playground
from e2e.test_accessibility import complaints


def test_a_wrong_answer_gets_a_hint_and_the_right_one_an_explanation(playground: Playground) -> None:
    page = playground.page
    page.goto("/lessons")
    page.get_by_role("link", name="A conflict, and its three ways out", exact=True).click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#lesson .verdict")).to_contain_text("Not yet: Do it with force.")
    page.get_by_label("Force conflicts").check()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#lesson .verdict")).to_contain_text("Right.")
    expect(page.locator("#lesson .verdict")).to_contain_text("ops has lost it")
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#lesson")).to_contain_text("step 2 of 3")


def test_the_answer_is_shown_in_the_editors_and_can_be_undone(playground: Playground) -> None:
    page = playground.page
    page.goto("/lessons/conflict/3")
    page.get_by_role("button", name="Show the answer").click()
    playground.expect_outcome("200")
    assert "mode: careful" in playground.text("body")
    page.get_by_role("button", name="Undo").click()
    assert "mode: fast" in playground.text("body")


def test_a_choice_is_proved_by_a_demonstration(playground: Playground) -> None:
    page = playground.page
    page.goto("/lessons/list-and-watch/1")
    page.get_by_label("The object as it is now").check()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#lesson .verdict")).to_contain_text("Not this one.")
    page.get_by_label("The change since that version").check()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#lesson .verdict")).to_contain_text("Right.")
    page.get_by_text("watch=1").click()
    expect(page.locator("#lesson pre:visible")).to_contain_text("MODIFIED")


def test_a_step_is_done_by_keys_alone(playground: Playground) -> None:
    page = playground.page
    page.goto("/lessons/managers/1")
    page.locator("[name=manager]").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("app")
    check = page.get_by_role("button", name="Check")
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if check.evaluate("each => each === document.activeElement"):
            break
    expect(check).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#lesson .verdict")).to_contain_text("Right.")


def test_a_teacher_hides_the_result_until_it_is_revealed(playground: Playground) -> None:
    page = playground.page
    page.goto("/lessons/conflict/1?teacher=1")
    expect(page.locator("#outcome")).not_to_be_visible()
    expect(page.locator("#conflicts table")).not_to_be_visible()
    page.get_by_label("Reveal the result").check()
    expect(page.locator("#outcome")).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#outcome")).not_to_be_visible()


def test_what_is_typed_in_a_lesson_does_not_take_the_place_of_the_draft(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    playground.type_over("body", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n")
    playground.expect_outcome("201")
    page.goto("/lessons/conflict/1")
    playground.type_over("body", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lesson}\n")
    page.goto("/")
    expect(page.locator("#notice")).to_contain_text("what you typed last time")
    assert "mine" in playground.text("body")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/lessons", "/lessons/conflict/1", "/lessons/list-and-watch/1"])
def test_no_complaints(playground: Playground, axe: str, address: str, scheme: str) -> None:
    playground.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    playground.page.goto(address)
    if address != "/lessons":
        playground.page.get_by_role("button", name="Check").click()
        expect(playground.page.locator("#lesson .verdict")).not_to_be_empty()
    assert complaints(playground, axe) == []
