"""A person without a mouse reaches and does everything."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.playground import Playground
from e2e.test_timeline import commit, config, steps


def focus_by_tab(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until `selector` has the focus; leave editors by Escape first, as the page tells."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        if page.evaluate("document.activeElement.matches('.cm-content')"):
            page.keyboard.press("Escape")
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def test_kind_force_editor_and_view_by_keys(playground: Playground) -> None:
    page = playground.page
    playground.open_example("conflict")
    focus_by_tab(page, "[name=kind]")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=kind][value=strategic]")).to_be_checked()
    page.keyboard.press("ArrowLeft")
    focus_by_tab(page, "[name=force]")
    page.keyboard.press("Space")
    playground.expect_outcome("200")
    focus_by_tab(page, ".column-body .cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("# typed")
    page.keyboard.press("Control+Enter")
    focus_by_tab(page, "[name=view]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".view-patch")).to_be_visible()


def test_an_example_by_keys(playground: Playground) -> None:
    page = playground.page
    focus_by_tab(page, "#examples summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    playground.expect_outcome("201")
    assert page.evaluate("document.activeElement.matches('#examples summary')")


def test_the_lines_tell_their_owners_by_keys(playground: Playground) -> None:
    page = playground.page
    playground.open_example("way-out-share")
    focus_by_tab(page, ".lines")
    for _ in range(80):
        page.keyboard.press("ArrowDown")
        if page.locator(".line.here", has_text="replicas: 3").count():
            break
    detail = page.locator(".line-detail")
    expect(detail).to_contain_text(".spec.replicas: shared by")
    expect(detail).to_contain_text("ci Apply")
    expect(detail).to_contain_text("ops Apply")


def test_the_focus_is_always_seen(playground: Playground) -> None:
    page = playground.page
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.cm-content')"):
            page.keyboard.press("Escape")
            continue
        seen = page.evaluate(
            """() => {
              const at = document.activeElement;
              const shown = at.type === "radio" ? at.nextElementSibling : at;
              return at === document.body || getComputedStyle(shown).outlineStyle !== "none";
            }"""
        )
        assert seen, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


def test_the_focus_follows_a_step_of_the_timeline(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    for count, data in enumerate(("  x: one\n", "  w: two\n", "  z: three\n"), 1):
        commit(playground, "abc"[count - 1], config(data), count)

    def press(name: str, focused: str) -> None:
        page.get_by_role("button", name=name).press("Enter")
        expect(page.get_by_role("button", name=focused)).to_be_focused()

    press("Move step 3 up", "Move step 2 up")
    press("Move step 2 up", "Move step 1 down")
    press("Undo", "Move step 2 down")
    press("Go back to before step 3", "Go back to before step 3")
    press("Go to the end of the timeline", "Go back to before step 3")
    press("Leave step 3 out", "Leave step 2 out")
    press("Leave step 1 out", "Leave step 1 out")
    expect(steps(playground)).to_have_count(1)  # the button has the name and the focus of the one before it
    expect(page.get_by_role("button", name="Leave step 1 out")).to_be_focused()
    press("Leave step 1 out", "Commit")
    press("Undo", "Commit")
    press("Forget the timeline", "Commit")


def test_a_commit_by_keys(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    playground.type_over("body", config("  x: one\n"))
    playground.expect_outcome("201")
    page.keyboard.press("Control+Shift+Enter")
    expect(steps(playground)).to_have_count(1)
    expect(playground.editor("body")).to_be_focused()
    assert playground.text("body") == config("  x: one\n")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_timeout(300)
    expect(steps(playground)).to_have_count(1)
