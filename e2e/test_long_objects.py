"""A long object: what changed is shown, all of it on request, and keys are followed all the while."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground

LINES = 2_500


def config_map(changed: str = "a") -> str:
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: long\n  namespace: shop\ndata:\n"
    return head + "".join(f"  key-{n:04}: {changed if n == 2_000 else 'a'}\n" for n in range(LINES))


def commit_a_long_object(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    page.get_by_label("Manager").fill("ci")
    playground.type_over("body", config_map())
    playground.expect_outcome("201")
    page.get_by_role("button", name="Commit").click()
    playground.expect_outcome("200")


def test_of_a_long_object_what_changed_is_shown_and_the_rest_on_request(playground: Playground) -> None:
    commit_a_long_object(playground)
    playground.type_over("body", config_map("b"))
    expect(playground.page.locator(".line ins", has_text="key-2000: b")).to_be_visible()
    assert playground.lines.count() == 1_000
    expect(playground.page.locator(".lines .folded").first).to_contain_text("lines are left out here")
    playground.page.get_by_label("All lines, also those that did not change").check()
    expect(playground.line("key-2400: a")).to_have_count(1)
    expect(playground.page.locator(".lines .folded")).to_have_count(0)
    playground.type_over("body", config_map("c"))
    expect(playground.page.locator(".line ins", has_text="key-2000: c")).to_be_visible()
    assert playground.lines.count() > LINES
    expect(playground.page.get_by_label("All lines, also those that did not change")).to_be_checked()


def test_what_is_left_out_is_told_from_the_keyboard_as_well(playground: Playground) -> None:
    commit_a_long_object(playground)
    page = playground.page
    page.locator(".lines").focus()
    page.keyboard.press("End")
    expect(page.locator("#line-detail")).to_contain_text("lines are left out here")
