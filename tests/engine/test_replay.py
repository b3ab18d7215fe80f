from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from engine.replay import replay
from tests.support.cluster import config_map, definition_of, thing

MAP = {"group": "", "version": "v1", "kind": "ConfigMap", "resource": "configmaps", "namespaced": True, "name": "conf"}


def request(method: str, body: Any = None, content_type: str = "application/json", **query: str) -> dict[str, Any]:
    told = {"method": method, "query": query, "contentType": content_type, "body": body, "subresource": ""}
    return {"request": told}


def responses(*steps: dict[str, Any], **scenario: Any) -> list[Any]:
    line = json.dumps({"id": "x", **MAP, **scenario, "steps": list(steps)})
    (answer,) = replay([line])
    assert answer["id"] == "x"
    return [each["response"] for each in answer["steps"]]


def test_times_versions_and_uids_stand_as_tokens() -> None:
    created, changed = responses(
        request("POST", config_map({"k": "v"})),
        request("PATCH", {"data": {"k": "w"}}, "application/merge-patch+json"),
    )
    metadata = created["body"]["metadata"]
    assert (metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"]) == ("uid0", "rv0", "t0")
    assert changed["body"]["metadata"]["resourceVersion"] == "rv1"
    assert [each["time"] for each in changed["body"]["metadata"]["managedFields"]] == ["t1"]


def test_a_token_in_a_request_stands_for_what_it_stood_for() -> None:
    steps = [request("POST", config_map({"k": "v"}))]
    steps += [request("PUT", config_map({"k": word}, resourceVersion="rv0")) for word in ("w", "x")]
    assert [each["code"] for each in responses(*steps)] == [201, 200, 409]


def test_the_version_1_is_stale() -> None:
    steps = [request("POST", config_map()), request("PUT", config_map({"k": "v"}, resourceVersion="1"))]
    assert responses(*steps)[1]["code"] == 409


def test_a_live_object_replaces_what_the_steps_before_came_to() -> None:
    live = config_map({"k": "theirs"}, resourceVersion="rv4", uid="uid2", namespace="default")
    patch = request("PATCH", {"data": {"n": "v"}}, "application/merge-patch+json")
    (answer,) = responses({**patch, "live": live, "next": {"rv": 7, "uid": 3}})
    assert answer["body"]["data"] == {"k": "theirs", "n": "v"}
    assert answer["body"]["metadata"]["resourceVersion"] == "rv7"
    assert answer["body"]["metadata"]["uid"] == "uid2"
    (gone,) = responses({**patch, "live": None})
    assert gone["code"] == 404


def test_a_schema_step_puts_the_other_definition_in_force() -> None:
    text, number = ({"type": "object", "properties": {"k": {"type": kind}}} for kind in ("string", "integer"))
    lab = {"group": "lab.example", "kind": "Thing", "resource": "things"}
    steps = [request("POST", thing({"k": 1})), {"request": {"schema": "b"}}, request("POST", thing({"k": 1}))]
    line = json.dumps({"id": "x", **MAP, **lab, "crd_after": definition_of(number), "steps": steps})
    (answer,) = replay([json.dumps({"crd": definition_of(text)}), line])
    assert [each["response"]["code"] for each in answer["steps"]] == [422, 0, 201]


def test_a_yaml_document_is_read_or_not() -> None:
    lines = [json.dumps({"id": name, "yaml": text}) for name, text in (("a", "spec: 0777"), ("b", "{"), ("c", "[]"))]
    assert [each["got"] for each in replay(lines)] == [{"spec": 511}, {"error": True}, {"spec": None}]


def test_it_answers_a_line_for_a_line_on_standard_output() -> None:
    lines = [json.dumps({"id": "a", "yaml": "spec: 1.0"}), "", json.dumps({"id": "b", "yaml": "spec: yes"})]
    run = [sys.executable, "-m", "engine.replay"]
    done = subprocess.run(run, input="\n".join(lines), capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"id": "a", "got": {"spec": 1}},
        {"id": "b", "got": {"spec": True}},
    ]
