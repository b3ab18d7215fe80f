"""Rules evaluated in processes of their own: the same answers, and an end to every question."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.schema.rules.program import available
from engine.schema.rules.validate import judged
from web.app import create_app
from web.config import Config
from web.deadline import Deadline, TimeUp
from web.rules.processes import RuleProcesses, _Ended

pytestmark = pytest.mark.skipif(not available(), reason="CEL is not installed: install patchyard[cel]")

LONG = {"a": "x" * 500_000}
FULL = "[self.a].map(x, x+x+x+x+x+x+x+x).map(x, x+x+x+x+x+x+x+x).map(x, x+x+x+x+x+x+x+x).all(x, x == x)"
SLOW = "self.a.substring(0, 9000).split('').all(x, !(self.a + self.a).contains(self.a + 'b'))"


def schema(rule: str) -> dict[str, Any]:
    text = {"type": "string"}
    return {"type": "object", "properties": {"a": text}, "x-kubernetes-validations": [{"rule": rule}]}


@pytest.fixture
def processes() -> RuleProcesses:
    return RuleProcesses(1, 128)


def refusals(processes: RuleProcesses, rule: str, obj: dict[str, Any] = LONG) -> list[str]:
    return [cause.message for cause in processes.judge(obj, schema(rule), None)]


@pytest.mark.parametrize("rule", ["self.a == 'b'", "self.a == 'c'", "self.b", "oldSelf.a == self.a", "no cel ("])
def test_the_answer_is_the_one_that_is_given_here(processes: RuleProcesses, rule: str) -> None:
    for live in (None, {"a": "old"}):
        assert processes.judge({"a": "b"}, schema(rule), live) == judged({"a": "b"}, schema(rule), live)


def test_a_rule_that_fills_its_process_is_refused(processes: RuleProcesses) -> None:
    (told,) = refusals(processes, FULL)
    assert "cost" in told
    assert not refusals(processes, "size(self.a) > 9")


@pytest.mark.slow
def test_a_rule_that_comes_to_no_end_is_refused_and_the_setting_named(processes: RuleProcesses) -> None:
    began = time.monotonic()
    (told,) = refusals(processes, SLOW)
    assert told == (
        'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules '
        "will be run (the setting PATCHYARD_RULE_SECONDS: 1 s)"
    )
    assert time.monotonic() - began < 60
    assert not refusals(processes, "size(self.a) > 9")


def test_a_value_too_large_for_its_process_is_refused() -> None:
    rules = RuleProcesses(1, 64)
    assert rules.judge({"a": "x"}, schema("self.a == 'x'"), None) == ()
    many: dict[str, Any] = {"a": ["x"] * 4_000_000}
    (told,) = [cause.message for cause in rules.judge(many, schema("true"), None)]
    assert "PATCHYARD_RULE_MEBIBYTES: 64 MiB" in told


def test_other_threads_go_on_while_a_rule_takes_its_time(processes: RuleProcesses) -> None:
    turns = 0
    asked = threading.Thread(target=refusals, args=(processes, SLOW))
    asked.start()
    while asked.is_alive() and turns < 20:
        time.sleep(0.01)
        turns += 1
    assert turns == 20
    asked.join()


def test_many_threads_ask_at_once(processes: RuleProcesses) -> None:
    def asked(number: int) -> list[str]:
        return refusals(processes, f"self.a != 'v{number % 20}'", {"a": f"v{number % 30}"})

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(asked, range(300)))
    assert [bool(each) for each in found] == [number % 20 == number % 30 for number in range(300)]


def test_more_schemas_than_are_remembered(processes: RuleProcesses) -> None:
    every = [schema(f"self.a != 'v{number}'") for number in range(40)]
    for _ in range(2):
        for number, each in enumerate(every):
            assert len(processes.judge({"a": f"v{number}"}, each, None)) == 1


def test_whoever_runs_out_of_time_takes_no_process_along(processes: RuleProcesses) -> None:
    for _ in range(6):
        with pytest.raises(TimeUp), Deadline(0.2).within():
            refusals(processes, SLOW)
    assert not refusals(processes, "size(self.a) > 9")


def test_a_process_that_ended_by_itself_is_replaced(processes: RuleProcesses) -> None:
    assert not refusals(processes, "true")
    process = processes._idle.get_nowait()
    process._process.kill()
    processes._idle.put(process)
    assert not refusals(processes, "true")


@pytest.mark.parametrize("mebibytes", [64, 65, 100])
def test_the_least_memory_that_may_be_set_is_enough_for_ordinary_rules(mebibytes: int) -> None:
    rules = RuleProcesses(1, mebibytes)
    for number in range(50):
        assert rules.judge({"a": "x"}, schema(f"self.a != 'v{number}'"), None) == ()
        assert len(rules.judge({"a": "x"}, schema("self.a == 'y'"), None)) == 1


def test_a_process_that_somebody_ends_is_not_said_to_be_full(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RuleProcesses(1, 128)
    monkeypatch.setattr(rules, "_asked", lambda *_, **__: (_ for _ in ()).throw(_Ended(-9)))
    (told,) = rules.judge({"a": "x"}, schema("true"), None)
    assert told.message.endswith("(the process that evaluates rules ended with -9; try again)")


def test_what_lies_in_the_folder_of_the_server_is_not_run(
    processes: RuleProcesses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("engine.py", "web.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit(3)\n", encoding="ascii")
    monkeypatch.chdir(tmp_path)
    assert len(refusals(processes, "self.a == ''")) == 1


def test_a_forked_process_has_its_own(processes: RuleProcesses) -> None:
    assert not refusals(processes, "true")
    child = os.fork()
    if not child:
        code = 1
        try:
            code = len(refusals(processes, "self.a == ''")) - 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(refusals(processes, "self.a == ''")) == 1


@pytest.mark.slow
def test_the_kubernetes_api_refuses_what_asks_too_much_and_goes_on() -> None:
    client = create_app(Config(), lambda: datetime.now(UTC)).test_client()
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema(SLOW)}}]
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.lab.example"},
        "spec": {
            "group": "lab.example",
            "names": {"plural": "things", "singular": "thing", "kind": "Thing"},
            "scope": "Namespaced",
            "versions": versions,
        },
    }
    made = client.post("/w/rules/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json=definition)
    assert made.status_code == 201
    thing = {"apiVersion": "lab.example/v1", "kind": "Thing", "metadata": {"name": "a"}, **LONG}
    answer = client.post("/w/rules/apis/lab.example/v1/namespaces/default/things", json=thing)
    assert answer.status_code == 422
    assert "PATCHYARD_RULE_SECONDS" in answer.get_json()["message"]
    assert client.get("/w/rules/apis/lab.example/v1/namespaces/default/things").get_json()["items"] == []
