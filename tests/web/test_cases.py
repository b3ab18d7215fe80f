"""The public cases in the page."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from engine.value.limits import DEFAULT_LIMITS
from web.answers import answer_for
from web.cases import FILE, Case, completed, load_cases
from web.evaluating import evaluated
from web.forms import read_write
from web.texts import FOLDER

OBSERVED = {each["id"]: each.get("observed") for each in json.loads(FILE.read_text("utf-8"))}
OPEN = [case for case in load_cases() if case.draft is not None]
CLOSED = [case for case in load_cases() if case.closed]
CHINESE = ("zh-Hant", "zh-Hans")


def texts_in(code: str) -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = json.loads((FOLDER / f"cases.{code}.json").read_text("utf-8"))
    return texts


def shown(text: str) -> str:
    """A text of a case as the page has it."""
    parts = text.split("`")
    return "".join(f"<code>{escape(part)}</code>" if n % 2 else escape(part) for n, part in enumerate(parts))


def code_of(page: str) -> str:
    found = re.search(r'class="code">(\d+)<', page)
    assert found, "the page shows no answer"
    return found[1]


def test_all_cases_are_listed_with_their_sources(client: FlaskClient) -> None:
    page = client.get("/cases").get_data(as_text=True)
    assert page.count('class="case"') == len(OBSERVED) == 87
    for case in load_cases():
        assert f'id="{case.number}"' in page
        assert case.sources
        assert all(source in page for source in case.sources)


def test_most_cases_open() -> None:
    assert len(OPEN) + sum(case.pair is not None for case in load_cases()) >= 79


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.number)
def test_a_case_says_what_is_expected_and_what_helps(case: Case) -> None:
    said = {"expect": case.expect, "cure": case.cure} | ({"closed": case.closed} if case.closed else {})
    assert all(said.values())
    assert all(text.count("`") % 2 == 0 for text in said.values())
    for code in CHINESE:
        spoken = texts_in(code)[case.number]
        assert spoken.keys() == {"title", "story", *said}
        for name, text in said.items():
            assert re.search("[\u4e00-\u9fff]", spoken[name]), "not translated"
            assert spoken[name] != text
            assert sorted(spoken[name].split("`")[1::2]) == sorted(text.split("`")[1::2])


@pytest.mark.parametrize("code", CHINESE)
def test_no_two_cases_have_the_same_cure(code: str) -> None:
    assert len({case.cure for case in load_cases()}) == len(load_cases())
    assert len({texts["cure"] for texts in texts_in(code).values()}) == len(load_cases())


@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        ("A38", "200", "only who owns what"),
        ("A39", "200", "1 change"),
        ("B33", "422", "may not be more than 262144 bytes"),
        ("C20", "", "at most 10,000 are read"),
        ("F5", "200", "2 changes"),
    ],
)
def test_a_report_without_a_write_of_its_own_opens_one_that_shows_it(number: str, code: str, told: str) -> None:
    [case] = [each for each in load_cases() if each.number == number]
    assert case.draft is not None
    answer = answer_for(case.draft, DEFAULT_LIMITS, datetime(2030, 1, 1, tzinfo=UTC))
    assert answer.outcome.code == code
    assert any(told in text for text in (answer.outcome.sentence, *(each.message for each in answer.problems)))


def test_the_eleventh_update_folds_the_oldest() -> None:
    [case] = [each for each in load_cases() if each.number == "A39"]
    assert case.draft is not None
    write = read_write(case.draft, DEFAULT_LIMITS)
    after = evaluated(write, datetime(2030, 1, 1, tzinfo=UTC)).after
    managers = [entry["manager"] for entry in (after or {})["metadata"]["managedFields"]]
    assert len(managers) == 10
    assert "ancient-changes" in managers
    assert "tool-v11" in managers


def test_a_case_opens_or_says_why_it_does_not() -> None:
    for case in load_cases():
        assert (case.draft is not None) + (case.pair is not None) + bool(case.closed) == 1, case.number


def test_the_page_shows_all_parts_of_a_case(client: FlaskClient) -> None:
    page = client.get("/cases").get_data(as_text=True)
    for label in ("You expect:", "What happens:", "How to live with it:"):
        assert page.count(f"<b>{label}</b>") == len(load_cases())
    assert page.count("<b>Not to open here:</b>") == len(CLOSED)
    for case in load_cases():
        assert all(f"</b> {shown(text)}</p>" in page for text in (case.expect, case.story, case.cure)), case.number
        assert not case.closed or f"</b> {shown(case.closed)}</p>" in page


@pytest.mark.parametrize("code", CHINESE)
def test_the_page_shows_all_parts_in_the_language_of_the_reader(client: FlaskClient, code: str) -> None:
    page = client.get("/cases", headers={"Accept-Language": code}).get_data(as_text=True)
    for texts in texts_in(code).values():
        assert all(f"</b> {shown(text)}</p>" in page for name, text in texts.items() if name != "title")


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.number)
def test_a_case_opens_with_an_answer(client: FlaskClient, case: Case) -> None:
    answer = client.get(f"/?case={case.number}")
    assert answer.status_code == 200
    if case.number == "C20":
        assert "at most 10,000 are read" in answer.get_data(as_text=True)  # the page's own limit is the API server's
        return
    code = code_of(answer.get_data(as_text=True))
    observed = OBSERVED[case.number]
    if isinstance(observed, list) and observed[-1]["result"] == "conflict":
        assert code == "409"
    elif isinstance(observed, list) and observed[-1]["result"] == "rejected":
        assert code == "500"
    elif case.number == "B32":
        assert code == "200"  # the page overwrites, and says which command does not
    elif isinstance(observed, dict) and "error" in observed:
        assert int(code) >= 400
    else:
        assert code in ("200", "201", "400", "409", "422")


def test_a_case_tells_its_story(client: FlaskClient) -> None:
    page = client.get("/?case=A1").get_data(as_text=True)
    assert "A1: A key written first by a client-side tool cannot be removed later" in page


@pytest.mark.parametrize("number", ["", "A0", "A99", "x"])
def test_there_is_no_such_case(client: FlaskClient, number: str) -> None:
    assert client.get("/", query_string={"case": number}).status_code == 404


def test_what_a_report_leaves_out_is_filled_in() -> None:
    given = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 1}}
    spec = completed(given)["spec"]
    assert spec["selector"] == {"matchLabels": spec["template"]["metadata"]["labels"]}
    assert spec["template"]["spec"]["containers"] == [{"image": "web:1", "name": "main"}]
    assert "containers" not in completed(given, whole=False)["spec"]["template"]["spec"]
    assert given["spec"] == {"replicas": 1}
