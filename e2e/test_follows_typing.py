"""A person types, and the result follows without a button."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from e2e.playground import Playground

INTENT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: {}\n"


def test_the_result_follows_every_change(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.type_over("body", INTENT.format("first"))
    expect(playground.line("key: first")).to_have_count(1)
    playground.editor("body").press("Control+End")
    playground.page.keyboard.type("  other: second")
    expect(playground.line("other: second")).to_have_count(1)
    expect(playground.line("other: second").locator(".badge")).to_have_text(["A"])


def test_a_late_answer_to_older_text_is_dropped(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    playground.page.route("**/evaluate", hold_the_first)
    with playground.page.expect_request("**/evaluate"):
        playground.type_over("body", INTENT.format("older"))
    playground.type_over("body", INTENT.format("newer"))
    expect(playground.line("key: newer")).to_have_count(1)
    held[0].abort()
    playground.page.wait_for_timeout(300)
    expect(playground.line("key: newer")).to_have_count(1)
    expect(playground.line("key: older")).to_have_count(0)


def test_only_the_live_object_shows_its_owners(playground: Playground) -> None:
    playground.open_example("share-kept")
    playground.type_over("body", "")
    playground.expect_outcome("Nothing is written")
    expect(playground.line("mode: careful").locator(".badge")).to_have_count(2)


def test_the_json_patch_is_shown(playground: Playground) -> None:
    playground.open_example("way-out-force")
    playground.choose_view("JSON Patch")
    operation = playground.page.locator(".operations li", has_text="/spec/replicas")
    expect(operation).to_contain_text("replace")
    expect(operation.locator("pre")).to_have_text("5")


def test_a_server_that_does_not_answer_is_told(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.page.route("**/evaluate", lambda route: route.abort())
    playground.type_over("body", INTENT.format("unheard"))
    playground.expect_outcome("The server does not answer")
    playground.page.unroute("**/evaluate")
    playground.editor("body").press("Control+End")
    playground.page.keyboard.type("  more: heard")
    expect(playground.line("more: heard")).to_have_count(1)
