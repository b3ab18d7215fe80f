"""A person follows one owner, has managedFields examined, and compares two steps of the timeline."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground
from e2e.test_accessibility import complaints
from e2e.test_timeline import two_steps


def test_one_owners_lines_stand_out_then_alone_and_stay_so_while_typing(playground: Playground) -> None:
    page = playground.page
    playground.open_example("conflict")
    owner = page.locator(".legend [data-owner]").first
    letter = owner.get_attribute("data-owner")
    owner.focus()
    page.keyboard.press("Enter")
    expect(owner).to_have_attribute("aria-pressed", "true")
    dimmed = page.locator(".result .line.of-others")
    expect(dimmed.first).to_be_visible()
    page.get_by_label("Only this owner's lines").check()
    for line in page.locator(".result .line:visible").all():
        assert letter in (line.get_attribute("data-letters") or "").split()
    playground.editor("body").click()
    page.keyboard.press("Control+End")
    with page.expect_response("**/evaluate"):
        page.keyboard.insert_text("\n# more")
    expect(page.locator(f'.legend [data-owner="{letter}"]')).to_have_attribute("aria-pressed", "true")
    playground.choose_view("managedFields")
    expect(page.locator("#result .entries tbody tr:visible")).to_have_count(1)
    page.locator(f'.followed [data-owner="{letter}"]').click()
    expect(page.locator("#result .entries tbody tr:visible").nth(1)).to_be_visible()


def test_the_doctor_tells_sizes_and_a_clean_up(playground: Playground, axe: str) -> None:
    page = playground.page
    playground.open_example("conflict")
    playground.choose_view("managedFields")
    page.get_by_text("Doctor:").click()
    doctor = page.locator('[data-ask="/doctor"]')
    expect(doctor).to_contain_text("of the object's")
    expect(doctor).to_contain_text("of at most 10 entries")
    expect(doctor).to_contain_text("Clean-up")
    assert complaints(playground, axe) == []


def test_two_states_of_the_timeline_are_compared(playground: Playground) -> None:
    page = playground.page
    two_steps(playground)
    page.locator(".compare [name=from]").select_option("after step 1")
    page.locator(".compare [name=to]").select_option("after step 2")
    page.get_by_role("button", name="Show the difference").click()
    difference = page.locator("#timeline .difference")
    expect(difference.locator(".line.added").filter(has_text="w: two")).to_have_count(1)
    expect(difference.locator(".entries")).to_contain_text("new since then")
    page.locator(".compare [name=from]").select_option("after step 2")
    page.get_by_role("button", name="Show the difference").click()
    expect(difference).to_contain_text("No line and no owner differs")
