"""High contrast, forced colours, large type, paper, and nothing that moves."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.playground import Playground

LOW_CONTRAST = """async () => {
  const rule = "color-contrast-enhanced";
  const found = await axe.run(document, {runOnly: [rule], rules: {[rule]: {enabled: true}}});
  const nodes = found.violations.flatMap((each) => each.nodes);
  return nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`);
}"""
"""WCAG 1.4.6: 7 to 1."""
CUT_OFF = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const style = getComputedStyle(each);
  const hidden = ["hidden", "clip"].includes(style.overflowX) && style.clipPath === "none" && each.checkVisibility();
  const cut = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
  return hidden && cut && !each.closest(".cm-editor");
}).map((each) => each.outerHTML.slice(0, 120))"""
"""What is hidden because it does not fit, where nothing scrolls it into view."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/?example=way-out-force&view=fields", "/lessons/conflict/1", "/generate", "/migration", "/w/"]
)
def test_high_contrast_is_seven_to_one(page: Page, axe: str, path: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.add_init_script("localStorage.setItem('patchyard.theme', 'contrast')")
    page.goto(path)
    page.evaluate(axe)
    assert page.evaluate(LOW_CONTRAST) == []


def test_the_button_offers_light_dark_and_high_contrast_in_turn(playground: Playground) -> None:
    page = playground.page
    button = page.locator("#theme")
    seen = []
    for name in ("Dark", "High contrast", "Light"):
        expect(button).to_have_accessible_name(f"Switch to: {name}")
        button.click()
        seen.append(
            page.evaluate(
                "getComputedStyle(document.body).color + getComputedStyle(document.documentElement).background"
            )
        )
    assert len(set(seen)) == 3
    page.reload()
    expect(button).to_have_accessible_name("Switch to: Dark")


def test_a_system_that_asks_for_contrast_gets_it(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, contrast="more", color_scheme="light")
    page = context.new_page()
    page.goto("/")
    asked = page.evaluate(TOKENS)
    page.evaluate("document.documentElement.dataset.theme = 'contrast'")
    assert page.evaluate(TOKENS) == asked
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert page.evaluate(TOKENS) != asked
    context.close()


TOKENS = """() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule.selectorText === ":root").flatMap((rule) => [...rule.style])
  .filter((name) => name.startsWith("--"))
  .map((name) => `${name} ${getComputedStyle(document.documentElement).getPropertyValue(name)}`)"""


def test_forced_colours_still_tell_the_chosen_tab_and_the_owners(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, forced_colors="active")
    page = context.new_page()
    page.goto("/?example=conflict")
    border = "label => getComputedStyle(label.querySelector('span')).borderBottomColor"
    chosen = page.locator(".kinds label:has(:checked)").evaluate(border)
    others = set(page.locator(".kinds label:not(:has(:checked))").evaluate_all(f"labels => labels.map({border})"))
    assert chosen not in others
    edge = "line => getComputedStyle(line, '::before').backgroundColor"
    stripes = page.locator(".line.from-0").first.evaluate(edge)
    assert stripes == "rgb(230, 159, 0)"
    context.close()


MOVING = """() => [...document.querySelectorAll("*")].filter((each) => {
  const { animationName, transitionDuration } = getComputedStyle(each);
  return animationName !== "none" || transitionDuration.split(",").some((time) => parseFloat(time) > 0);
}).map((each) => each.outerHTML.slice(0, 100))"""


def test_nothing_moves_where_motion_is_not_wanted(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, reduced_motion="reduce")
    page = context.new_page()
    for path in ("/", "/generate", "/cases"):
        page.goto(path)
        if page.locator(".cm-content").count():
            page.locator(".cm-content").first.click()
        assert page.evaluate(MOVING) == []
    context.close()


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
@pytest.mark.parametrize(
    "path", ["/?example=conflict", "/?example=way-out-force&view=fields", "/generate", "/cases", "/tools"]
)
def test_twice_the_size_cuts_nothing_off(browser: Browser, base_url: str, path: str, locale: str) -> None:
    """A window of 1280 by 720 at 200 % has 640 by 360 CSS pixels, each of four on the screen."""
    context = browser.new_context(
        base_url=base_url, viewport={"width": 640, "height": 360}, device_scale_factor=2, locale=locale
    )
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.evaluate(CUT_OFF) == []
    context.close()


COLOURS = """() => [...new Set([...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => getComputedStyle(each))
  .flatMap(({ color, backgroundColor }) => [color, backgroundColor]))]"""


def test_paper_shows_the_write_its_result_its_owners_and_the_conflict(playground: Playground) -> None:
    page = playground.page
    playground.open_example("conflict")
    page.wait_for_selector(".cm-editor")
    page.emulate_media(media="print")
    for shown in (
        "#outcome",
        ".lines",
        ".legend",
        ".entries",
        "#conflicts table",
        ".way >> nth=0",
        ".kinds label >> nth=0",
    ):
        expect(page.locator(shown).first).to_be_visible()
    expect(page.locator(".legend")).to_contain_text("ops")
    for hidden in ("nav", "#theme", "#languages", ".way button >> nth=0", ".views-choice", ".foot"):
        expect(page.locator(hidden).first).to_be_hidden()
    scrolling = """() => [...document.querySelectorAll(".result *, .result, .conflicts, .conflicts *")].filter((each) =>
      each.checkVisibility() && each.clientHeight > 1 && each.scrollHeight > each.clientHeight + 2
      && ["auto", "scroll", "hidden"].includes(getComputedStyle(each).overflowY)).map((each) => each.className)"""
    assert page.evaluate(scrolling) == []
    assert [colour for colour in page.evaluate(COLOURS) if len(set(re.findall(r"\d+", colour)[:3])) > 1] == []


HEARD = """line => [...line.childNodes].filter((each) => each.ariaHidden !== "true")
  .map((each) => each.textContent.trim()).filter(Boolean).join(" ")"""


def test_a_screen_reader_is_told_the_owners_and_the_changes(playground: Playground) -> None:
    playground.open_example("way-out-force")
    page = playground.page
    removed = page.locator(".line.removed", has_text="replicas: 3")
    added = page.locator(".line.added", has_text="replicas: 5")
    assert removed.evaluate(HEARD) == "ops: removed: replicas: 3"
    assert added.evaluate(HEARD) == "ci: added: replicas: 5"
    expect(page.locator(".line").first).to_contain_text("no owner:")
    page.locator(".lines").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#line-detail")).to_have_attribute("aria-live", "polite")
    page.locator(".line").nth(3).hover()
    expect(page.locator("#line-detail")).to_have_attribute("aria-live", "off")
