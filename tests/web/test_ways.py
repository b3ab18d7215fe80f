"""The ways out of a conflict, as forms ask for them."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from web.ways import Chosen, Way, text_changes


def conflict(client: FlaskClient, **changes: Any) -> dict[str, Any]:
    """Return the form of the example with a conflict."""
    draft = client.get("/examples/conflict.json").get_json()["draft"]
    form = {name: value for name, value in draft.items() if isinstance(value, str)}
    return {**form, **changes}


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("share", Chosen(Way.SHARE, None)),
        ("give-up 2", Chosen(Way.GIVE_UP, 2)),
        ("take 0", Chosen(Way.TAKE, 0)),
        ("", None),
        ("steal", None),
        ("share x", None),
        ("share ²", None),
        ("share -1", None),
    ],
)
def test_a_way_is_read_from_its_name(text: str, chosen: Chosen | None) -> None:
    assert Chosen.read(text) == chosen


def test_sharing_answers_with_the_new_intent(client: FlaskClient) -> None:
    form = conflict(client, way="share")
    answer = client.post("/resolve", data=form)
    assert answer.status_code == 200
    assert answer.get_json() == {"body": form["body"].replace("replicas: 5", "replicas: 3"), "force": False}


def test_taking_answers_with_force(client: FlaskClient) -> None:
    form = conflict(client, way="take")
    assert client.post("/resolve", data=form).get_json() == {"body": form["body"], "force": True}


@pytest.mark.parametrize(
    "changes",
    [
        {"way": "share 7"},
        {"way": "nothing"},
        {"way": "share", "body": "{"},
        {"way": "share", "kind": "merge"},
        {"way": "share", "crds": "nonsense: ["},
        {"way": "share", "live": ""},
        {},
    ],
)
def test_what_cannot_be_resolved_is_a_conflict_of_states(client: FlaskClient, changes: dict[str, str]) -> None:
    assert client.post("/resolve", data=conflict(client, **changes)).status_code == 409


def test_a_plain_form_is_resolved_too(client: FlaskClient) -> None:
    page = client.post("/", data=conflict(client, way="give-up")).get_data(as_text=True)
    assert 'class="way"' not in page
    assert "replicas: 5" not in page.partition('name="body"')[2].partition("</textarea>")[0]


def test_every_way_is_told_before_it_is_chosen(client: FlaskClient) -> None:
    page = client.post("/evaluate", data=conflict(client)).get_data(as_text=True)
    assert page.count('class="way"') == 3
    assert "kubectl apply --server-side --field-manager=ci --force-conflicts -f FILE" in page


def test_changed_lines_have_their_numbers() -> None:
    told = [(each.change, each.number, each.text) for each in text_changes("a\nb\nc\n", "a\nx\nc\n")]
    assert told == [("removed", 2, "b"), ("added", 2, "x")]
