"""Hostile texts through every field of every form of every page: all of it stays text, and nothing runs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

PAGES = ("/", "/generate", "/open", "/fields", "/migration", "/race", "/cases", "/w/hostile/")
RUNS = "window.__ran = (window.__ran || 0) + 1"
CORPUS = (
    f"</textarea><script>{RUNS}</script>",
    f"\"'><img src=x onerror='{RUNS}'>",
    f"</script><svg onload={RUNS!r}>",
    f'</title></style><iframe srcdoc="<script>parent.{RUNS}</script>">',
    f"javascript:{RUNS}",
    "{{7*7}}${7*7}<%= 7*7 %>{% raw %}",
    f'a: <b onmouseover="{RUNS}">b</b>\n<details open ontoggle={RUNS!r}>: x\n',
    f'{{"apiVersion": "v1", "kind": "<img src=x onerror={RUNS}>", "metadata": {{"name": "<script>{RUNS}</script>"}}}}',
    f"- op: add\n  path: \"/<img src=x onerror='{RUNS}'>\"\n  value: <script>{RUNS}</script>\n",
    "\u202e\u2066\u0000\ufeff\u2028%s%n%(x)s",
)
FORMS = """() => [...document.forms].filter(form => form.method === "post").map(form => ({
  action: form.getAttribute("action"),
  fields: [...new FormData(form).entries()].filter(([, value]) => typeof value === "string"),
  buttons: [...form.elements].filter(e => e.tagName === "BUTTON" && e.name).map(e => [e.name, e.value]),
}))"""
LOOKS = """() => ({
  ran: window.__ran || 0,
  scripts: [...document.scripts].filter(e => !e.src && e.type !== "application/json").length,
  handlers: [...document.querySelectorAll("*")].filter(e => e.getAttributeNames().some(n => n.startsWith("on"))).length,
  foreign: document.querySelectorAll("main :is(iframe, object, embed, base, meta, link, img[src=x])").length,
  led: [...document.querySelectorAll("a[href], form[action]")]
    .filter(e => /^\\s*(javascript|data):/i.test(e.getAttribute("href") || e.getAttribute("action"))).length,
  sums: document.body.innerText.includes("49${49}"),
})"""
NOTHING = {"ran": 0, "scripts": 0, "handlers": 0, "foreign": 0, "led": 0, "sums": False}


@pytest.fixture
def quiet(page: Page) -> Page:
    """A page that answers no dialog, and notes that one was asked for."""
    page.on("dialog", lambda dialog: (page.evaluate("window.__ran = 1"), dialog.dismiss()))
    return page


def forms_of(page: Page, address: str) -> list[dict[str, Any]]:
    page.goto(address)
    found: list[dict[str, Any]] = page.evaluate(FORMS)
    return found


@pytest.mark.parametrize("address", PAGES)
def test_whatever_is_posted_through_a_form_stays_text(quiet: Page, base_url: str, address: str) -> None:
    tried = 0
    for form in forms_of(quiet, address):
        if form["action"] == "/w/" or form["action"].endswith("/remove"):
            continue  # makes or ends something, and shows nothing that was sent
        fields = dict(form["fields"]) | dict(form["buttons"][:1])
        for at in range(len(CORPUS)):  # in the end every field had every text
            sent = {name: CORPUS[(at + number) % len(CORPUS)] for number, name in enumerate(fields)}
            answer = quiet.request.post(base_url + form["action"], form=sent, max_redirects=0)
            assert answer.status < 500
            if "text/html" in answer.headers.get("content-type", ""):
                shown(quiet, base_url, answer.text(), answer.headers.get("content-security-policy", ""))
            tried += 1
    assert tried


def shown(page: Page, base_url: str, html: str, policy: str) -> None:
    """Have the browser show an answer as the site would send it, and look at what came of it."""
    page.route(
        "**/shown",
        lambda route: route.fulfill(
            body=html, headers={"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
        ),
    )
    page.goto(f"{base_url}/shown", wait_until="domcontentloaded")
    page.unroute("**/shown")
    assert page.evaluate(LOOKS) == NOTHING


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda text: repr(text)[:30])
def test_the_parts_that_follow_typing_stay_text(quiet: Page, hostile: str) -> None:
    quiet.goto("/empty")
    quiet.evaluate("() => { for (const key of Object.keys(localStorage)) localStorage.removeItem(key) }")
    for name in ("live", "body"):
        quiet.locator(f".editor:has(#{name}) .cm-content").click()
        quiet.keyboard.press("Control+a")
        quiet.keyboard.insert_text(hostile.replace("\u0000", ""))
    quiet.get_by_label("Manager").fill(hostile.replace("\n", " ").replace("\u0000", ""))
    quiet.wait_for_timeout(400)
    assert quiet.evaluate(LOOKS) == NOTHING


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda text: repr(text)[:30])
def test_what_a_workspace_shows_stays_text(quiet: Page, base_url: str, hostile: str) -> None:
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "h", "annotations": {"a": hostile}},
        "data": {"k": hostile},
    }
    maps = f"{base_url}/w/hostile/api/v1/namespaces/default/configmaps"
    quiet.request.delete(f"{maps}/h")
    made = quiet.request.post(maps, data=body, params={"fieldManager": hostile.replace("\u0000", "")[:100]})
    assert made.status < 500
    quiet.request.get(f"{maps}/none", params={"fieldManager": hostile.replace("\u0000", "")})
    quiet.goto("/w/hostile/")
    quiet.wait_for_timeout(200)
    assert quiet.evaluate(LOOKS) == NOTHING
