"""A person gives the state of the page away as a link, and another opens it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.playground import Playground

SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: login
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"data":{"password":"aHVudGVyMg=="}}
data:
  password: aHVudGVyMg==
  "user": |
    YWRtaW4=
type: Opaque
"""


def link(playground: Playground) -> str:
    """Open the dialog, and return the link that it shows."""
    playground.page.get_by_role("button", name="Share", exact=True).click()
    field = playground.page.get_by_role("textbox", name="Link")
    expect(field).to_have_value(re.compile("#state=.+"))
    return field.input_value()


def opened(page: Page, address: str) -> Playground:
    page.goto(address)
    return Playground(page)


def test_a_link_brings_everything_along(playground: Playground, browser: Browser) -> None:
    playground.open_example("conflict")
    playground.expect_outcome("409")
    address = link(playground)
    requests: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        other = opened(page, address)
        other.expect_outcome("409")
        assert [other.text(name) for name in ("live", "body")] == [playground.text(name) for name in ("live", "body")]
        assert page.get_by_label("Manager").input_value() == "ci"
    assert not any("state=" in url for url in requests), "the state went to the server in an address"


def test_what_is_not_chosen_stays_here(playground: Playground, browser: Browser) -> None:
    playground.open_example("conflict")
    whole = link(playground)
    playground.page.get_by_role("dialog").get_by_label("Live object").uncheck()
    expect(playground.page.get_by_role("textbox", name="Link")).not_to_have_value(whole)
    address = playground.page.get_by_role("textbox", name="Link").input_value()
    with browser.new_context() as context:
        other = opened(context.new_page(), address)
        other.expect_outcome("201")
        assert other.text("live") == ""


def test_values_of_secrets_are_masked_unless_asked_for(playground: Playground, browser: Browser) -> None:
    playground.page.goto("/empty")
    playground.type_over("live", SECRET)
    playground.type_over("body", SECRET)
    address = link(playground)
    with browser.new_context() as context:
        other = opened(context.new_page(), address)
        other.expect_outcome("20")
        text = other.text("live")
        assert "aHVudGVyMg" not in text
        assert "YWRtaW4" not in text
        assert "password: bWFza2Vk\n" in text
        assert '"user": bWFza2Vk\ntype: Opaque\n' in text
    playground.page.get_by_role("dialog").get_by_label("Values of Secrets").check()
    expect(playground.page.get_by_role("textbox", name="Link")).not_to_have_value(address)


FLOW = """\
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter2, user: admin}
"""


@pytest.mark.parametrize("form", ["kubectl", "curl", "python", "markdown", "scenario"])
def test_commands_and_reports_tell_no_values_of_secrets_unless_asked_for(playground: Playground, form: str) -> None:
    playground.page.goto("/empty")
    playground.type_over("body", FLOW)
    playground.expect_outcome("201")
    link(playground)
    dialog = playground.page.get_by_role("dialog")
    dialog.get_by_text("Or as a command").click()
    dialog.locator("#share-form").select_option(form)
    text = dialog.locator("#share-text")
    expect(text).to_contain_text("password")
    for told in ("hunter2", "aHVudGVyMg", "admin"):
        expect(text).not_to_contain_text(told)
    dialog.get_by_label("Values of Secrets").check()
    expect(text).to_contain_text("hunter2")


def test_a_cut_link_says_so_and_loses_nothing(playground: Playground) -> None:
    playground.page.goto("/?example=conflict#state=eJx")
    expect(playground.page.locator("#notice")).to_contain_text("perhaps it was cut on its way")
    playground.expect_outcome("409")


def test_the_dialog_closes_by_escape(playground: Playground) -> None:
    playground.open_example("conflict")
    link(playground)
    playground.page.keyboard.press("Escape")
    expect(playground.page.get_by_role("dialog")).to_have_count(0)


def test_the_write_is_given_away_as_a_command(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.expect_outcome("409")
    link(playground)
    playground.page.get_by_text("Or as a command, a program, a report").click()
    text = playground.page.locator("#share-text")
    expect(text).to_contain_text("kubectl apply --server-side -f - --namespace=shop --field-manager=ci <<'END'")
    playground.page.get_by_label("Form").select_option("markdown")
    expect(text).to_contain_text("**Apply** by `ci`: 409.")
