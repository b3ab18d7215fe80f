"""A person sees the change of a write in every format."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground


def test_the_same_change_in_every_format_follows_typing(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Force conflicts").check()
    playground.expect_outcome("200")
    playground.choose_view("JSON Patch")
    playground.page.get_by_text("The same change in every format").click()
    formats = playground.page.locator('[data-ask="/formats"] > div > details')
    expect(formats).to_have_count(5)
    formats.filter(has_text="JSON merge patch").locator("summary").click()
    expect(playground.page.locator("#spelled-2")).to_contain_text('"replicas": 5')
    playground.type_over("body", playground.text("body").replace("replicas: 5", "replicas: 6"))
    expect(playground.page.locator("#spelled-2")).to_contain_text('"replicas": 6')
