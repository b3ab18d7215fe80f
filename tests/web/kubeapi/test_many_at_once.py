"""Many clients that write to one object at the same time."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask

from web.app import create_app
from web.config import Config

CLIENTS = 30
OBJECT = "api/v1/namespaces/default/configmaps/a"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


def site(store: str = "") -> Flask:
    return create_app(Config(store=store), lambda: datetime(2030, 1, 1, tzinfo=UTC))


def prepare(app: Flask) -> str:
    """Make the object and return its resourceVersion."""
    made = app.test_client().post("/w/busy/api/v1/namespaces/default/configmaps", json=CONFIG_MAP)
    assert made.status_code == 201
    return str(made.get_json()["metadata"]["resourceVersion"])


def patch(app: Flask, number: int, metadata: dict[str, str]) -> int:
    body = json.dumps({"metadata": metadata, "data": {f"k{number}": str(number)}})
    client = app.test_client()
    return client.patch(f"/w/busy/{OBJECT}", data=body, content_type="application/merge-patch+json").status_code


def at_once(apps: list[Flask], metadata: dict[str, str]) -> Counter[int]:
    """How often each code was answered to patches that go to `apps` in turn."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        return Counter(pool.map(lambda n: patch(apps[n % len(apps)], n, metadata), range(CLIENTS)))


def written(app: Flask) -> int:
    return len(app.test_client().get(f"/w/busy/{OBJECT}").get_json().get("data", {}))


def test_patches_without_a_version_all_succeed() -> None:
    app = site()
    prepare(app)
    assert at_once([app], {}) == {200: CLIENTS}
    assert written(app) == CLIENTS


def test_of_patches_with_the_same_version_one_succeeds() -> None:
    app = site()
    version = prepare(app)
    assert at_once([app], {"resourceVersion": version}) == {200: 1, 409: CLIENTS - 1}
    assert written(app) == 1


def test_servers_that_share_a_store_lose_nothing_that_they_acknowledged(tmp_path: Path) -> None:
    apps = [site(str(tmp_path / "store.db")) for _ in range(3)]
    prepare(apps[0])
    codes = at_once(apps, {})
    assert set(codes) <= {200, 409}
    assert written(apps[0]) == codes[200] > 0
