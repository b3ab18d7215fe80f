"""A file that cannot be used: the answer is a 503 with a sentence, and nothing is lost."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.apiserver.storage import ObjectKey
from web.kubeapi.api import Api
from web.kubeapi.exchange import HttpAnswer, HttpRequest
from web.storage.failure import StoreFailed
from web.storage.quota import Quota
from web.storage.sqlite import SQLiteStore
from web.storage.sqlite_file import Database
from web.storage.sqlite_stores import SQLiteStores
from web.workspaces import Bounds, Workspace, Workspaces

MAPS = "api/v1/namespaces/default/configmaps"
BODY = b'{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}'
KEY = ObjectKey("", "configmaps", "default", "a")


def now() -> datetime:
    return datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def workspace(file: Path) -> Workspace:
    """A workspace on a file, with one ConfigMap; who waits for a lock waits shortly."""
    database = Database(file, busy_seconds=0.05)
    opened = Workspaces(SQLiteStores(database, Quota()), now, Bounds()).open("w")
    opened.store.put(KEY, {"metadata": {"name": "a"}}, None)
    return opened


def asked(workspace: Workspace, method: str, path: str, body: bytes = b"") -> HttpAnswer:
    told = Api(workspace, "/w/w", now).handle(HttpRequest(method, path, content_type="application/json", body=body))
    assert isinstance(told, HttpAnswer)
    return told


def assert_refused(answer: HttpAnswer, *words: str) -> None:
    assert answer.code == 503
    assert answer.headers["Retry-After"] == "1"
    for word in words:
        assert word in answer.body.decode()


def test_a_locked_file_is_told_and_serves_again_when_it_is_free(workspace: Workspace, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert_refused(
        asked(workspace, "POST", MAPS, BODY), "cannot be written: it is locked by another process. Try again"
    )
    assert asked(workspace, "GET", f"{MAPS}/a").code == 200, "a lock for writing keeps nobody from reading"
    other.execute("ROLLBACK")
    assert asked(workspace, "POST", MAPS, BODY).code == 201
    assert asked(workspace, "GET", f"{MAPS}/a").code == 200


def test_a_full_disk_is_told_and_loses_nothing(file: Path) -> None:
    database = Database(file)
    opened = Workspaces(SQLiteStores(database, Quota()), now, Bounds()).open("w")
    opened.store.put(KEY, {"metadata": {"name": "a"}}, None)
    with database.writing() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    big = BODY.replace(b"}}", b'}, "data": {"k": "' + b"x" * 50_000 + b'"}}')
    before = opened.store.revision
    assert_refused(asked(opened, "POST", MAPS, big), "cannot be written: its disk is full. Free some space")
    assert (opened.store.revision, opened.store.get(KEY) is None) == (before, False)
    with database.writing() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages + 100}")
    assert asked(opened, "POST", MAPS, big).code == 201


def test_a_file_that_may_only_be_read_is_told(file: Path, workspace: Workspace) -> None:
    read_only = SQLiteStore(Database(file), "w")
    with read_only._database.writing() as connection:  # noqa: SLF001 - root may write to any file
        connection.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreFailed) as caught:
        read_only.put(ObjectKey("", "configmaps", "default", "b"), {"metadata": {"name": "b"}}, None)
    assert str(caught.value).startswith("the store cannot be written: it is read-only. Make the file and its folder")
    assert read_only.get(KEY) is not None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every file")
def test_a_file_without_the_right_to_write_is_told_at_the_start(file: Path, workspace: Workspace) -> None:
    file.chmod(0o444)
    with pytest.raises(StoreFailed):
        SQLiteStore(Database(file), "w").put(KEY, {"metadata": {"name": "a"}}, None)


@pytest.mark.parametrize(
    ("text", "told"), [(b"not a database at all" * 100, "it is no SQLite database"), (None, "it cannot be opened")]
)
def test_what_is_no_store_is_told(tmp_path: Path, text: bytes | None, told: str) -> None:
    file = tmp_path / "x" if text else tmp_path / "missing" / "x"
    if text:
        file.write_bytes(text)
    with pytest.raises(StoreFailed) as caught:
        Database(file)
    assert told in str(caught.value)
