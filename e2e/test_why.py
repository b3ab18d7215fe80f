"""A person asks why a field is as it is."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground


def test_the_list_names_field_reason_rule_and_source(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.choose_view("Why")
    row = playground.page.locator(".view-why .why-refused")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Not changed: owned by ops (Apply), so this write was refused.")
    row.locator("summary").click()
    expect(row.locator("cite")).to_have_text("Kubernetes documentation, Server-Side Apply: Conflicts")


def test_the_line_under_the_pointer_tells_its_reason(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.page.get_by_label("Force conflicts").check()
    playground.expect_outcome("200")
    playground.line("replicas: 5").hover()
    expect(playground.page.locator("#line-detail")).to_contain_text("Set by this write.")


def test_what_the_write_had_no_part_in_is_folded(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.choose_view("Why")
    expect(playground.page.locator(".view-why").get_by_text("Filled in by the server.").first).not_to_be_visible()
    playground.page.locator(".view-why > details > summary").click()
    expect(playground.page.locator(".view-why .why-unowned").first).to_be_visible()
