"""Sixteen clients that read, add one and write back over HTTP: every increment arrives once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cheroot.wsgi import Server

from web.app import create_app
from web.config import Config

WRITERS, EACH = 16, 5
MAPS = "/w/busy/api/v1/namespaces/default/configmaps"


@contextmanager
def served(store: str) -> Iterator[int]:
    """Serve the site on a free port, which is given."""
    app = create_app(Config(store=store), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    server = Server(("127.0.0.1", 0), app, numthreads=WRITERS + 2)
    server.prepare()
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server.bind_addr[1]
    finally:
        server.stop()
        thread.join(10)


def ask(connection: HTTPConnection, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def add(port: int) -> int:
    """Add to the number until this writer's increments have all been taken; return how often it was told to retry."""
    connection, taken, refused = HTTPConnection("127.0.0.1", port, timeout=60), 0, 0
    while taken < EACH:
        obj = ask(connection, "GET", f"{MAPS}/counter")[1]
        obj["data"]["n"] = str(int(obj["data"]["n"]) + 1)
        code, _ = ask(connection, "PUT", f"{MAPS}/counter", obj)
        assert code in (200, 409)
        taken, refused = taken + (code == 200), refused + (code == 409)
    connection.close()
    return refused


@pytest.fixture(params=["in memory", "in a file", "in etcd"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of each sort, by its name."""
    if request.param == "in etcd":
        return f"{request.getfixturevalue('etcd').store}/{tmp_path.name}"
    return str(tmp_path / "store.db") if request.param == "in a file" else ""


def test_every_increment_arrives_once(store: str) -> None:
    with served(store) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        begin = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "counter"}, "data": {"n": "0"}}
        assert ask(connection, "POST", MAPS, begin)[0] == 201
        with ThreadPoolExecutor(WRITERS) as pool:
            refused = list(pool.map(add, [port] * WRITERS))
        connection.close()  # the server has done so if they took long
        assert ask(connection, "GET", f"{MAPS}/counter")[1]["data"] == {"n": str(WRITERS * EACH)}
        connection.close()
    assert sum(refused) > 0, "nobody came between, so that nothing was tried"
