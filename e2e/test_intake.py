"""A person drops files on the page, or pastes more than one thing at once."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from e2e.playground import Playground
from e2e.test_accessibility import complaints

LIVE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  uid: u\n# kept\ndata: {x: '1'}\n"
INTENT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata: {x: '2'} # mine\n"
CRD = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {}\n"
CONFLICT = 'error: Apply failed with 1 conflict: conflict with "kube-controller" using apps/v1: .spec.replicas\n'
DROP = """
text => {
  const files = new DataTransfer();
  files.items.add(new File([text], "all.yaml", { type: "application/yaml" }));
  const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
  document.querySelector("main").dispatchEvent(drop);
}
"""


def test_a_dropped_file_is_sorted_and_can_be_undone(playground: Playground) -> None:
    page = playground.page
    before = playground.text("live")
    page.evaluate(DROP, f"{CRD}---\n{INTENT}---\n{LIVE}")
    expect(page.locator("#notice")).to_contain_text("sorted into the editors")
    assert (playground.text("live"), playground.text("body"), playground.text("crds")) == (LIVE, INTENT, CRD)
    page.get_by_role("button", name="Undo").click()
    assert playground.text("live") == before


def test_several_objects_are_chosen_from_on_a_page_of_their_own(playground: Playground, axe: str) -> None:
    page = playground.page
    page.evaluate(DROP, f"{LIVE}---\n{LIVE.replace('name: c', 'name: d')}")
    page.wait_for_url("**/open")
    expect(page.locator(".found li")).to_have_count(2)
    assert complaints(playground, axe) == []
    page.get_by_role("button", name="Open ConfigMap d in the playground").click()
    expect(page.locator("#live")).to_have_value(re.compile("name: d"))


def test_a_conflict_message_lists_its_fields(playground: Playground) -> None:
    page = playground.page
    page.get_by_role("link", name="Open", exact=True).click()
    page.get_by_label("Text").fill(CONFLICT)
    page.get_by_role("button", name="Sort it").click()
    expect(page.get_by_role("rowheader", name=".spec.replicas")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("kube-controller")


def test_pasting_a_list_offers_to_sort_it(playground: Playground) -> None:
    page = playground.page
    page.goto("/empty")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    item = LIVE.replace("\n", "\n  ")
    page.evaluate("text => navigator.clipboard.writeText(text)", f"apiVersion: v1\nkind: List\nitems:\n- {item}")
    playground.editor("live").click()
    page.keyboard.press("Control+v")
    page.get_by_role("button", name="Sort it into the editors").click()
    expect(page.locator("#notice")).to_contain_text("sorted into the editors")
    assert playground.text("live").startswith("apiVersion: v1\ndata:")
