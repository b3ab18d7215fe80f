"""A person reads the site in their own language, and changes it without losing what they typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.playground import Playground

MINE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n"
HTML = {"zh-TW": "zh-TW", "zh-HK": "zh-TW", "zh-CN": "zh-CN", "fr-FR": "en"}
MENU = "#languages summary"


@pytest.fixture
def chinese(browser: Browser, base_url: str) -> Iterator[Page]:
    """A page of a reader in Taiwan."""
    context = browser.new_context(base_url=base_url, locale="zh-TW")
    yield context.new_page()
    context.close()


def choose(page: Page, name: str) -> None:
    page.locator(MENU).click()
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("locale", HTML)
def test_the_browser_chooses(browser: Browser, base_url: str, locale: str) -> None:
    context = browser.new_context(base_url=base_url, locale=locale)
    page = context.new_page()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", HTML[locale])
    context.close()


def test_the_menu_chooses_and_the_choice_is_kept_over_pages(playground: Playground) -> None:
    page = playground.page
    choose(page, "繁體中文")
    expect(page.locator("#live-title")).to_have_text("現行物件")
    expect(page).not_to_have_url(re.compile("language"))
    page.get_by_role("link", name="案例").click()
    expect(page.locator("h1")).to_have_text("案例")
    choose(page, "简体中文")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.goto("/generate")
    expect(page.locator("#before-title")).to_have_text("之前")
    choose(page, "English")
    expect(page.locator("#before-title")).to_have_text("Before")


def test_what_is_typed_and_chosen_survives_a_change(playground: Playground) -> None:
    page = playground.page
    playground.type_over("body", MINE)
    page.get_by_label("Manager", exact=True).fill("somebody")
    page.get_by_label("Dry run").check()
    playground.choose_kind("JSON merge")
    playground.choose_view("Why")
    choose(page, "繁體中文")
    expect(page.locator("#live-title")).to_have_text("現行物件")
    expect(page.locator("#write .cm-editor").first).to_be_visible()
    expect(page.locator('[name="manager"]')).to_have_value("somebody")
    assert playground.text("body") == MINE
    expect(page.locator('[name="dry_run"]')).to_be_checked()
    expect(page.locator('[name="kind"][value="merge"]')).to_be_checked()
    expect(page.locator('[name="view"][value="why"]')).to_be_checked()
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#outcome")).to_contain_text("已拒絕：Deployment")


def test_both_documents_survive_on_the_page_that_generates(page: Page) -> None:
    page.goto("/generate")
    for name, text in (("before", "a: 1"), ("after", "a: 2")):
        page.locator(f".editor:has(#{name}) .cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)
    page.get_by_label("Moves").uncheck()
    choose(page, "简体中文")
    expect(page.locator("#before-title")).to_have_text("之前")
    expect(page.locator(".editor:has(#after) .cm-content")).to_contain_text("a: 2")
    texts = page.evaluate("['before', 'after'].map((name) => document.getElementById(name).value)")
    assert texts == ["a: 1", "a: 2"]
    expect(page.locator('[name="moves"]')).not_to_be_checked()
    expect(page.locator("#outcome")).to_contain_text("1 个操作")


def test_what_is_typed_survives_on_a_tool_and_a_lesson_stays_open(page: Page) -> None:
    page.goto("/fields")
    page.locator(".editor .cm-content").first.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("{'f:data': {'f:mine': {}}}")
    choose(page, "简体中文")
    expect(page.locator("h1")).to_have_text("字段集")
    expect(page.locator(".editor .cm-content").first).to_contain_text("f:mine")
    page.goto("/lessons/conflict/2")
    choose(page, "繁體中文")
    expect(page.get_by_text("第二種辦法是放棄它", exact=False)).to_be_visible()
    expect(page).to_have_url(re.compile("/lessons/conflict/2$"))


def test_without_scripts_the_form_comes_back_in_the_language(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto("/")
    page.locator("#body").fill(MINE)
    page.get_by_label("Manager", exact=True).fill("somebody")
    choose(page, "繁體中文")
    expect(page.locator("#live-title")).to_have_text("現行物件")
    expect(page.locator("#body")).to_have_value(MINE)
    expect(page.locator('[name="manager"]')).to_have_value("somebody")
    page.get_by_role("link", name="案例").click()
    expect(page.locator("h1")).to_have_text("案例")
    choose(page, "English")
    expect(page.locator("h1")).to_have_text("Cases")
    context.close()


def test_enter_in_a_field_evaluates_and_changes_no_language(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, java_script_enabled=False, locale="zh-CN")
    page = context.new_page()
    page.goto("/")
    page.locator('[name="force"]').check()
    page.locator('[name="manager"]').press("Enter")
    expect(page.locator("#outcome")).to_contain_text("200")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    context.close()


def test_scripts_and_editors_speak_the_language(chinese: Page) -> None:
    chinese.goto("/")
    chinese.locator(".lines").focus()
    chinese.keyboard.press("ArrowDown")
    expect(chinese.locator("#line-detail")).to_contain_text("沒有所有者")
    chinese.locator(".editor:has(#body) .cm-content").click()
    chinese.keyboard.press("Control+f")
    expect(chinese.get_by_placeholder("尋找")).to_be_visible()
    chinese.keyboard.press("Escape")
    chinese.locator(".ways button").first.click()
    expect(chinese.locator("#notice")).to_contain_text("完成")


def test_an_answer_that_follows_typing_is_in_the_language(chinese: Page) -> None:
    chinese.goto("/?example=created-by-apply")
    place = Playground(chinese)
    place.type_over("body", "a: [1\n")
    expect(chinese.locator("#problems-body li")).to_contain_text("第 2 行")
    expect(chinese.locator("#problems-body li")).to_contain_text("解析流序列時")


@pytest.mark.parametrize("locale", ["zh-TW", "zh-CN"])
@pytest.mark.parametrize(
    "path", ["/?example=conflict&view=why", "/generate", "/cases", "/lessons/conflict/1", "/race", "/w/"]
)
def test_nothing_is_wider_than_a_phone(browser: Browser, base_url: str, locale: str, path: str) -> None:
    context = browser.new_context(base_url=base_url, locale=locale, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(MENU).click()
    expect(page.get_by_role("button", name="English")).to_be_in_viewport(ratio=1)
    context.close()
