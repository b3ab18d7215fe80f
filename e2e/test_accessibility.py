"""A person with a screen reader, weak eyes or another theme: axe-core finds nothing to complain of."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.playground import Playground

STATES = [
    "/w/",
    "/w/seen/",
    "/?example=conflict",
    "/?example=way-out-force&view=patch",
    "/?example=share-kept&view=fields",
    "/?example=way-out-force&view=why",
    "/?example=json-patch-test&view=response",
    "/empty",
    "/generate",
    "/cases",
    "/nowhere",
]


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def complaints(playground: Playground, axe: str, rules: list[str] = RULES) -> list[str]:
    """What axe-core finds, one line each."""
    playground.page.evaluate(axe)
    found: list[dict[str, Any]] = playground.page.evaluate(
        "rules => axe.run(document, {runOnly: rules}).then(result => result.violations)", rules
    )
    return [f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def complaints_in_every_theme(playground: Playground, axe: str) -> list[str]:
    """What axe-core finds, and what it finds about the colours of the other themes."""
    found = complaints(playground, axe)
    for theme in ("dark", "contrast"):
        playground.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        found += [f"{theme}: {each}" for each in complaints(playground, axe, ["color-contrast"])]
    playground.page.evaluate("delete document.documentElement.dataset.theme")
    return found


@pytest.mark.parametrize("state", STATES)
def test_no_complaints(playground: Playground, axe: str, state: str) -> None:
    playground.page.goto(state)
    assert complaints_in_every_theme(playground, axe) == []


def test_no_complaints_after_a_mistake(playground: Playground, axe: str) -> None:
    playground.open_example("way-out-force")
    playground.type_over("body", "a: [1\n")
    playground.page.wait_for_selector("#problems-body li")
    assert complaints_in_every_theme(playground, axe) == []


def test_no_complaints_with_twelve_managers(playground: Playground, axe: str) -> None:
    owned = "\n".join(
        f"  - {{apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {{'f:data': {{'f:key': {{}}}}}}, manager: m{number},"
        f" operation: Apply, time: '2026-01-12T09:{number:02}:00Z'}}"
        for number in range(12)
    )
    live = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: busy\n  managedFields:\n{owned}\ndata:\n  key: value\n"
    playground.page.goto("/empty")
    playground.type_over("live", live)
    playground.expect_outcome("Nothing is written")
    assert playground.page.locator(".legend li").count() == 13
    assert complaints_in_every_theme(playground, axe) == []


def test_no_complaints_about_the_dialogs(playground: Playground, axe: str) -> None:
    playground.page.get_by_role("button", name="Keys ?").click()
    assert complaints_in_every_theme(playground, axe) == []
    playground.page.keyboard.press("Escape")
    playground.page.get_by_role("button", name="Share", exact=True).click()
    assert complaints_in_every_theme(playground, axe) == []


def test_no_complaints_with_the_menu_open_on_a_phone(playground: Playground, axe: str) -> None:
    playground.page.set_viewport_size({"width": 390, "height": 844})
    playground.page.get_by_text("Examples", exact=True).click()
    assert complaints_in_every_theme(playground, axe) == []


@pytest.mark.parametrize("code", ["zh-Hant", "zh-Hans"])
def test_no_complaints_in_another_language(playground: Playground, axe: str, code: str) -> None:
    for path in ("/?example=conflict", "/?example=way-out-force&view=why", "/generate", "/cases"):
        playground.page.goto(f"{path}{'&' if '?' in path else '?'}language={code}")
        assert complaints(playground, axe) == []


def test_the_theme_is_switched_and_kept(playground: Playground) -> None:
    before = playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    playground.page.locator("#theme").click()
    after = playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert before != after
    playground.page.reload()
    assert playground.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == after
