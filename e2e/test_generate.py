"""A person has patches made from two documents, chooses a format and options, and copies what was proved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

WIDTHS = [1440, 1024, 390]


@pytest.fixture
def generate(page: Page) -> Page:
    """The page at its first visit."""
    page.goto("/generate")
    page.wait_for_selector(".cm-editor", state="attached")
    return page


def type_over(page: Page, name: str, text: str) -> None:
    page.locator(f".editor:has(#{name}) .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def choose(page: Page, label: str) -> None:
    page.locator(".formats label", has_text=label).click()


def test_the_header_leads_there_and_back(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Generate").click()
    expect(page.get_by_role("link", name="Generate")).to_have_attribute("aria-current", "page")
    expect(page.locator("#outcome")).to_contain_text("JSON Patch: 5 operations")
    page.get_by_role("link", name="Playground").click()
    expect(page.locator("#body")).to_be_attached()


def test_the_patch_follows_typing(generate: Page) -> None:
    type_over(generate, "before", '{"old": [1, 2], "n": 1}')
    type_over(generate, "after", '{"new": [1, 2], "n": 12345678901234567890123}')
    expect(generate.locator("#patch-there")).to_contain_text('"move"')
    expect(generate.locator("#patch-there")).to_contain_text("12345678901234567890123")
    generate.get_by_label("Moves").uncheck()
    expect(generate.locator("#patch-there")).not_to_contain_text('"move"')
    expect(generate.locator(".facts").first).to_contain_text("python jsonpatch")


def test_each_format_says_what_it_can(generate: Page) -> None:
    choose(generate, "Strategic merge")
    expect(generate.locator("#patch-there")).to_contain_text("$setElementOrder/containers")
    choose(generate, "Apply intent")
    expect(generate.locator("#patch-there")).to_contain_text("apiVersion: apps/v1")
    expect(generate.locator(".made > .note").first).to_contain_text("--force-conflicts")
    type_over(generate, "before", "a: 1\n")
    type_over(generate, "after", "a: null\n")
    choose(generate, "JSON merge patch")
    expect(generate.locator("#outcome")).to_contain_text("cannot put the null at .a")
    expect(generate.locator("#format-merge-patch")).to_be_focused()


def test_unchanged_lines_are_folded_and_open(generate: Page) -> None:
    folded = generate.locator(".folded")
    expect(folded.first).to_contain_text("unchanged line")
    line = folded.first.locator(".diff-line").first
    expect(line).to_be_hidden()
    folded.first.locator("summary").click()
    expect(line).to_be_visible()


def test_the_two_are_swapped_and_kept(generate: Page) -> None:
    expect(generate.locator("#patch-there")).to_contain_text('"value": 5')
    generate.get_by_role("button", name="Swap the two").click()
    expect(generate.locator("#patch-there")).to_contain_text('"value": 3')
    generate.reload()
    expect(generate.locator("#patch-there")).to_contain_text('"value": 3')


def test_a_mistake_is_marked_and_the_last_patch_stays(generate: Page) -> None:
    type_over(generate, "after", "a: [1\n")
    expect(generate.locator("#problems-after li")).to_have_count(1)
    expect(generate.locator("#outcome")).to_contain_text("last good result")
    expect(generate.locator("#patch-there")).to_contain_text('"value": 5')


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_complaints_and_no_sideways_scrolling(generate: Page, axe: str, width: int, scheme: Any) -> None:
    generate.set_viewport_size({"width": width, "height": 800})
    generate.emulate_media(color_scheme=scheme)
    for label in ("Apply intent", "JSON Patch"):
        choose(generate, label)
        expect(generate.locator("#outcome")).to_contain_text(label)
        generate.evaluate(axe)
        found = generate.evaluate(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
            ".then(result => result.violations.map(rule => rule.id + ' ' + rule.nodes[0].html))"
        )
        assert found == []
    assert generate.evaluate("document.documentElement.scrollWidth") <= width


def test_it_works_as_a_form_without_scripts(browser: Any, base_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    page.goto("/generate")
    page.locator("#before").fill('{"a": 1}')
    page.locator("#after").fill('{"a": 2}')
    page.get_by_role("button", name="Generate").click()
    expect(page.locator("#patch-there")).to_contain_text('"/a"')
    page.locator(".formats label", has_text="JSON merge patch").click()
    page.get_by_role("button", name="Generate").click()
    expect(page.locator("#patch-there")).to_contain_text('"a": 2')
    page.locator("#after").fill('{"a": ')
    page.get_by_role("button", name="Generate").click()
    expect(page.locator("#problems-after li")).to_have_count(1)
    expect(page.locator("#patch-there")).to_contain_text('"a": 2')
    expect(page.locator("#after")).to_have_value('{"a": ')
    context.close()
