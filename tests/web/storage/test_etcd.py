"""An etcd that goes away and comes back, or forgets: a sentence, and nothing is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.apiserver.storage import ObjectKey
from tests.support.etcd import Etcd
from tests.web.storage.conftest import make_etcd
from web.app import create_app
from web.config import Config
from web.storage.etcd import Compaction, EtcdStore
from web.storage.etcd_gateway import Gateway
from web.storage.failure import StoreFailed
from web.storage.opening import open_stores
from web.storage.quota import Quota, QuotaExceeded

MAPS = "/w/a/api/v1/namespaces/default/configmaps"


def config_map(name: str, value: str = "v") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": value}}


def site(store: str) -> FlaskClient:
    return create_app(Config(store=store), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Etcd]:
    """An etcd of this test's own, that it may end."""
    made = make_etcd(tmp_path / "etcd")
    yield made
    made.kill()


def test_an_etcd_that_goes_away_is_told_and_a_watch_goes_on_when_it_is_back(own: Etcd) -> None:
    client = site(own.store)
    assert client.post(MAPS, json=config_map("a")).status_code == 201
    answer = client.get(f"{MAPS}?watch=1&timeoutSeconds=60", buffered=False)
    told: list[dict[str, Any]] = []

    def listen() -> None:
        for chunk in answer.response:
            told.extend(json.loads(line) for line in chunk.splitlines() if line)
            if len(told) > 1:
                return

    listener = Thread(target=listen, daemon=True)
    listener.start()
    time.sleep(0.3)

    own.kill()
    refused = client.put(f"{MAPS}/a", json=config_map("a", "lost?"))
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert "the store cannot be read: etcd at http://127.0.0.1:" in refused.get_json()["message"]
    assert "Start it, or wait until it is back, then try again" in refused.get_json()["message"]
    assert client.get(f"{MAPS}/a").status_code == 503
    assert client.get("/w/a/", headers={"Accept": "text/html"}).status_code == 503

    own.start()
    assert client.get(f"{MAPS}/a").get_json()["data"] == {"k": "v"}
    assert client.put(f"{MAPS}/a", json=config_map("a", "w")).status_code == 200
    listener.join(10)
    assert [(event["type"], event["object"]["data"]["k"]) for event in told] == [("ADDED", "v"), ("MODIFIED", "w")]
    answer.close()


@pytest.mark.slow
def test_what_was_acknowledged_is_there_after_etcd_was_killed_in_the_middle_of_writes(own: Etcd) -> None:
    store = EtcdStore(Gateway(own.address), "/kill", "w", Quota(), Compaction())
    acknowledged: set[str] = set()
    for round_ in range(3):
        written: list[str] = []

        def write(round_: int = round_, written: list[str] = written) -> None:
            for number in range(100_000):
                name = f"r{round_}-{number:05}"
                try:
                    store.put(ObjectKey("", "configmaps", "default", name), {"metadata": {"name": name}}, None)
                except StoreFailed:
                    return
                written.append(name)

        writer = Thread(target=write)
        writer.start()
        while len(written) < 60:
            time.sleep(0.01)
        own.kill()
        writer.join(10)
        own.start()
        acknowledged |= set(written)
        found = [each["metadata"]["name"] for each in store.list_objects("", "configmaps", "default")]
        assert acknowledged <= set(found)
        assert len(store.changes(1)) == len(found)


def test_a_watch_from_a_past_that_is_compacted_is_too_old(own: Etcd) -> None:
    client = site(own.store)
    first = client.post(MAPS, json=config_map("a")).get_json()["metadata"]["resourceVersion"]
    for number in range(5):
        assert client.put(f"{MAPS}/a", json=config_map("a", str(number))).status_code == 200
    last = int(client.get(MAPS).get_json()["metadata"]["resourceVersion"])
    Gateway(own.address).compact(last)
    gone = client.get(f"{MAPS}?watch=1&timeoutSeconds=1&resourceVersion={first}")
    assert (gone.status_code, gone.get_json()["reason"]) == (410, "Expired")
    assert client.get(f"{MAPS}?watch=1&timeoutSeconds=1&resourceVersion={last}").status_code == 200


def test_the_past_that_is_kept_is_bounded(etcd: Etcd) -> None:
    gateway = Gateway(etcd.address)
    store = EtcdStore(gateway, "/bounded", "w", Quota(), Compaction(20))
    key, stored = ObjectKey("", "configmaps", "default", "a"), None
    for number in range(60):
        stored = store.put(
            key, {"metadata": {"name": "a"}, "n": number}, stored and stored["metadata"]["resourceVersion"]
        )
    with pytest.raises(Exception, match="too old resource version"):
        store.changes(store.revision - 45)
    assert len(store.changes(store.revision - 15)) == 15


def test_what_a_workspace_holds_is_counted_for_all_processes(etcd: Etcd) -> None:
    first, second = (
        EtcdStore(Gateway(etcd.address), "/counted", "w", Quota(objects=2, bytes=1_000), Compaction()) for _ in range(2)
    )
    for store, name in ((first, "a"), (second, "b")):
        store.put(ObjectKey("", "configmaps", "default", name), {"metadata": {"name": name}}, None)
    with pytest.raises(QuotaExceeded, match="the objects of this workspace are 2"):
        second.put(ObjectKey("", "configmaps", "default", "c"), {"metadata": {"name": "c"}}, None)
    first.delete(ObjectKey("", "configmaps", "default", "a"))
    with pytest.raises(QuotaExceeded, match="bytes of this workspace would be more than 1,000"):
        second.put(ObjectKey("", "configmaps", "default", "c"), {"metadata": {"name": "c"}, "d": "x" * 1_000}, None)


def test_an_object_that_is_too_large_for_etcd_is_told(etcd: Etcd) -> None:
    store = EtcdStore(Gateway(etcd.address), "/large", "w", Quota(object_bytes=4 << 20), Compaction())
    with pytest.raises(StoreFailed) as caught:
        store.put(ObjectKey("", "configmaps", "default", "a"), {"metadata": {"name": "a"}, "d": "x" * 2_000_000}, None)
    assert str(caught.value).startswith("the store cannot be written: the object is larger than etcd takes. Make it")
    assert store.get(ObjectKey("", "configmaps", "default", "a")) is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("etcd://", "'etcd://' is no address of etcd. Expected etcd://host:port"),
        ("etcd://h:port", "'etcd://h:port' is no address of etcd. Expected etcd://host:port"),
        ("redis://h:1", "'redis://h:1' is no store. Expected a file, or etcd://host:port"),
        ("etcd://127.0.0.1:1", "etcd at http://127.0.0.1:1 cannot be reached. Start it, or wait"),
    ],
)
def test_what_is_no_etcd_is_told_at_the_start(name: str, told: str) -> None:
    with pytest.raises(StoreFailed) as caught:
        open_stores(name, Quota())
    assert told in str(caught.value)
