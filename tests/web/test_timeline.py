"""Histories of drafts, played by the server."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

from engine.replay import replay
from engine.value.codec import parse_yaml, render_yaml
from engine.value.limits import DEFAULT_LIMITS
from web.answers import answer_for
from web.contexts import Draft
from web.timeline import MOST_STEPS, played

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def config(**data: str) -> str:
    return render_yaml({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data})


def test_each_step_is_written_to_what_the_one_before_left() -> None:
    drafts = [Draft(body=config(x="1"), manager="a"), Draft(body=config(y="2"), manager="b")]
    told = played("", drafts, DEFAULT_LIMITS, NOW)
    assert [step.code for step in told] == ["201", "200"]
    assert yaml.safe_load(told[1].live)["data"] == {"x": "1", "y": "2"}


def test_a_refused_step_and_a_dry_run_change_nothing() -> None:
    drafts = [
        Draft(body=config(x="1"), manager="a"),
        Draft(body=config(x="2"), manager="b"),
        Draft(body=config(x="3"), manager="a", dry_run=True),
        Draft(body="{", manager="a"),
        Draft(body="", manager="a"),
    ]
    told = played("", drafts, DEFAULT_LIMITS, NOW)
    assert [step.code for step in told] == ["201", "409", "200", "", ""]
    assert {step.live for step in told} == {told[0].live}


def random_drafts(number: int) -> list[Draft]:
    """Return some applies of some managers, the same ones for the same number."""
    chance = random.Random(number)  # noqa: S311 - a seeded choice of test cases
    return [
        Draft(
            body=config(**{name: chance.choice("12") for name in chance.sample("xyz", chance.randint(1, 3))}),
            manager=chance.choice("ab"),
            force=chance.random() < 0.5,
        )
        for _ in range(chance.randint(2, 6))
    ]


def replayed(drafts: list[Draft]) -> list[int]:
    """Return the codes of the same history in engine.replay."""
    steps: list[dict[str, Any]] = []
    for draft in drafts:
        query = {"fieldManager": draft.manager, **({"force": "true"} if draft.force else {})}
        steps.append(
            {
                "request": {
                    "method": "PATCH",
                    "contentType": "application/apply-patch+yaml",
                    "query": query,
                    "body": yaml.safe_load(draft.body),
                    "subresource": "",
                }
            }
        )
    scenario = {
        "id": "t",
        "crd": None,
        "group": "",
        "version": "v1",
        "kind": "ConfigMap",
        "resource": "configmaps",
        "namespaced": True,
        "name": "c",
        "steps": steps,
    }
    (told,) = replay([json.dumps(scenario)])
    return [step["response"]["code"] for step in told["steps"]]


@pytest.mark.parametrize("number", range(30))
def test_another_order_gives_what_a_replay_of_that_order_gives(number: int) -> None:
    drafts = random_drafts(number)
    random.Random(number + 1000).shuffle(drafts)  # noqa: S311 - a seeded choice of test cases
    told = played("", drafts, DEFAULT_LIMITS, NOW)
    assert [int(step.code) for step in told] == replayed(drafts)


def test_the_page_asks_for_a_history_as_json(client: FlaskClient) -> None:
    fields = {"kind": "apply", "body": config(x="1"), "manager": "a"}
    answer = client.post("/timeline", json={"live": "", "steps": [fields, fields]})
    assert [step["code"] for step in answer.get_json()] == ["201", "200"]


@pytest.mark.parametrize(
    "asked",
    [None, 5, [], {}, {"steps": 5}, {"steps": [5]}, {"steps": [{"body": 5}]}, {"steps": [{}] * (MOST_STEPS + 1)}],
)
def test_any_other_form_is_a_bad_request(client: FlaskClient, asked: Any) -> None:
    assert client.post("/timeline", json=asked).status_code == 400


def test_a_commit_gives_the_object_that_the_page_shows() -> None:
    draft = Draft(body=config(x="1"), manager="a")
    shown = answer_for(draft, DEFAULT_LIMITS, NOW).result
    assert shown is not None
    (step,) = played("", [draft], DEFAULT_LIMITS, NOW)
    assert json.loads(shown.response) == parse_yaml(step.live)
