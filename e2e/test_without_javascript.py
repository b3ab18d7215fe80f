"""A person without JavaScript uses the page as a form with a button."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Turn scripts off."""
    return {**browser_context_args, "java_script_enabled": False}


def test_the_form_answers_with_the_whole_page(page: Page) -> None:
    page.goto("/?example=conflict")
    page.get_by_label("Force conflicts").check()
    page.get_by_role("button", name="Evaluate").click()
    expect(page.locator("#outcome")).to_contain_text("200")
    expect(page.locator(".line.added")).to_contain_text(["replicas: 5"])
    expect(page.get_by_label("Force conflicts")).to_be_checked()


def test_a_mistake_keeps_the_text_and_the_last_good_result(page: Page) -> None:
    page.goto("/?example=created-by-apply")
    page.locator("#body").fill("a: [1, 2\n")
    page.get_by_role("button", name="Evaluate").click()
    expect(page.locator("#problems-body li")).to_have_count(1)
    expect(page.locator("#body")).to_have_value("a: [1, 2\n")
    expect(page.locator(".line", has_text="mode: careful")).to_have_count(1)
    page.locator("#body").fill("a: [1, 2, \n")
    page.get_by_role("button", name="Evaluate").click()
    expect(page.locator(".line", has_text="mode: careful")).to_have_count(1)


def test_views_and_examples_need_no_script(page: Page) -> None:
    page.goto("/")
    page.locator(".views-choice label", has_text="managedFields").click()
    expect(page.locator(".entries")).to_be_visible()
    page.get_by_text("Examples", exact=True).click()
    page.locator("#examples a", has_text="A sidecar is added").click()
    expect(page.locator("#outcome")).to_contain_text("200")
    expect(page.locator(".line", has_text="name: proxy")).to_have_count(1)
