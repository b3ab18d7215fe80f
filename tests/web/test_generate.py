"""The generator's page: a form, a partial, and nothing that a person can type breaks them."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.generate.exact import read_exactly
from tests.web.conftest import NOW
from web.app import create_app
from web.config import Config
from web.contexts import DiffGroup, DiffLine
from web.generate_answers import within
from web.generate_diff import diff_groups, diff_lines

HTMX = {"HX-Request": "true"}


def post(client: FlaskClient, **fields: str) -> Any:
    return client.post("/generate/answer", data={"moves": "1", "copies": "1", **fields}, headers=HTMX)


def patch_of(text: str, name: str = "patch-there") -> str:
    found = re.search(f'<pre id="{name}"[^>]*>(.*?)</pre>', text, re.DOTALL)
    assert found, text
    return html.unescape(found[1])


def test_the_page_shows_an_example_that_is_proved(client: FlaskClient) -> None:
    page = client.get("/generate").text
    assert "python jsonpatch" in page
    assert len(json.loads(patch_of(page))) == 5
    assert json.loads(patch_of(page, "patch-back"))
    assert 'href="/generate" aria-current="page"' in page
    assert 'href="/generate"' in client.get("/").text


def test_typing_answers_with_the_parts_that_change(client: FlaskClient) -> None:
    answer = post(client, before="a: 1", after="a: 2")
    assert answer.text.lstrip().startswith('<div id="generated"')
    assert "HX-Reswap" not in answer.headers
    for part in ("outcome", "problems-before", "problems-after"):
        assert f'id="{part}"' in answer.text
    assert json.loads(patch_of(answer.text)) == [{"op": "replace", "path": "/a", "value": 2}]


@pytest.mark.parametrize(
    ("fields", "patch"),
    [
        ({"fewest": "bytes"}, [{"op": "move", "from": "/old", "path": "/new"}]),
        ({"moves": ""}, [{"op": "move", "from": "/old", "path": "/new"}]),
        (
            {"guard": "values"},
            [{"op": "test", "path": "/old", "value": [1, 2]}, {"op": "move", "from": "/old", "path": "/new"}],
        ),
    ],
)
def test_options_are_followed(client: FlaskClient, fields: dict[str, str], patch: Any) -> None:
    answer = post(client, before='{"old": [1, 2], "x": 1}', after='{"x": 1, "new": [1, 2]}', **fields)
    assert json.loads(patch_of(answer.text)) == patch


def test_without_moves_values_go_and_come(client: FlaskClient) -> None:
    fields = {"before": '{"old": [1]}', "after": '{"new": [1]}'}
    answer = client.post("/generate/answer", data=fields, headers=HTMX)
    assert [each["op"] for each in json.loads(patch_of(answer.text))] == ["remove", "add"]


def test_lists_are_paired_by_the_key_that_is_named(client: FlaskClient) -> None:
    before, after = '[{"k": 1, "a": 1, "b": 1}]', '[{"k": 1, "a": 2, "b": 2, "c": 2}]'
    by_key = json.loads(patch_of(post(client, before=before, after=after, lists="key", key="k").text))
    assert {each["path"] for each in by_key} == {"/0/a", "/0/b", "/0/c"}
    assert len(json.loads(patch_of(post(client, before=before, after=after, lists="position").text))) == 2


def test_a_format_that_cannot_say_it_says_why(client: FlaskClient) -> None:
    answer = post(client, before="a: 1", after="a: null", format="merge-patch")
    assert "cannot put the null at .a" in answer.text
    assert 'id="patch-there"' not in answer.text
    assert answer.text.count("cannot-mark") == 3  # merge patch, and what is for Kubernetes objects only


def test_equal_documents_need_no_patch(client: FlaskClient) -> None:
    assert "are the same" in post(client, before="a: 1", after='{"a": 1}').text
    assert "are the same" not in post(client, before='{"a": 1}', after='{"a": 1.0}').text


@pytest.mark.parametrize("text", ["", "   ", "# only a comment"])
def test_nothing_typed_is_no_mistake_and_a_comment_alone_is_told(client: FlaskClient, text: str) -> None:
    answer = post(client, before=text, after="a: 1")
    assert answer.status_code == 200
    assert ("Paste two documents" in answer.text) == (not text.strip())


def test_a_mistake_leaves_the_patch_where_it_is(client: FlaskClient) -> None:
    answer = post(client, before="a: [", after="a: 1")
    assert answer.headers["HX-Reswap"] == "none"
    assert 'id="generated"' not in answer.text
    assert "line 2" in answer.text
    assert "first document" in answer.text


def test_the_plain_form_keeps_the_last_good_patch(client: FlaskClient) -> None:
    fields = {"before": "a: 1", "after": "a: 2", "moves": "1"}
    page = client.post("/generate", data=fields).text
    kept = re.search(r'name="last_good" value="([^"]*)"', page)
    assert kept
    page = client.post("/generate", data={**fields, "after": "a: [", "last_good": html.unescape(kept[1])}).text
    assert json.loads(patch_of(page)) == [{"op": "replace", "path": "/a", "value": 2}]
    assert "a: [" in page


def test_documents_over_the_limit_are_told_with_the_limit(client: FlaskClient) -> None:
    answer = post(client, before="a: " + "x" * (1 << 20), after="a: 1")
    assert "at most 1,048,576 are read" in answer.text


def test_large_documents_are_answered(client: FlaskClient) -> None:
    before = "".join(f"- {{name: item-{n}, value: {n}}}\n" for n in range(5000))
    after = before.replace("value: 17}", "value: 18}")
    answer = post(client, before=before, after=after)
    assert json.loads(patch_of(answer.text)) == [{"op": "replace", "path": "/17/value", "value": 18}]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(["json-patch", "merge-patch", "strategic", "apply"]))
def test_whatever_is_typed_is_answered(client: FlaskClient, before: str, after: str, wanted: str) -> None:
    assert post(client, before=before, after=after, format=wanted).status_code == 200


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_the_diff_holds_both_documents(old: list[str], new: list[str]) -> None:
    lines = list(diff_lines(old, new))
    assert [line.text for line in lines if line.change != "added"] == old
    assert [line.text for line in lines if line.change != "removed"] == new
    assert [line.before for line in lines if line.before] == list(range(1, len(old) + 1))
    assert [line.after for line in lines if line.after] == list(range(1, len(new) + 1))


def test_unchanged_lines_are_folded_and_changes_are_not() -> None:
    before = read_exactly(json.dumps({f"k{n:02}": n for n in range(40)}))
    after = read_exactly(json.dumps({f"k{n:02}": n if n != 20 else 99 for n in range(40)}))
    groups = diff_groups(before, after)
    assert [group.folded for group in groups] == [True, False, True]
    assert {line.change for group in groups if group.folded for line in group.lines} == {""}
    assert [line.text.strip() for line in groups[1].lines if line.change] == ['"k20": 20,', '"k20": 99,']


def test_json_documents_are_shown_to_the_letter() -> None:
    lines = [line for group in diff_groups(read_exactly("[1]"), read_exactly("[1.0]")) for line in group.lines]
    assert [line.text.strip() for line in lines if line.change] == ["1", "1.0"]


def test_a_page_holds_so_many_lines_of_a_diff_and_tells_how_many_more() -> None:
    groups = (
        DiffGroup((DiffLine("a", "", 1, 1),) * 5, folded=True),
        DiffGroup((DiffLine("b", "added", 0, 1),) * 5, folded=False),
        DiffGroup((DiffLine("c", "", 1, 1),) * 5, folded=True),
    )
    kept = within(groups, 7)
    assert [(len(each.lines), each.unsent) for each in kept] == [(5, 0), (2, 8)]
    assert within(groups, 15) == groups


def test_ten_thousand_items_make_no_page_of_ten_megabytes() -> None:
    client = create_app(Config(max_seconds=0), lambda: NOW).test_client()  # a busy machine may take its time
    before = [{"name": f"n{n}", "value": n} for n in range(10_000)]
    after = [item | {"value": -1} if item["value"] % 10 == 0 else item for item in before]
    fields = {"before": json.dumps(before), "after": json.dumps(after), "format": "json-patch"}
    answer = client.post("/generate/answer", data=fields).get_data(as_text=True)
    assert "1,000 operations" in answer
    assert "more lines are not shown here" in answer
    assert len(answer) < 2_000_000
