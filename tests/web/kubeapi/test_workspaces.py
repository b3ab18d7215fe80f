"""Workspaces: how they are made, how kubectl is led to one, and what each is kept within."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from web.app import create_app
from web.cli.serve import greeting
from web.config import Config

MAPS = "api/v1/namespaces/default/configmaps"
NAMESPACES = 4
"""A new workspace holds so many objects."""
Site = Callable[..., FlaskClient]


def config_map(name: str, text: str = "v") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": text}}


@pytest.fixture(params=["in memory", "in a file"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    """Makes a site with some settings, on each sort of store."""
    store = str(tmp_path / "store.db") if request.param == "in a file" else ""

    def make(**settings: Any) -> FlaskClient:
        return create_app(Config(store=store, **settings), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()

    return make


def assert_too_much(answer: TestResponse, *words: str) -> None:
    told = answer.get_json()
    assert (answer.status_code, told["kind"], told["code"], told["reason"]) == (429, "Status", 429, "TooManyRequests")
    assert int(answer.headers["Retry-After"]) > 0
    for word in words:
        assert word in told["message"]


def test_a_workspace_that_was_not_made_is_not_found_unless_first_use_makes_it(site: Site) -> None:
    closed = site(open=0)
    answer = closed.get(f"/w/guess/{MAPS}")
    assert (answer.status_code, answer.get_json()["reason"]) == (404, "NotFound")
    assert 'there is no workspace "guess" here. POST /w/ makes a new one' in answer.get_json()["message"]
    assert closed.post(f"/w/guess/{MAPS}", json=config_map("a")).status_code == 404
    assert closed.get("/w/guess/kubeconfig").status_code == 404
    assert site(open=1).get(f"/w/guess/{MAPS}").status_code == 200


def test_a_workspace_that_is_made_answers_an_id_that_nobody_guesses(site: Site) -> None:
    client = site(open=0)
    made = [client.post("/w/") for _ in range(3)]
    assert [each.status_code for each in made] == [201] * 3
    told = [each.get_json() for each in made]
    assert len({each["id"] for each in told}) == 3
    for each, answer in zip(told, made, strict=True):
        assert re.fullmatch(r"[0-9a-f]{32}", each["id"])
        assert each["server"] == f"http://localhost/w/{each['id']}"
        assert each["kubectl"] == f"kubectl --server {each['server']}"
        assert answer.headers["Location"] == f"{each['server']}/"
        assert client.post(f"/w/{each['id']}/{MAPS}", json=config_map("a")).status_code == 201


def test_a_workspace_in_a_file_is_known_to_every_server_on_it(tmp_path: Path) -> None:
    first, second = (
        create_app(Config(store=str(tmp_path / "s.db"), open=0), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()
        for _ in range(2)
    )
    name = first.post("/w/").get_json()["id"]
    assert first.post(f"/w/{name}/{MAPS}", json=config_map("a")).status_code == 201
    assert second.get(f"/w/{name}/{MAPS}/a").status_code == 200


def test_there_are_only_so_many_workspaces(site: Site) -> None:
    client = site(workspaces=2, open=1)
    assert client.post("/w/").status_code == 201
    assert client.get(f"/w/b/{MAPS}").status_code == 200
    words = ("the workspaces of this server are 2", "PATCHYARD_WORKSPACES")
    assert_too_much(client.get(f"/w/c/{MAPS}"), *words)
    assert_too_much(client.post("/w/"), *words)
    assert client.get(f"/w/b/{MAPS}").status_code == 200


def test_a_workspace_holds_only_so_many_objects(site: Site) -> None:
    client = site(workspace_objects=NAMESPACES + 2)
    codes = [client.post(f"/w/a/{MAPS}", json=config_map(name)).status_code for name in "ab"]
    assert codes == [201, 201]
    assert_too_much(client.post(f"/w/a/{MAPS}", json=config_map("c")), "the objects of this workspace are 6", "Delete")
    assert client.get(f"/w/a/{MAPS}/c").status_code == 404
    assert client.put(f"/w/a/{MAPS}/b", json=config_map("b", "other")).status_code == 200
    assert client.post(f"/w/other/{MAPS}", json=config_map("c")).status_code == 201
    assert client.delete(f"/w/a/{MAPS}/a").status_code == 200
    assert client.post(f"/w/a/{MAPS}", json=config_map("c")).status_code == 201


def test_a_workspace_holds_only_so_many_bytes(site: Site) -> None:
    client = site(workspace_bytes=65_536)
    assert client.post(f"/w/a/{MAPS}", json=config_map("a", "x" * 40_000)).status_code == 201
    more = "the bytes of this workspace would be more than 65,536"
    assert_too_much(client.post(f"/w/a/{MAPS}", json=config_map("b", "x" * 40_000)), more)
    assert_too_much(client.put(f"/w/a/{MAPS}/a", json=config_map("a", "ä" * 40_000)), more)
    assert client.get(f"/w/a/{MAPS}/a").get_json()["data"]["k"] == "x" * 40_000
    assert client.put(f"/w/a/{MAPS}/a", json=config_map("a", "x")).status_code == 200
    assert client.post(f"/w/a/{MAPS}", json=config_map("b", "x" * 40_000)).status_code == 201


def test_patches_make_no_object_larger_than_one_may_be(site: Site) -> None:
    client = site(object_bytes=65_536)
    assert client.post(f"/w/a/{MAPS}", json=config_map("a", "x" * 40_000)).status_code == 201
    kind = "application/merge-patch+json"
    more = client.patch(f"/w/a/{MAPS}/a", data=json.dumps({"data": {"l": "x" * 40_000}}), content_type=kind)
    assert (more.status_code, more.get_json()["reason"]) == (413, "RequestEntityTooLarge")
    assert more.get_json()["message"] == (
        "the bytes of this object would be more than 65,536, which is as much as there may be. "
        "Make it smaller, or raise the setting PATCHYARD_OBJECT_BYTES."
    )
    assert "l" not in client.get(f"/w/a/{MAPS}/a").get_json()["data"]
    less = client.patch(f"/w/a/{MAPS}/a", data=json.dumps({"data": {"k": "x" * 39_000}}), content_type=kind)
    assert less.status_code == 200


def test_the_past_is_bounded_by_bytes_too(site: Site) -> None:
    client = site(workspace_bytes=65_536)
    first = client.get(f"/w/a/{MAPS}").get_json()["metadata"]["resourceVersion"]
    client.post(f"/w/a/{MAPS}", json=config_map("a"))
    for number in range(20):
        assert client.put(f"/w/a/{MAPS}/a", json=config_map("a", f"{number}" * 10_000)).status_code == 200
    last = client.get(f"/w/a/{MAPS}").get_json()["metadata"]["resourceVersion"]

    watch = f"/w/a/{MAPS}?watch=1&timeoutSeconds=-1&resourceVersion="
    assert client.get(watch + first).get_json()["code"] == 410
    kept = client.get(f"{watch}{int(last) - 1}").text
    assert [json.loads(line)["type"] for line in kept.splitlines()] == ["MODIFIED"]


def test_a_workspace_has_only_so_many_watches_and_one_that_ends_makes_room(site: Site) -> None:
    client = site(workspace_watches=2)
    for name in "ab":  # so that every watch has something to tell at once
        assert client.post(f"/w/{name}/{MAPS}", json=config_map("a")).status_code == 201
    address = f"/w/a/{MAPS}?watch=1"
    running = [client.get(address, buffered=False) for _ in range(2)]
    assert_too_much(client.get(address), "this workspace has 2 watches", "when one of them has ended")
    other = client.get(f"/w/b/{MAPS}?watch=1", buffered=False)
    assert other.status_code == 200
    running[0].close()
    again = client.get(address, buffered=False)
    assert again.status_code == 200
    for each in (*running[1:], other, again):
        each.close()


def test_the_kubeconfig_leads_to_the_workspace(site: Site) -> None:
    answer = site(hosts="lab.example").get("/w/mine/kubeconfig", headers={"Host": "lab.example:8443"})
    assert (answer.status_code, answer.content_type) == (200, "application/yaml")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="kubeconfig-mine.yaml"'
    config = yaml.safe_load(answer.text)
    context = next(each["context"] for each in config["contexts"] if each["name"] == config["current-context"])
    servers = {each["name"]: each["cluster"]["server"] for each in config["clusters"]}
    assert servers[context["cluster"]] == "http://lab.example:8443/w/mine"
    assert context["user"] in [each["name"] for each in config["users"]]


@pytest.mark.parametrize(
    ("host", "opens", "told"),
    [
        ("127.0.0.1", True, "kubectl --server http://127.0.0.1:80/w/demo get namespaces"),
        ("::1", True, "kubectl --server http://[::1]:80/w/demo get namespaces"),
        ("192.0.2.1", False, "curl -X POST http://192.0.2.1:80/w/ makes one and tells how to use it"),
    ],
)
def test_the_start_tells_how_to_reach_a_workspace(host: str, opens: bool, told: str) -> None:
    assert greeting(host, 80, opens).splitlines()[1].endswith(f": {told}")


@pytest.fixture
def server() -> Iterator[tuple[str, str]]:
    """A server process: its address, and what it printed at its start."""
    environ = {name: text for name, text in os.environ.items() if not name.startswith("PATCHYARD_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "web.cli", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environ
    )
    assert process.stdout is not None
    greeting = process.stdout.readline() + process.stdout.readline()
    found = re.search(r"http://[\d.:]+", greeting)
    assert found
    yield found[0], greeting
    process.terminate()
    assert process.wait(10) == 0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("kubectl") is None, reason="there is no kubectl on this machine")
def test_kubectl_works_with_what_the_server_prints_and_with_the_kubeconfig(
    server: tuple[str, str], tmp_path: Path
) -> None:
    base, greeting = server
    line = greeting.splitlines()[1].split(": ", 1)[1]
    assert line == f"kubectl --server {base}/w/demo get namespaces"
    environ = {**os.environ, "HOME": str(tmp_path), "KUBECONFIG": ""}

    def run(*words: str) -> str:
        done = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "kube-system" in run(*line.split())
    config = tmp_path / "kubeconfig"
    config.write_text(run("curl", "-fsS", f"{base}/w/demo/kubeconfig"))
    kubectl = ("kubectl", "--kubeconfig", str(config))
    run(*kubectl, "create", "configmap", "settings", "--from-literal=mode=careful")
    assert run(*kubectl, "get", "configmap", "settings", "-o", "jsonpath={.data.mode}") == "careful"
    assert run(*kubectl, "config", "current-context") == "demo\n"


@pytest.mark.slow
def test_the_server_ends_though_somebody_watches_and_listens() -> None:
    environ = {name: text for name, text in os.environ.items() if not name.startswith("PATCHYARD_")}
    command = [sys.executable, "-m", "web.cli", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    assert process.stdout is not None
    port = int(process.stdout.readline().split(" (")[0].rpartition(":")[2])
    listeners = [HTTPConnection("127.0.0.1", port, timeout=20) for _ in range(2)]
    for listener, path in zip(listeners, ("events", "api/v1/namespaces?watch=1"), strict=True):
        listener.request("GET", f"/w/a/{path}")
        assert listener.getresponse().status == 200
    process.terminate()
    assert process.wait(4) == 0
    for listener in listeners:
        listener.close()
