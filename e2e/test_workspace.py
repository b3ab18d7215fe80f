"""A person points a tool at a workspace, and watches in the page what it does."""

from __future__ import annotations

import json
import time
import urllib.request
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.playground import Playground

HALF_A_SECOND = 0.5


@pytest.fixture
def address(base_url: str) -> str:
    """A workspace of this story's own."""
    return f"{base_url}/w/{uuid4().hex}"


def apply(address: str, manager: str, value: str, query: str = "") -> None:
    """Apply a ConfigMap as a tool does."""
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"mode": value}}
    request = urllib.request.Request(
        f"{address}/api/v1/namespaces/default/configmaps/settings?fieldManager={manager}{query}",
        json.dumps(body).encode(),
        {"Content-Type": "application/apply-patch+yaml"},
        method="PATCH",
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        answer.read()


def listening(page: Page, address: str) -> None:
    page.goto(f"{address}/")
    expect(page.locator("#listening")).to_contain_text("Listening")


def test_the_page_shows_a_request_as_it_comes(page: Page, address: str) -> None:
    listening(page, address)
    expect(page.locator("#requests")).to_contain_text("None came yet")
    apply(address, "warm-up", "x")
    expect(page.locator("#requests tbody tr")).to_have_count(1)
    began = time.monotonic()
    apply(address, "ci", "careful", "&force=true")
    row = page.locator("#requests tbody tr").first
    row.filter(has_text="fieldManager=ci").wait_for(timeout=5_000)
    took = time.monotonic() - began
    expect(row).to_contain_text("application/apply-patch+yaml")
    expect(row).to_contain_text("configmaps/default/settings: ci (Apply) gained .data.mode")
    expect(row).to_contain_text("warm-up (Apply) lost .data.mode")
    expect(page.locator("#objects tbody tr")).to_contain_text("settings")
    assert took < HALF_A_SECOND, f"it took {took:.2f} s"


def test_an_object_opens_in_the_playground_with_one_click(page: Page, address: str) -> None:
    apply(address, "ci", "careful")
    page.goto("/")
    page.evaluate("localStorage.setItem('patchyard.draft', JSON.stringify({live: 'kind: Old', body: '', crds: ''}))")
    listening(page, address)
    page.get_by_role("button", name="Open ConfigMap settings in the playground").click()
    expect(page.locator(".editor:has(#live) .cm-content")).to_contain_text("name: settings")
    assert "manager: ci" in page.evaluate("document.getElementById('live').value")
    assert "kind: Old" not in page.evaluate("document.getElementById('live').value")


def test_the_focus_stays_where_it_was(page: Page, address: str) -> None:
    apply(address, "ci", "careful")
    listening(page, address)
    button = page.get_by_role("button", name="Open ConfigMap settings in the playground")
    button.focus()
    apply(address, "ci", "fast")
    expect(page.locator("#requests tbody tr")).to_have_count(2)
    expect(button).to_be_focused()


def test_it_works_without_javascript(browser: Browser, address: str) -> None:
    apply(address, "ci", "careful")
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}/")
        expect(page.locator("#requests tbody tr")).to_contain_text("ci (Apply) gained .data.mode")
        expect(page.locator("#listening")).to_contain_text("Reload the page")
        page.get_by_role("button", name="Open ConfigMap settings in the playground").click()
        assert "manager: ci" in page.locator("#live").input_value()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_complaints(page: Page, address: str, axe: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    apply(address, "ci", "careful")
    apply(address, "ops", "fast", "&force=true")
    listening(page, address)
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        ".then(result => result.violations)"
    )
    assert [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]] == []


def test_a_workspace_is_made_with_one_button_and_gives_a_link_with_fewer_rights(page: Page, base_url: str) -> None:
    page.goto("/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Workspaces").click()
    page.get_by_role("button", name="Make a workspace").click()
    expect(page.locator("h1")).to_contain_text("Workspace")
    expect(page.locator("main")).to_contain_text(f"kubectl --server {base_url}/w/")
    page.get_by_label("Who is it for?").fill("readers")
    page.keyboard.press("Enter")
    row = page.locator("#links tbody tr")
    expect(row).to_contain_text("readers")
    expect(row).to_contain_text("get")
    row.get_by_role("link").click()
    expect(page.locator("main")).to_contain_text("You came by a link, which allows: get.")
    expect(page.locator("#links")).to_have_count(0)
    page.go_back()
    page.get_by_role("button", name="Remove the link readers").click()
    expect(page.locator("#links tbody tr")).to_have_count(0)


def test_a_result_of_the_playground_is_stored_with_one_click(page: Page) -> None:
    page.goto("/empty")
    Playground(page).type_over("body", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\ndata: {a: b}\n")
    expect(page.locator("#result")).to_contain_text("kept")
    page.locator("#store summary").click()
    page.locator("#store").get_by_role("button").click()
    expect(page.locator("h1")).to_contain_text("Workspace")
    expect(page.locator("#objects tbody tr")).to_contain_text("kept")
