"""A person who works by keys finds them under ? and comes back to where they were."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.playground import Playground


def test_the_sign_opens_the_list_and_escape_leads_back(playground: Playground) -> None:
    page = playground.page
    lines = page.locator(".lines")
    lines.focus()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(lines).to_be_focused()
    page.keyboard.press("?")
    page.keyboard.press("Enter")
    expect(keys).to_be_hidden()
    expect(lines).to_be_focused()


def test_where_something_is_typed_the_sign_is_typed(playground: Playground) -> None:
    page = playground.page
    playground.type_over("body", "")
    page.keyboard.press("?")
    assert playground.text("body") == "?"
    page.get_by_label("Manager", exact=True).fill("")
    page.keyboard.press("?")
    expect(page.get_by_label("Manager", exact=True)).to_have_value("?")
    expect(page.locator("#keys")).to_be_hidden()


def test_the_share_dialog_is_not_covered(playground: Playground) -> None:
    page = playground.page
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Close", exact=True).focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()


@pytest.mark.parametrize("path", ["/", "/generate", "/cases", "/tools", "/nowhere"])
def test_every_page_has_the_button(page: Page, path: str) -> None:
    page.goto(path)
    button = page.get_by_role("button", name="Keys ?")
    button.click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_every_key_that_is_listed_does_what_it_says(playground: Playground) -> None:
    page = playground.page
    lines = page.locator(".lines")
    lines.focus()
    page.keyboard.press("End")
    expect(page.locator(".line").last).to_contain_class("here")
    page.keyboard.press("Home")
    expect(page.locator(".line").first).to_contain_class("here")
    page.keyboard.press("PageDown")
    expect(page.locator(".line").nth(20)).to_contain_class("here")
    playground.editor("body").click()
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#timeline li .number")).to_have_text(["1."])
    playground.type_over("body", "a: 1\nb: 2\na: 3\n")
    expect(page.locator("#problems-body li")).to_be_visible()
    page.keyboard.press("Control+Home")
    page.keyboard.press("F8")
    expect(page.locator(".editor:has(#body) .cm-activeLineGutter").first).to_have_text("3")
    page.keyboard.press("Control+f")
    expect(page.get_by_placeholder("Find")).to_be_focused()
    page.keyboard.press("Escape")
    playground.editor("body").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(playground.editor("body")).not_to_be_focused()
    page.locator('[name="kind"][value="apply"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[name="kind"][value="strategic"]')).to_be_checked()
