"""A person on a phone sees one column at a time."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground

COLUMNS = {"Live object": ".column-live", "Intent": ".column-body", "Result": ".column-result"}


def test_columns_become_tabs(playground: Playground) -> None:
    playground.page.set_viewport_size({"width": 390, "height": 844})
    for label, column in COLUMNS.items():
        playground.page.locator(".columns-choice label", has_text=label).click()
        for other in COLUMNS.values():
            expect(playground.page.locator(other)).to_be_visible(visible=other == column)


def test_nothing_is_wider_than_the_screen(playground: Playground) -> None:
    for width in (320, 390, 720, 1024):
        playground.page.set_viewport_size({"width": width, "height": 800})
        assert playground.page.evaluate("document.documentElement.scrollWidth") <= width


def test_typing_in_one_tab_shows_in_another(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.page.set_viewport_size({"width": 390, "height": 844})
    playground.page.locator(".columns-choice label", has_text="Intent").click()
    playground.type_over("body", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: phone\n")
    playground.page.locator(".columns-choice label", has_text="Result").click()
    expect(playground.line("name: phone")).to_be_visible()


def test_a_mistake_is_told_without_scrolling(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.page.set_viewport_size({"width": 390, "height": 600})
    playground.page.locator(".columns-choice label", has_text="Intent").click()
    playground.type_over("body", "apiVersion: v1\nkind: ConfigMap\ndata: [1, 2\nfoo: bar\n")
    mistake = playground.page.locator("#problems-body li")
    expect(mistake).to_contain_text("line 4")
    expect(mistake).to_be_in_viewport(ratio=1)


def test_several_conflicts_are_no_wider_than_the_screen(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Manager").fill("third")
    expect(playground.page.locator("#conflicts tbody tr:not(.each)")).to_have_count(2)
    for width in (320, 390, 720, 1024):
        playground.page.set_viewport_size({"width": width, "height": 800})
        assert playground.page.evaluate("document.documentElement.scrollWidth") <= width
        overflowing = "cards => cards.filter(card => card.scrollWidth > card.clientWidth).length"
        assert playground.page.locator(".way").evaluate_all(overflowing) == 0
