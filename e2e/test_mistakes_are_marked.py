"""A person makes a mistake: it is marked where it is, told in a sentence, and costs nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.playground import Playground

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        pytest.param(HEAD + "data:\n  a: [1, 2\n", "line 7", "Correct the", id="an unclosed bracket"),
        pytest.param(HEAD + "data:\n  a: x\n  a: z\n", "line 7, column 3", 'The key "a" of .data', id="a key twice"),
        pytest.param("- op: add\n  path: /a\n", "line 1", "choose JSON Patch", id="a list"),
        pytest.param("just words\n", "line 1", "expected a map", id="a text"),
        pytest.param(HEAD + "---\n" + HEAD, "line 6", "holds 2 documents", id="two documents"),
        pytest.param("a: *nothing\n", "line 1", "has no anchor", id="an alias of nothing"),
        pytest.param("{" + '"a":{' * 300 + "}" * 301, "", "levels", id="too many levels"),
    ],
)
def test_a_mistake_is_told_and_the_last_good_result_stays(
    playground: Playground, text: str, place: str, words: str
) -> None:
    playground.open_example("created-by-apply")
    lines = playground.lines.all_text_contents()
    playground.type_over("body", text)
    problem = playground.page.locator("#problems-body li")
    expect(problem).to_contain_text(words)
    expect(problem).to_contain_text(place)
    expect(playground.outcome).to_have_class("outcome outcome-stale")
    assert playground.lines.all_text_contents() == lines
    expect(playground.page.locator(".column-body .cm-lint-marker-error")).to_have_count(1)
    assert playground.text("body") == text


def test_the_sentence_is_in_sight_on_a_small_screen_with_a_conflict_and_a_timeline(playground: Playground) -> None:
    playground.page.set_viewport_size({"width": 1024, "height": 768})
    playground.open_example("created-by-apply")
    playground.page.get_by_role("button", name="Commit").click()
    expect(playground.page.locator(".timeline li")).to_have_count(1)
    playground.open_example("conflict")
    playground.expect_outcome("409")
    playground.type_over("body", "kind: ConfigMap\nbad: [1, 2\n")
    expect(playground.page.locator("#problems-body li")).to_be_in_viewport(ratio=1)
    expect(playground.editor("body").locator(".cm-line", has_text="bad")).to_be_in_viewport(ratio=1)


def test_the_place_leads_to_the_mistake(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.type_over("body", HEAD + "data:\n  a: x\n  a: z\n")
    playground.page.locator("#problems-body .place").click()
    playground.page.keyboard.type("b")
    playground.page.keyboard.press("Delete")
    playground.expect_outcome("201")
    expect(playground.page.locator("#problems-body li")).to_have_count(0)
    expect(playground.page.locator(".cm-lint-marker-error")).to_have_count(0)


def test_mistakes_of_both_editors_are_told_at_once(playground: Playground) -> None:
    playground.open_example("conflict")
    playground.type_over("live", "a: [")
    playground.type_over("body", "b: {")
    expect(playground.page.locator("#problems-live li")).to_have_count(1)
    expect(playground.page.locator("#problems-body li")).to_have_count(1)


def test_a_document_over_the_limit_names_the_limit(playground: Playground) -> None:
    playground.open_example("created-by-apply")
    playground.page.evaluate(
        """head => {
          const editor = document.getElementById("body");
          editor.editor.setText(head + "data:\\n  a: " + "x".repeat(3_000_000));
          editor.form.dispatchEvent(new Event("evaluate"));
        }""",
        HEAD,
    )
    expect(playground.page.locator("#problems-body li")).to_contain_text("at most 1,048,576 are read")
    assert len(playground.text("body")) > 3_000_000
