"""What is told of requests to those who look on: on the workspace's page, and as server-sent events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.value.codec import parse_yaml
from web.app import create_app
from web.config import Config
from web.kubeapi.events import told_events
from web.kubeapi.journal import MOST_BODY, MOST_PATHS, MOST_REQUESTS, Journal
from web.storage.memory import MemoryStores
from web.storage.quota import Quota

MAPS = "/w/a/api/v1/namespaces/default/configmaps"
APPLY = "application/apply-patch+yaml"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.lab.io"},
    "spec": {
        "group": "lab.io",
        "scope": "Namespaced",
        "names": {"kind": "Thing", "plural": "things"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


def new_journal() -> Journal:
    stores = MemoryStores(Quota())
    return Journal(stores.notebook("a"), stores.store("a"), stores.bells, "a", 0)


def config_map(name: str = "web", **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


def apply(client: FlaskClient, manager: str, query: str = "", **data: str) -> int:
    address = f"{MAPS}/web?fieldManager={manager}{query}"
    return client.patch(address, data=json.dumps(config_map(**data)), content_type=APPLY).status_code


def events(client: FlaskClient, count: int, after: str = "", **headers: str) -> list[dict[str, Any]]:
    """The next events that a listener is told."""
    answer = client.get(f"/w/a/events{after}", headers=headers, buffered=False)
    assert (answer.status_code, answer.content_type) == (200, "text/event-stream")
    found: list[dict[str, Any]] = []
    chunks: Iterator[bytes] = iter(answer.response)  # type: ignore[assignment]
    while len(found) < count:
        chunk = next(chunks).decode()
        fields = dict(line.split(": ", 1) for line in chunk.splitlines() if line and not line.startswith(":"))
        if fields:
            assert fields["event"] == "request"
            found.append({**json.loads(fields["data"]), "id": fields["id"]})
    answer.close()
    return found


def test_an_event_tells_the_request_the_answer_and_who_owns_what(client: FlaskClient) -> None:
    assert apply(client, "ci", k="1", other="x") == 201
    assert apply(client, "ops", "&force=true", k="2") == 200
    assert apply(client, "ci", k="3", other="x") == 409
    first, second, third = events(client, 3)
    path = "api/v1/namespaces/default/configmaps/web"
    assert {name: first[name] for name in ("method", "path", "content_type", "code", "id")} == {
        "method": "PATCH",
        "path": f"{path}?fieldManager=ci",
        "content_type": APPLY,
        "code": 201,
        "id": "1",
    }
    owned = {"target": "configmaps/default/web", "operation": "Apply", "more": 0}
    assert first["ownership"] == [{**owned, "manager": "ci", "gained": [".data.k", ".data.other"], "lost": []}]
    assert second["ownership"] == [
        {**owned, "manager": "ci", "gained": [], "lost": [".data.k"]},
        {**owned, "manager": "ops", "gained": [".data.k"], "lost": []},
    ]
    assert (third["code"], third["ownership"]) == (409, [])


def test_a_listener_goes_on_where_it_was(client: FlaskClient) -> None:
    for number in range(4):
        apply(client, "ci", k=str(number))
    assert [each["number"] for each in events(client, 2, "?after=2")] == [3, 4]
    assert [each["number"] for each in events(client, 1, "?after=1", **{"Last-Event-ID": "3"})] == [4]
    assert [each["number"] for each in events(client, 4, "?after=x")] == [1, 2, 3, 4]


def test_questions_about_the_api_itself_are_not_told(client: FlaskClient) -> None:
    for path in ("version", "api", "apis", "api/v1", "openapi/v3", "healthz"):
        assert client.get(f"/w/a/{path}").status_code == 200
    assert client.get("/w/a/", headers=HTML).status_code == 200
    assert client.get(f"{MAPS}/web").status_code == 404
    assert [(each["number"], each["code"]) for each in events(client, 1)] == [(1, 404)]


def test_a_removal_tells_who_lost(client: FlaskClient) -> None:
    apply(client, "ci", k="1")
    assert client.delete(f"{MAPS}/web").status_code == 200
    lost = events(client, 2)[1]["ownership"]
    assert [(each["manager"], each["lost"]) for each in lost] == [("ci", [".data.k"])]


def test_a_dry_run_changes_nothing_and_says_so(client: FlaskClient) -> None:
    assert apply(client, "ci", "&dryRun=All", k="1") == 201
    assert events(client, 1)[0]["ownership"] == []


def test_what_is_kept_is_bounded(client: FlaskClient) -> None:
    apply(client, "ci", **{f"k{number:03}": "v" for number in range(MOST_PATHS + 7)})
    (told,) = events(client, 1)
    assert (len(told["ownership"][0]["gained"]), told["ownership"][0]["more"]) == (MOST_PATHS, 7)
    journal = new_journal()
    for number in range(MOST_REQUESTS + 50):
        journal.add("", "GET", f"{number}" + "x" * 5_000, "", 200)
    kept = journal.after(0)
    assert [each.number for each in kept] == list(range(51, MOST_REQUESTS + 51))
    assert max(len(each.path) for each in kept) < 500


def test_a_listener_counts_as_a_watch_and_is_let_go(client: FlaskClient) -> None:
    lines = told_events(new_journal(), 0)
    assert next(lines).startswith(b":")
    site = create_app(Config(workspace_watches=1), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()
    first = site.get("/w/a/events", buffered=False)
    assert site.get("/w/a/events").status_code == 429
    first.close()
    again = site.get("/w/a/events", buffered=False)
    assert again.status_code == 200
    again.close()


def test_a_browser_gets_a_page_and_a_client_the_api(client: FlaskClient) -> None:
    apply(client, "ci", k="<b>")
    shown = client.get("/w/a/", headers=HTML)
    assert (shown.status_code, shown.mimetype) == (200, "text/html")
    assert "PATCH /api/v1/namespaces/default/configmaps/web?fieldManager=ci" in shown.text
    assert "configmaps/default/web: ci (Apply) gained .data.k" in shown.text
    assert "<b>" not in shown.text
    for accept in ("application/json", "*/*", ""):
        assert client.get("/w/a/", headers={"Accept": accept}).content_type == "application/json"


def test_an_object_opens_in_the_playground_by_a_form(client: FlaskClient) -> None:
    apply(client, "ci", k="v")
    shown = client.get("/w/a/", headers=HTML).text
    live, crds = (unescape(re.findall(f'name="{name}" value="([^"]*)"', shown)[0]) for name in ("live", "crds"))
    assert parse_yaml(live) == client.get(f"{MAPS}/web").get_json()
    assert crds == ""
    playground = client.post("/", data={"live": live, "crds": crds, "manager": "kubectl"})
    assert playground.status_code == 200
    assert "managedFields" in playground.text


def test_a_custom_object_brings_its_definition(client: FlaskClient) -> None:
    assert (
        client.post("/w/a/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json=DEFINITION).status_code == 201
    )
    thing = {"apiVersion": "lab.io/v1", "kind": "Thing", "metadata": {"name": "t"}}
    assert client.post("/w/a/apis/lab.io/v1/namespaces/default/things", json=thing).status_code == 201
    shown = client.get("/w/a/", headers=HTML).text
    found = [unescape(text) for text in re.findall('name="crds" value="([^"]*)"', shown)]
    assert any(text and parse_yaml(text)["metadata"]["name"] == "things.lab.io" for text in found)


def test_a_page_of_a_full_workspace_stays_small(client: FlaskClient) -> None:
    for number in range(230):
        assert client.post(MAPS, json=config_map(f"m{number:03}")).status_code == 201
    shown = client.get("/w/a/", headers=HTML).text
    assert shown.count('class="open"') == 200
    assert "And 30 more, which kubectl lists." in shown


def test_body_and_answer_are_told_as_text_and_bounded(client: FlaskClient) -> None:
    apply(client, "ci", k="<b>1</b>")
    apply(client, "ops", k="2")
    made, refused = events(client, 2)
    assert json.loads(made["sent"])["data"] == {"k": "<b>1</b>"}
    assert json.loads(made["told"])["metadata"]["name"] == "web"
    assert "Apply failed with 1 conflict" in refused["told"]
    page = client.get("/w/a/", headers=HTML).get_data(as_text=True)
    assert "&lt;b&gt;1&lt;/b&gt;" in page
    assert "<b>1</b>" not in page
    journal = new_journal()
    journal.add("", "POST", "x", "application/json", 201, (), b"\xff\0" + b"y" * 50_000, b"z" * 50_000)
    journal.add("", "POST", "x", "application/vnd.kubernetes.protobuf", 201, (), b"k8s\0" + b"y" * 300)
    long, protobuf = journal.after(0)
    assert (len(long.sent), len(long.told)) == (MOST_BODY + 4, MOST_BODY + 4)
    assert long.sent.startswith("\ufffd\ufffdy")
    assert protobuf.sent == "(304 bytes of protobuf)"
