"""The ways out of a conflict, as forms ask for them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.value.limits import Limits
from web.answers import answer_for
from web.contexts import Draft
from web.stale import freshened
from web.ways import Chosen, Way, text_changes

NOW = datetime(2026, 3, 1, tzinfo=UTC)


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


STALE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
  resourceVersion: "5" # as I read it
data:
  a: "2"
"""


OWNED = "{manager: m, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:data': {'f:a': {}}}}"
LIVE = STALE.replace('"5" # as I read it', f'"9"\n  managedFields: [{OWNED}]').replace('a: "2"', 'a: "1"')


@pytest.mark.parametrize("kind", ["apply", "update", "merge"])
def test_a_stale_version_has_two_ways_out_and_no_owner(kind: str) -> None:
    live = LIVE
    draft = Draft(kind=kind, live=live, body=STALE, manager="m")
    answer = answer_for(draft, Limits(), NOW)
    assert (answer.conflicts, [way.way for way in answer.ways]) == ((), ["current-version", "no-version"])
    assert "not for an owner" in answer.outcome.sentence
    for way, line in (("current-version", '  resourceVersion: "9" # as I read it'), ("no-version", "")):
        settled = freshened(draft, way, Limits(), NOW)
        assert settled is not None
        kept = STALE.replace('  resourceVersion: "5" # as I read it\n', f"{line}\n" if line else "")
        assert settled.body == kept
        assert answer_for(settled, Limits(), NOW).outcome.code == "200"


def test_what_is_not_stale_has_no_such_way() -> None:
    draft = Draft(live=LIVE, body=STALE.replace('"5"', '"9"'), manager="m")
    assert answer_for(draft, Limits(), NOW).ways == ()
    assert freshened(draft, "current-version", Limits(), NOW) is None
    assert freshened(draft, "elsewhere", Limits(), NOW) is None


MANY = {
    "kind": "apply",
    "manager": "me",
    "live": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  managedFields:\n  - {manager: you, operation: Apply, "
        "apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {f:data: {f:a: {}, f:b: {}}}}\ndata: {a: '1', b: '1'}\n"
    ),
    "body": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: '2'\n  b: '2'\n  c: '2'\n",
}


def test_one_of_two_is_taken_alone_and_the_other_left_to_its_owner(client: FlaskClient) -> None:
    taken = client.post("/resolve", data={**MANY, "way": "take 1"}).get_json()
    assert taken == {"body": MANY["body"].replace("  a: '2'\n", ""), "force": True}
    draft = Draft(**{**MANY, **taken})
    answer = answer_for(draft, Limits(), NOW)
    assert answer.outcome.code == "200"


def test_each_way_out_of_one_conflict_is_told_before_it_is_chosen(client: FlaskClient) -> None:
    cards = client.post("/ways/0", data=MANY).text
    assert cards.count('class="way"') == 3
    for told in (
        'value="take 0"',
        'value="give-up 0"',
        'value="share 0"',
        ".data.a: owned by me (Apply)",
        "--force-conflicts",
        "It would still be refused with 409.",
        "Force for this field alone",
    ):
        assert told in cards, told
    assert client.post("/ways/2", data=MANY).status_code == 409


def test_the_sentence_counts_fields_and_not_owners() -> None:
    entry = "{manager: third, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {f:data: {f:a: {}}}}"
    both = MANY["live"].replace("\ndata:", f"\n  - {entry}\ndata:")
    answer = answer_for(Draft(**{**MANY, "live": both}), Limits(), NOW)
    assert len(answer.conflicts) == 3
    assert answer.outcome.sentence == "Conflict: 2 fields have another owner. Nothing is written."


def test_of_very_many_fields_taking_is_open_and_the_rest_left_to_the_person() -> None:
    names = [f"k{number}" for number in range(200)]
    fields = ", ".join(f"f:{name}: {{}}" for name in names)
    entry = (
        f"{{manager: you, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {{f:data: {{{fields}}}}}}}"
    )
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"
    live = f"{head}  managedFields:\n  - {entry}\ndata:\n" + "".join(f"  {name}: '1'\n" for name in names)
    body = f"{head}data:\n" + "".join(f"  {name}: '2'\n" for name in names)
    take, give_up, share = answer_for(Draft(kind="apply", manager="me", live=live, body=body), Limits(), NOW).ways
    assert take.closed == ""
    for way in (give_up, share):
        assert way.closed.startswith("there are 200 contested fields, and at most 150 are changed")
