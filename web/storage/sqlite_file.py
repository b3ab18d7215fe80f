"""One SQLite file, shared by any number of threads and of server processes.

A connection is lent for one reading or writing: a thousand threads that wait need none, and each would take 70 kB.

A write is one immediate transaction. What was acknowledged is in the write-ahead log: a process that is killed loses
nothing of it. Writers wait for each other as long as `busy_seconds`; a file that stays locked, or a full disk, is a
StoreFailed.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path

from web.storage.failure import StoreFailed

_PAUSE, _SHORTEST, _GROWTH = 0.01, 0.0001, 1.2
MOST_IDLE = 16
"""How many connections are kept for the next use."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS workspace (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, forgotten INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS object (
    workspace TEXT NOT NULL, api_group TEXT NOT NULL, resource TEXT NOT NULL, namespace TEXT NOT NULL,
    name TEXT NOT NULL, version TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (workspace, api_group, resource, namespace, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS change (
    workspace TEXT NOT NULL, revision INTEGER NOT NULL, api_group TEXT NOT NULL, resource TEXT NOT NULL,
    namespace TEXT NOT NULL, name TEXT NOT NULL, before TEXT, after TEXT,
    PRIMARY KEY (workspace, revision)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS usage (
    workspace TEXT PRIMARY KEY, objects INTEGER NOT NULL, bytes INTEGER NOT NULL, past INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS request (
    number INTEGER PRIMARY KEY AUTOINCREMENT, workspace TEXT NOT NULL, time TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, content_type TEXT NOT NULL, code INTEGER NOT NULL, revisions TEXT NOT NULL,
    sent TEXT NOT NULL, told TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS request_of_workspace ON request (workspace, number);
INSERT OR IGNORE INTO usage SELECT workspace, COUNT(*), SUM(LENGTH(CAST(body AS BLOB))), 0 FROM object
    WHERE workspace NOT IN (SELECT workspace FROM usage) GROUP BY workspace;
"""
"""The last statement counts what a file holds that was written before there were quotas."""

_REASONS = {
    "SQLITE_BUSY": "it is locked by another process. Try again when that one is done",
    "SQLITE_READONLY": "it is read-only. Make the file and its folder writable for the server, then try again",
    "SQLITE_FULL": "its disk is full. Free some space there, then try again",
    "SQLITE_CANTOPEN": "it cannot be opened. Put the file, or a folder for it, where the server can reach it",
    "SQLITE_NOTADB": "it is no SQLite database. Name another file, or move that one away",
}
"""What is told of SQLite's failures: what is wrong, and what to do."""


class Synchronous(StrEnum):
    """When a write reaches the disk. NORMAL: soon; FULL: before it is acknowledged, which a power cut cannot undo."""

    NORMAL = "normal"
    FULL = "full"


class Database:
    """One SQLite file, with as many connections as there are readers and writers at a time."""

    def __init__(
        self, path: Path | str, busy_seconds: float = 5.0, synchronous: Synchronous = Synchronous.NORMAL
    ) -> None:
        self._path, self._busy, self._synchronous = str(path), busy_seconds, synchronous
        self._readers: deque[sqlite3.Connection] = deque()
        self._writers: deque[sqlite3.Connection] = deque()
        """Connections that nobody uses now; those that write do not wait for other writers by themselves."""
        self._set_up(time.monotonic() + busy_seconds)

    def _set_up(self, deadline: float) -> None:
        """Make the tables; SQLite does not wait by itself for another process that makes the file at the same time."""
        while True:
            try:
                with self.reading() as connection:
                    connection.executescript(_SCHEMA)
                return
            except StoreFailed as failure:
                if not failure.is_passing or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE)

    def _opened(self, *, waits: bool) -> sqlite3.Connection:
        """Return a new connection; waits: it waits for other writers by itself."""
        made = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        made.execute("PRAGMA journal_mode = WAL")
        made.execute(f"PRAGMA synchronous = {self._synchronous.upper()}")
        if not waits:
            made.execute("PRAGMA busy_timeout = 0")
        return made

    @contextmanager
    def _lent(self, idle: deque[sqlite3.Connection], *, waits: bool) -> Iterator[sqlite3.Connection]:
        """Lend the idle connection that was given back last, else a new one."""
        try:
            connection = idle.pop()
        except IndexError:
            connection = self._opened(waits=waits)
        try:
            yield connection
        finally:
            if len(idle) < MOST_IDLE:
                idle.append(connection)
            else:
                connection.close()

    @contextmanager
    def lasting(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that nobody else uses, and that is closed at the end.

        Raises:
            StoreFailed: the file cannot be used now.
        """
        try:
            with closing(sqlite3.connect(self._path, timeout=self._busy, isolation_level=None)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise _failure("read", error) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection to read with.

        Raises:
            StoreFailed: the file cannot be used now.
        """
        try:
            with self._lent(self._readers, waits=True) as connection:
                yield connection
        except sqlite3.Error as error:
            raise _failure("read", error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection in a transaction of its own, which is committed at the end and undone on failure.

        Raises:
            StoreFailed: the file cannot be used now.
        """
        try:
            with self._lent(self._writers, waits=False) as connection:
                try:
                    self._begin(connection)
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:  # some failures have undone it already
                        connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise _failure("written", error) from error

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction once no other writes, or raise what SQLite does.

        A write takes some 0.4 ms; SQLite would look again after 1 ms, 2 ms, 5 ms and so on.
        """
        deadline, pause = time.monotonic() + self._busy, _SHORTEST
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(pause)
            pause = min(pause * _GROWTH, _PAUSE)


def _failure(attempt: str, error: sqlite3.Error) -> StoreFailed:
    code = getattr(error, "sqlite_errorname", "")
    reason = next((text for name, text in _REASONS.items() if code.startswith(name)), str(error))
    return StoreFailed(attempt, reason, is_passing=code.startswith("SQLITE_BUSY"))
