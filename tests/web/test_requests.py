"""What every request goes through: a host that is known, an id, a line in the log, a count."""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import WORKSPACES, create_app
from web.config import Config
from web.requests import masked

MAPS = "api/v1/namespaces/default/configmaps"


def new_client(**settings: Any) -> FlaskClient:
    return create_app(Config(**settings), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


@pytest.mark.parametrize(
    "host", ["127.0.0.1:evil/x", "[::1]evil", "a@127.0.0.1", "127.0.0.1:80:90", "localhost/x", "a b"]
)
@pytest.mark.parametrize("hosts", ["", "*"])
def test_a_host_of_another_form_is_refused_whatever_hosts_are_known(host: str, hosts: str) -> None:
    client = new_client(hosts=hosts)
    assert client.get("/healthz", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    ("settings", "host", "code"),
    [
        ({}, "localhost:8080", 200),
        ({}, "127.0.0.1", 200),
        ({}, "[::1]:80", 200),
        ({}, "LOCALHOST.", 200),
        ({}, "evil.example", 421),
        ({}, "localhost.evil.example", 421),
        ({}, "", 421),
        ({"host": "0.0.0.0"}, "evil.example", 200),
        ({"host": "0.0.0.0", "hosts": "lab.example, b.example"}, "b.example:8080", 200),
        ({"host": "0.0.0.0", "hosts": "lab.example"}, "localhost", 421),
        ({"hosts": "*"}, "evil.example", 200),
    ],
)
def test_only_known_hosts_are_answered(settings: dict[str, str], host: str, code: int) -> None:
    client = new_client(open=1, **settings)
    for path in ("/healthz", "/", "/w/a/version"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == code
        if code == 421:
            assert "PATCHYARD_HOSTS" in answer.text


def test_every_answer_has_an_id_and_a_sane_one_is_kept() -> None:
    client = new_client()
    ids = [client.get("/healthz").headers["X-Request-Id"] for _ in range(2)]
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in ids)
    assert ids[0] != ids[1]
    for given, kept in (("abc-1.2_3", True), ("x" * 65, False), ("a b", False), ('"><script>', False)):
        answer = client.get("/nothing", headers={"X-Request-Id": given})
        assert (answer.headers["X-Request-Id"] == given) is kept


def test_a_request_is_logged_without_keys_queries_or_bodies(capsys: pytest.CaptureFixture[str]) -> None:
    client = new_client(log="requests")
    name = client.post("/w/").get_json()["id"]
    body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"k": "hunter2"}}
    path = f"/w/{name}/api/v1/namespaces/default/secrets?fieldManager=spy"
    assert client.post(path, json=body, headers={"X-Request-Id": "mine"}).status_code == 201
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    line = lines[-1]
    assert (line["method"], line["code"], line["request_id"]) == ("POST", 201, "mine")
    assert line["path"] == f"/w/{name[:4]}***/api/v1/namespaces/default/secrets"
    assert line["milliseconds"] >= 0
    link = client.post(f"/w/{name}/links", json={"name": "readers", "verbs": ["get"]}).get_json()["id"]
    assert client.delete(f"/w/{name}/links/{link}").status_code == 200
    for written in (f"/w//{name}", f"/W/{name}/", f"/x/../w/{name}", f"/w%2f{name}/"):
        client.get(written)
    text = json.dumps(lines) + capsys.readouterr().err
    assert not any(secret in text for secret in (name, link, "hunter2", "spy"))


def test_what_is_not_asked_for_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    for setting in ("errors", "none"):
        assert new_client(log=setting).get("/healthz").status_code == 200
    assert capsys.readouterr().err == ""


