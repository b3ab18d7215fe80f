"""A person turns fields into paths, walks through a migration, and lets two clients race."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from e2e.playground import Playground
from e2e.test_accessibility import complaints


def test_paths_and_fields_follow_each_other(playground: Playground) -> None:
    page = playground.page
    page.goto("/fields")
    playground.type_over("paths", ".spec.replicas\n.metadata.labels.app\n")
    expect(page.locator("#outcome")).to_contain_text("2 fields")
    expect(page.locator(".editor:has(#fields) .cm-content")).to_contain_text("f:replicas")
    playground.type_over("fields", '{"f:data": {"f:x": {}}}')
    expect(page.locator(".editor:has(#paths) .cm-content")).to_contain_text(".data.x")
    playground.type_over("paths", "data")
    expect(page.locator("#problems-paths li")).to_have_count(1)
    page.reload()
    assert playground.text("paths") == "data"


def test_a_migration_follows_the_manifest(playground: Playground) -> None:
    page = playground.page
    page.goto("/migration")
    expect(page.locator("#outcome")).to_contain_text("Migrated")
    expect(page.locator(".stage")).to_have_count(5)
    page.get_by_label("Applies from now on").fill("ci")
    body = playground.text("body").replace("    app: web\nspec", "    app: web\n    tier: back\nspec", 1)
    playground.type_over("body", body)
    expect(page.locator("#outcome")).to_contain_text("409")
    expect(page.locator(".stage").nth(2)).to_contain_text("tier")


def test_a_race_is_put_together_by_keys(playground: Playground) -> None:
    page = playground.page
    page.goto("/race")
    expect(page.locator("#outcome")).to_contain_text("Lost")
    page.get_by_role("button", name="Begin anew").press("Enter")
    expect(page.locator("#order")).to_have_value("")
    for move in ("anna reads", "anna writes", "ben reads", "ben writes"):
        page.get_by_role("button", name=move).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=move)).to_be_focused()
        who, does = move.split()
        expect(page.locator("#order")).to_have_value(re.compile(f"{who} {does.replace('reads', 'get')[:5]}$"))
    expect(page.locator("#order")).to_have_value("anna get, anna write, ben get, ben write")
    expect(page.locator("#outcome")).to_contain_text("Nothing is lost")
    page.get_by_role("button", name="The same with resourceVersion: 409").click()
    expect(page.locator(".event-refused").first).to_contain_text("409")
    expect(page.locator("[name=manner_b]")).to_have_value("put")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/tools", "/fields", "/migration", "/race"])
def test_no_complaints(playground: Playground, axe: str, address: str, scheme: str) -> None:
    playground.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    playground.page.goto(address)
    assert complaints(playground, axe) == []


@pytest.mark.parametrize("address", ["/tools", "/fields", "/migration", "/race"])
def test_nothing_is_wider_than_a_phone(playground: Playground, address: str) -> None:
    playground.page.set_viewport_size({"width": 390, "height": 844})
    playground.page.goto(address)
    assert playground.page.evaluate("document.documentElement.scrollWidth") <= 390
