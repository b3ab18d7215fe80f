"""Several processes on one file, and processes that die in the middle of a write."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.apiserver.storage import ObjectKey
from tests.web.storage.writer import COUNTER
from web.storage.failure import StoreFailed
from web.storage.quota import Quota, QuotaExceeded
from web.storage.sqlite import SQLiteStore
from web.storage.sqlite_file import Database

WRITER = Path(__file__).with_name("writer.py")


def start(file: Path, prefix: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(file), "w", prefix, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def reopened(file: Path) -> SQLiteStore:
    return SQLiteStore(Database(file), "w")


def counted(store: SQLiteStore) -> int:
    have = store.get(COUNTER)
    return int(have["data"]["n"]) if have else 0


def made(store: SQLiteStore) -> set[str]:
    return {obj["metadata"]["name"] for obj in store.list_objects("", "configmaps", "default")} - {"counter"}


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    file, count = tmp_path / "store.db", 150
    writers = [start(file, prefix, count) for prefix in ("left", "right")]
    told = [line.split() for writer in writers for line in writer.communicate(timeout=120)[0].splitlines()]
    assert [writer.returncode for writer in writers] == [0, 0]
    store = reopened(file)
    assert made(store) == {name for name, _ in told}
    assert sorted(int(number) for _, number in told) == list(range(1, 2 * count + 1))
    assert (counted(store), store.revision) == (2 * count, 1 + 4 * count)
    revisions = [change.revision for change in store.changes(store.revision - 100)]
    assert revisions == list(range(store.revision - 99, store.revision + 1))


def test_what_a_file_held_before_there_were_quotas_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    store = reopened(file)
    for name in ("a", "b"):
        store.put(ObjectKey("", "configmaps", "default", name), {"metadata": {"name": name}}, None)
    with sqlite3.connect(file) as older:
        counted_by_us = older.execute("SELECT objects, bytes FROM usage").fetchall()
        older.execute("DROP TABLE usage")
    older.close()
    bounded = SQLiteStore(Database(file), "w", quota=Quota(objects=2))
    with sqlite3.connect(file) as now:
        assert now.execute("SELECT objects, bytes FROM usage").fetchall() == counted_by_us
    now.close()
    with pytest.raises(QuotaExceeded):
        bounded.put(ObjectKey("", "configmaps", "default", "c"), {"metadata": {"name": "c"}}, None)


class Contended(Database):
    """A database that another process locks in the first moments, in a way that SQLite does not wait for by itself."""

    refusals = 3

    def _opened(self, *, waits: bool) -> sqlite3.Connection:
        if self.refusals:
            self.refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = "SQLITE_BUSY"
            raise error
        return super()._opened(waits=waits)


def test_who_opens_a_file_that_another_is_making_waits_for_it(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed):
        Contended(tmp_path / "store.db", busy_seconds=0)
    assert SQLiteStore(Contended(tmp_path / "store.db"), "w").revision == 1


def killed(file: Path, prefix: str, lines: int) -> list[tuple[str, int]]:
    """What a writer told that was killed in the middle of a write, after so many lines."""
    with start(file, prefix, 1_000_000) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(lines)]
        writer.kill()
        told += [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    return [(name, int(number)) for name, number in map(str.split, told)]


def check_kills(file: Path, writes: int, most_lines: int) -> int:
    """Kill writers until so many writes were acknowledged; return how many were."""
    random, acknowledged = Random(7), 0
    names = set[str]()
    while acknowledged < writes:
        told = killed(file, f"p{acknowledged}", random.randint(most_lines // 2, most_lines))
        acknowledged += 2 * len(told)
        names |= {name for name, _ in told}
        store = reopened(file)
        last = told[-1][1]
        assert counted(store) in (last, last + 1), "a number was lost"
        assert made(store) >= names, "an object was lost"
        changes = store.changes(store.revision - 50)
        assert [change.revision for change in changes] == list(range(store.revision - 49, store.revision + 1))
    return acknowledged


def test_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    assert check_kills(tmp_path / "store.db", 1_000, 150) >= 1_000


@pytest.mark.slow
def test_ten_thousand_acknowledged_writes_survive_a_kill_every_few_hundred(tmp_path: Path) -> None:
    assert check_kills(tmp_path / "store.db", 10_000, 150) >= 10_000
