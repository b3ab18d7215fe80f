"""The stores that the contract of ObjectStore is tried on: memory, SQLite and a real etcd."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from engine.apiserver.storage import MemoryStore, ObjectStore
from tests.support.etcd import MISSING, Etcd, is_there
from web.storage.etcd import Compaction, EtcdStore
from web.storage.etcd_gateway import Gateway
from web.storage.memory import BoundedMemoryStore
from web.storage.quota import Quota
from web.storage.sqlite import SQLiteStore
from web.storage.sqlite_file import Database

MakeStore = Callable[[int], ObjectStore]
"""Makes an empty store that remembers about so many changes."""


def make_etcd(folder: Path) -> Etcd:
    """Start an etcd; where there is none the test is skipped, but not on a machine that checks for others."""
    if not is_there():
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return Etcd(folder)


@pytest.fixture(scope="session")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Etcd]:
    """An etcd that all tests share, each in a place of its own."""
    made = make_etcd(tmp_path_factory.mktemp("etcd"))
    yield made
    made.kill()


@pytest.fixture(params=["memory", "bounded memory", "sqlite", "etcd"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    """Make stores of one sort."""
    if request.param == "memory":
        return lambda history: MemoryStore(history=history)
    if request.param == "bounded memory":
        return lambda history: BoundedMemoryStore(Quota(), history)
    if request.param == "etcd":
        gateway, prefix = Gateway(request.getfixturevalue("etcd").address), f"/test/{uuid4()}"
        return lambda history: EtcdStore(gateway, prefix, f"of-{history}", Quota(), Compaction(history))
    database = Database(tmp_path / "store.db")
    return lambda history: SQLiteStore(database, f"of-{history}", history)


@pytest.fixture
def store(make_store: MakeStore) -> ObjectStore:
    """An empty store."""
    return make_store(1000)