def test_a_failure_is_logged_with_its_trace_and_the_id(capsys: pytest.CaptureFixture[str]) -> None:
    app = create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    app.view_functions["health.healthz"] = lambda: 1 / 0
    app.testing = False
    assert app.test_client().get("/healthz", headers={"X-Request-Id": "broken"}).status_code == 500
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert any("ZeroDivisionError" in line.get("trace", "") and line["request_id"] == "broken" for line in lines)
    assert any(line.get("code") == 500 for line in lines)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/w/abcdefgh/x", "/w/abcd***/x"),
        ("/w/a", "/w/a***"),
        ("/w/", "/w/***"),
        ("/generate", "/generate"),
        ("/w/abcdefgh/links/12345678", "/w/abcd***/links/1234***"),
        ("/w/abcdefgh/Links//12345678/x", "/w/abcd***/Links//1234***/x"),
        ("/w//abcdefgh", "/w//abcd***"),
        ("//w/abcdefgh/x", "//w/abcd***/x"),
        ("/W/abcdefgh/", "/W/abcd***/"),
        ("/x/../w/abcdefgh", "/x/../w/abcd***"),
        ("/w/./../abcdefgh/x", "/w/./../abcd***/x"),
        ("/w/x/../abcdefgh", "/w/x***/../abcd***"),
        ("/w/w/abcdefgh", "/w/w***/abcd***"),
        ("/w%2fabcdefgh%2Flinks%2F12345678", "/w%2fabcd***%2Flinks%2F1234***"),
        ("/W%2f%2Fabcdefgh/x", "/W%2f%2Fabcd***/x"),
        ("/../../w/abcdefgh", "/../../w/abcd***"),
        ("/static/new/links.css", "/static/new/links.css"),
    ],
)
def test_a_key_is_masked(path: str, shown: str) -> None:
    assert masked(path) == shown


def test_readiness_is_that_of_the_store(tmp_path: Path) -> None:
    app = create_app(Config(store=str(tmp_path / "s.db")), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    client = app.test_client()
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ok\n")
    with sqlite3.connect(tmp_path / "s.db") as other:
        other.execute("ALTER TABLE workspace RENAME TO elsewhere")
    other.close()
    refused = client.get("/readyz")
    assert refused.status_code == 503
    assert refused.text.startswith("the store cannot be read: ")
    assert client.get("/healthz").status_code == 200


def test_a_server_that_ends_is_not_ready() -> None:
    app = create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    app.extensions[WORKSPACES].close()
    assert app.test_client().get("/readyz").status_code == 503


def test_numbers_are_told_of_nobody_in_particular() -> None:
    client = new_client()
    key = client.post("/w/").get_json()["id"]
    path = f"/w/{key}/{MAPS}"
    made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    assert client.post(path, json=made).status_code == 201
    watch = client.get(f"{path}?watch=1", buffered=False)
    told = client.get("/metrics")
    assert told.content_type.startswith("text/plain; version=")
    found = {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in told.text.splitlines() if line[:1] != "#"
    }
    assert found['patchyard_requests_total{code="201",endpoint="kubeapi.api",method="POST"}'] == 1
    assert found['patchyard_request_seconds_count{endpoint="kubeapi.api"}'] == 2
    assert (found["patchyard_watches"], found["patchyard_workspaces_opened"]) == (1, 1)
    watch.close()
    assert "patchyard_watches 0.0" in client.get("/metrics").text
    assert key not in told.text


def test_a_copy_that_is_made_while_the_server_writes_serves_as_it_is(tmp_path: Path) -> None:
    store, copy = tmp_path / "store.db", tmp_path / "copy.db"
    client = new_client(store=str(store))
    acknowledged: list[str] = []
    ended = False

    def write() -> None:
        number = 0
        while not ended:
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"m{number:05}"}}
            assert client.post(f"/w/a/{MAPS}", json=body).status_code == 201
            acknowledged.append(f"m{number:05}")
            number += 1

    writer = Thread(target=write)
    writer.start()
    while len(acknowledged) < 30:
        pass
    before = list(acknowledged)
    readme = Path(__file__).resolve().parents[2] / "README.md"
    line = re.search(r'python3 -c "(import sqlite3.*)"', readme.read_text(encoding="utf-8"))
    assert line is not None
    exec(line[1].replace("store.db", str(store)).replace("copy.db", str(copy)))
    ended = True
    writer.join(10)
    restored = new_client(store=str(copy))
    listed = restored.get(f"/w/a/{MAPS}").get_json()
    names = [each["metadata"]["name"] for each in listed["items"]]
    assert set(before) <= set(names)
    assert names == [f"m{number:05}" for number in range(len(names))]
    assert restored.delete(f"/w/a/{MAPS}/m00000").status_code == 200
