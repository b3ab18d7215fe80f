"""The stores that the contract of ObjectStore is tried on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.apiserver.storage import MemoryStore, ObjectStore
from web.storage.memory import BoundedMemoryStore
from web.storage.quota import Quota
from web.storage.sqlite import Database, SQLiteStore

MakeStore = Callable[[int], ObjectStore]
"""Makes an empty store that remembers about so many changes."""


@pytest.fixture(params=["memory", "bounded memory", "sqlite"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    """Make stores of one sort."""
    if request.param == "memory":
        return lambda history: MemoryStore(history=history)
    if request.param == "bounded memory":
        return lambda history: BoundedMemoryStore(Quota(), history)
    database = Database(tmp_path / "store.db")
    return lambda history: SQLiteStore(database, f"of-{history}", history)


@pytest.fixture
def store(make_store: MakeStore) -> ObjectStore:
    """An empty store."""
    return make_store(1000)
