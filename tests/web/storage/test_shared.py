"""Several server processes on one store: each tells what came to another, and nobody's writes are lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from web.config import Config

MAPS = "/w/a/api/v1/namespaces/default/configmaps"
MakeSite = Callable[[], FlaskClient]


def config_map(name: str, value: str = "v") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": value}}


@pytest.fixture(params=["sqlite", "etcd"])
def make_site(request: pytest.FixtureRequest, tmp_path: Path) -> MakeSite:
    """Makes sites that share nothing but a store."""
    if request.param == "etcd":
        store = f"{request.getfixturevalue('etcd').store}/{tmp_path.name}"
    else:
        store = str(tmp_path / "store.db")
    return lambda: create_app(Config(store=store), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


def lines_of(client: FlaskClient, address: str) -> Iterator[str]:
    answer = client.get(address, buffered=False)
    assert answer.status_code == 200
    for chunk in answer.response:
        yield from (line for line in chunk.decode().splitlines() if line)  # type: ignore[union-attr]


def later(action: Callable[[], Any], seconds: float = 0.3) -> None:
    def run() -> None:
        time.sleep(seconds)
        action()

    Thread(target=run, daemon=True).start()


def test_a_watch_of_one_process_tells_what_another_wrote(make_site: MakeSite) -> None:
    here, there = make_site(), make_site()
    assert there.post(MAPS, json=config_map("first")).status_code == 201
    told = lines_of(here, f"{MAPS}?watch=1&timeoutSeconds=10")
    assert json.loads(next(told))["object"]["metadata"]["name"] == "first"
    began = time.monotonic()
    later(lambda: there.put(f"{MAPS}/first", json=config_map("first", "w")))
    event = json.loads(next(told))
    assert (event["type"], event["object"]["data"]) == ("MODIFIED", {"k": "w"})
    assert time.monotonic() - began < 2.5


def test_a_page_of_one_process_tells_what_came_to_another(make_site: MakeSite) -> None:
    here, there = make_site(), make_site()
    told = (line for line in lines_of(here, "/w/a/events") if line.startswith("data: "))
    later(lambda: there.post(f"{MAPS}?fieldManager=ci", json=config_map("a")))
    happened = json.loads(next(told).removeprefix("data: "))
    assert (happened["method"], happened["code"]) == ("POST", 201)
    assert happened["ownership"][0]["gained"] == [".data.k"]
    shown = there.get("/w/a/", headers={"Accept": "text/html"}).text
    assert "POST /api/v1/namespaces/default/configmaps?fieldManager=ci" in shown


def test_a_definition_that_one_process_made_is_served_by_another(make_site: MakeSite) -> None:
    here, there = make_site(), make_site()
    things = "/w/a/apis/lab.io/v1/namespaces/default/things"
    assert here.get(things).status_code == 404
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.lab.io"},
        "spec": {
            "group": "lab.io",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    path = "/w/a/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    assert there.post(path, json=definition).status_code == 201
    assert here.get(things).status_code == 200
    assert there.delete(f"{path}/things.lab.io").status_code == 200
    assert here.get(things).status_code == 404


def test_a_list_in_pages_and_a_deletion_of_all_are_the_same_everywhere(make_site: MakeSite) -> None:
    here, there = make_site(), make_site()
    for number in range(7):
        assert (here, there)[number % 2].post(MAPS, json=config_map(f"m{number}")).status_code == 201
    first = here.get(f"{MAPS}?limit=4").get_json()
    rest = there.get(f"{MAPS}?limit=4&continue={first['metadata']['continue']}").get_json()
    assert [each["metadata"]["name"] for each in first["items"] + rest["items"]] == [f"m{n}" for n in range(7)]
    assert there.delete(MAPS).status_code == 200
    assert here.get(MAPS).get_json()["items"] == []
