"""The public cases in the page."""

from __future__ import annotations

import json
import re

import pytest
from flask.testing import FlaskClient

from web.cases import FILE, Case, completed, load_cases

OBSERVED = {each["id"]: each.get("observed") for each in json.loads(FILE.read_text("utf-8"))}
OPEN = [case for case in load_cases() if case.draft is not None]


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


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.number)
def test_a_case_opens_with_an_answer(client: FlaskClient, case: Case) -> None:
    answer = client.get(f"/?case={case.number}")
    assert answer.status_code == 200
    code = code_of(answer.get_data(as_text=True))
    observed = OBSERVED[case.number]
    if isinstance(observed, list) and observed[-1]["result"] == "conflict":
        assert code == "409"
    elif isinstance(observed, list) and observed[-1]["result"] == "rejected":
        assert code == "500"
    elif isinstance(observed, dict) and "error" in observed:
        assert int(code) >= 400
    else:
        assert code in ("200", "201", "400", "409", "422")


def test_a_case_tells_its_story(client: FlaskClient) -> None:
    page = client.get("/?case=A1").get_data(as_text=True)
    assert "A1: A key written first by a client-side tool cannot be removed later" in page


@pytest.mark.parametrize("number", ["", "A0", "A39", "x"])
def test_there_is_no_such_case(client: FlaskClient, number: str) -> None:
    assert client.get("/", query_string={"case": number}).status_code == 404


def test_what_a_report_leaves_out_is_filled_in() -> None:
    given = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 1}}
    spec = completed(given)["spec"]
    assert spec["selector"] == {"matchLabels": spec["template"]["metadata"]["labels"]}
    assert spec["template"]["spec"]["containers"] == [{"image": "web:1", "name": "main"}]
    assert "containers" not in completed(given, whole=False)["spec"]["template"]["spec"]
    assert given["spec"] == {"replicas": 1}
