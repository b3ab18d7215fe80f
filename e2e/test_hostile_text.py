"""A person pastes text that would like to be run; it is shown as text."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from e2e.playground import Playground

HOSTILE = "</textarea></script><img src=x onerror=alert(1)><svg onload=alert(2)>{{7*7}}'\""
FOREIGN = "main :is(img, svg, script):not(.cm-widgetBuffer)"
"""Elements that the page itself has none of; an editor puts a buffer beside what is folded."""


def test_hostile_strings_stay_text(playground: Playground) -> None:
    asked: list[str] = []
    playground.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "annotations": {HOSTILE: HOSTILE}},
        "data": {"a": HOSTILE},
    }
    playground.page.goto("/empty")
    playground.page.get_by_label("Manager").fill(HOSTILE)
    playground.type_over("body", json.dumps(body))
    for view in ("Response", "managedFields", "JSON Patch", "Result"):
        playground.choose_view(view)
        playground.page.wait_for_timeout(100)
    expect(playground.outcome).not_to_have_class("outcome outcome-idle")
    assert playground.page.locator(FOREIGN).count() == 0
    assert asked == []
    assert playground.text("body") == json.dumps(body)


def test_a_hostile_mistake_is_told_as_text(playground: Playground) -> None:
    playground.type_over("body", f"a: *{HOSTILE.replace(' ', '')}\n")
    expect(playground.page.locator("#problems-body li")).to_have_count(1)
    assert playground.page.locator(FOREIGN).count() == 0


def test_a_hostile_address_is_told_as_text(playground: Playground) -> None:
    playground.page.goto("/<script>alert(1)</script>")
    expect(playground.page.locator("h1")).to_have_text("There is no such page")
    assert playground.page.locator("main script").count() == 0
