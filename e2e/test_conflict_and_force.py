"""A person meets a conflict, sees who holds the field, and takes it by force."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.playground import Playground


def test_a_conflict_names_field_values_and_owner(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.expect_outcome("409")
    row = playground.page.locator("#conflicts tbody tr:not(.each)")
    expect(row).to_have_count(1)
    expect(row.locator("th, td")).to_have_text(
        [".spec.replicas", "5", "3", "B ops (Apply)You want another value than its owner."]
    )
    expect(playground.line("replicas: 3")).to_contain_class("contested")
    playground.choose_view("Response")
    expect(playground.page.locator("#response-text")).to_contain_text("FieldManagerConflict")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
def test_the_contested_line_is_in_sight_until_the_person_scrolls(playground: Playground, size: tuple[int, int]) -> None:
    page = playground.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    playground.open_example("conflict")
    expect(playground.line("replicas: 3")).to_be_in_viewport()
    page.locator("#result .lines").hover()
    page.mouse.wheel(0, 4000)
    expect(playground.line("replicas: 3")).not_to_be_in_viewport()
    playground.type_over("body", playground.text("body").replace("replicas: 5", "replicas: 6"))
    expect(page.locator("#conflicts tbody tr:not(.each)")).to_contain_text("6")
    expect(playground.line("replicas: 3")).not_to_be_in_viewport()


def test_force_takes_the_field_away_from_its_owner(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Force conflicts").check()
    playground.expect_outcome("200")
    expect(playground.page.locator("#conflicts tbody tr:not(.each)")).to_have_count(0)
    expect(playground.line("replicas: 5")).to_contain_class("added")
    expect(playground.line("replicas: 5").locator(".badge")).to_have_text(["A"])
    expect(playground.page.locator('.legend [data-letter="A"]')).to_contain_text("ci")
    playground.choose_view("managedFields")
    rows = playground.page.locator(".entries tbody tr")
    expect(rows.locator(".mark")).to_have_text(["changed by this write", "gone with this write"])
    expect(rows.first.locator(".gained")).to_have_text(["gained: .spec.replicas"])
    expect(rows.last.locator(".lost")).to_have_text(["lost: .spec.replicas also A"])


def test_the_live_value_is_shared(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.type_over("body", playground.text("body").replace("replicas: 5", "replicas: 3"))
    playground.expect_outcome("200")
    expect(playground.line("replicas: 3").locator(".badge")).to_have_count(2)
