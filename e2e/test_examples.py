"""A person walks through the examples; none fails, and none costs what was typed."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.playground import Playground


def test_every_example_opens_without_a_problem(playground: Playground) -> None:
    links = playground.page.locator("#examples a").evaluate_all("all => all.map(link => link.getAttribute('href'))")
    assert len(links) >= 15
    for link in links:
        playground.page.goto(link)
        expect(playground.page.locator(".problems li")).to_have_count(0)
        tone = (playground.outcome.get_attribute("class") or "").split()[-1]
        assert tone in ("outcome-done", "outcome-same", "outcome-refused"), link
        expect(playground.page.locator("#body")).not_to_have_value("")


def test_an_example_can_be_undone_and_done_again(playground: Playground) -> None:
    playground.page.goto("/empty")
    typed = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n"
    playground.type_over("body", typed)
    expect(playground.line("name: mine")).to_have_count(1)
    playground.choose_example("Two managers, one conflict")
    playground.expect_outcome("409")
    playground.page.get_by_role("button", name="Undo").click()
    expect(playground.line("name: mine")).to_have_count(1)
    assert playground.text("body") == typed
    playground.page.get_by_role("button", name="Swap again").click()
    playground.expect_outcome("409")


def test_the_editor_undoes_an_example_too(playground: Playground) -> None:
    playground.page.goto("/empty")
    playground.type_over("body", "typed: by hand\n")
    playground.choose_example("A ConfigMap is created by apply")
    playground.expect_outcome("201")
    playground.editor("body").click()
    playground.page.keyboard.press("Control+z")
    assert playground.text("body") == "typed: by hand\n"


def test_what_is_typed_survives_a_reload(playground: Playground) -> None:
    playground.page.goto("/empty")
    playground.type_over("body", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kept\n")
    playground.page.get_by_label("Manager").fill("me")
    expect(playground.line("name: kept")).to_have_count(1)
    playground.page.goto("/")
    expect(playground.line("name: kept")).to_have_count(1)
    expect(playground.page.get_by_label("Manager")).to_have_value("me")
    expect(playground.page.locator("#notice")).to_contain_text("what you typed last time")
