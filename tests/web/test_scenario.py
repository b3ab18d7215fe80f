"""A history exported as a file checks against itself, and fails when a result or an owner changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.value.codec import parse_yaml
from engine.value.limits import Limits
from web.cli import main
from web.contexts import Draft
from web.examples import load_examples
from web.scenario import NoScenario, check_scenario, render_scenario

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=400)
MAP = "# ours\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  {}\n"
STEPS = [
    Draft(manager="a", body=MAP.format("x: one")),
    Draft(manager="b", body=MAP.format("x: two")),
    Draft(manager="b", body=MAP.format("x: two"), force=True),
    Draft(kind="json-patch", manager="c", body='[{"op": "add", "path": "/data/w", "value": "1"}]'),
]


def scenario() -> str:
    return render_scenario("", STEPS, Limits(), NOW)


def differences(text: str) -> list[tuple[int, str]]:
    found = check_scenario(parse_yaml(text), Limits(), LATER)
    return [(each.number, one.place) for each in found for one in each.differences]


def test_what_was_exported_is_as_expected_on_any_day() -> None:
    assert differences(scenario()) == []
    assert "# ours" in scenario()


def test_a_result_an_owner_and_a_code_that_changed_are_told_with_their_place() -> None:
    document: Any = parse_yaml(scenario())
    document["steps"][0]["expect"]["object"]["data"]["x"] = "other"
    document["steps"][2]["expect"]["owners"][0]["manager"] = "nobody"
    document["steps"][1]["expect"]["code"] = 200
    assert differences(json.dumps(document)) == [
        (1, "object.data.x"),
        (2, "code"),
        (3, "owners[0].manager"),
    ]


@pytest.mark.parametrize("example", load_examples(), ids=lambda each: each.slug)
def test_every_example_makes_a_scenario_that_holds(example: Any) -> None:
    draft = replace(example.draft, live="")
    assert differences(render_scenario(example.draft.live, [draft], Limits(), NOW)) == []


@pytest.mark.parametrize(
    "text",
    ["a: 1", "patchyard: scenario", "patchyard: scenario\nsteps: []", "patchyard: scenario\nsteps: [1]",
     "patchyard: scenario\nsteps: [{body: {a: 1}}]", "patchyard: scenario\nlive: {}\nsteps: [{}]",
     "patchyard: scenario\nsteps: [{body: 'a: ['}]"],
)  # fmt: skip
def test_what_is_no_scenario_is_told(text: str) -> None:
    with pytest.raises(NoScenario):
        list(check_scenario(parse_yaml(text), Limits(), NOW))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / "scenario.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_the_command_fails_in_ci_when_something_changes(
    file: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", file(scenario())]) == 0
    assert "4 steps, all as expected" in capsys.readouterr().out
    assert main(["replay", file(scenario().replace("code: 409", "code: 200"))]) == 1
    shown = capsys.readouterr().out
    assert "DIFFERS step 2: apply by b, 409" in shown
    assert "code: expected 200, got 409" in shown
    assert main(["replay", file("patchyard: scenario\nsteps: 1\n")]) == 2
    assert "steps: found none; expected a list" in capsys.readouterr().err


def test_the_page_hands_the_timeline_out(client: FlaskClient) -> None:
    steps = [{"kind": each.kind, "manager": each.manager, "body": each.body} for each in STEPS[:2]]
    answer = client.post("/scenario", json={"live": "", "steps": steps})
    assert answer.mimetype == "application/yaml"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert differences(answer.get_data(as_text=True)) == []
    assert client.post("/scenario", json={"live": "", "steps": []}).status_code == 409
    assert client.post("/scenario", json={"live": "", "steps": [{"body": "a: ["}]}).status_code == 409
    assert client.post("/scenario", json=[1]).status_code == 400
