"""A person with a screen reader, weak eyes or another theme: axe-core finds nothing to complain of."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.playground import Playground

STATES = ["/?example=conflict", "/?example=way-out-force&view=patch", "/?example=share-kept&view=fields", "/empty"]


def complaints(playground: Playground, axe: str) -> list[str]:
    """What axe-core finds, one line each."""
    playground.page.evaluate(axe)
    found: list[dict[str, Any]] = playground.page.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        ".then(result => result.violations)"
    )
    return [f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_no_complaints(playground: Playground, axe: str, state: str, scheme: Any) -> None:
    playground.page.emulate_media(color_scheme=scheme)
    playground.page.goto(state)
    playground.page.wait_for_selector(".cm-editor")
    assert complaints(playground, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_complaints_after_a_mistake(playground: Playground, axe: str, scheme: Any) -> None:
    playground.page.emulate_media(color_scheme=scheme)
    playground.open_example("way-out-force")
    playground.type_over("body", "a: [1\n")
    playground.page.wait_for_selector("#problems-body li")
    assert complaints(playground, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_complaints_with_the_menu_open_on_a_phone(playground: Playground, axe: str, scheme: Any) -> None:
    playground.page.emulate_media(color_scheme=scheme)
    playground.page.set_viewport_size({"width": 390, "height": 844})
    playground.page.get_by_text("Examples", exact=True).click()
    assert complaints(playground, axe) == []


def test_the_theme_is_switched_and_kept(playground: Playground) -> None:
    before = playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    playground.page.locator("#theme").click()
    after = playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert before != after
    playground.page.reload()
    assert playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == after
