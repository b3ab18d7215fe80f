"""An ObjectStore in a SQLite file, shared by all workspaces and by any number of server processes.

Each workspace has a counter of its own for revisions. A write is one immediate transaction: it reads the stored
revision, compares, counts, writes the object and its change, and commits; what was acknowledged is in the write-ahead
log, on the disk. Writers wait for each other as long as `busy_seconds`; a file that stays locked, or a full disk, is a
StoreFailed.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.apiserver.storage import Change, ObjectKey, Raced, TooOld
from engine.meta.object_meta import text_of, with_metadata
from engine.value.model import Object
from web.storage.quota import Quota, Usage

DEFAULT_QUOTA = Quota()
_PAUSE = 0.01
HISTORY = 1000
"""How many changes of each workspace are kept for watches that begin in the past."""

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
INSERT OR IGNORE INTO usage SELECT workspace, COUNT(*), SUM(LENGTH(CAST(body AS BLOB))), 0 FROM object
    WHERE workspace NOT IN (SELECT workspace FROM usage) GROUP BY workspace;
"""
"""The last statement counts what a file holds that was written before there were quotas."""
_WHERE = "workspace = ? AND api_group = ? AND resource = ? AND namespace = ? AND name = ?"


_REASONS = {
    "SQLITE_BUSY": "it is locked by another process. Try again when that one is done",
    "SQLITE_READONLY": "it is read-only. Make the file and its folder writable for the server, then try again",
    "SQLITE_FULL": "its disk is full. Free some space there, then try again",
    "SQLITE_CANTOPEN": "it cannot be opened. Put the file, or a folder for it, where the server can reach it",
    "SQLITE_NOTADB": "it is no SQLite database. Name another file, or move that one away",
}
"""What is told of SQLite's failures: what is wrong, and what to do."""


@dataclass(eq=False)
class StoreFailed(Exception):
    """The store cannot be read or written now; nothing was lost, and nothing of this request was written.

    It is no EngineError: the engine has no answer to it.
    """

    attempt: str
    error: sqlite3.Error

    @property
    def is_passing(self) -> bool:
        """True if it may do to try again."""
        return self._code.startswith("SQLITE_BUSY")

    @property
    def _code(self) -> str:
        return getattr(self.error, "sqlite_errorname", "")

    def __str__(self) -> str:
        reason = next((text for code, text in _REASONS.items() if self._code.startswith(code)), str(self.error))
        return f"the store cannot be {self.attempt}: {reason}"


class Database:
    """One SQLite file, with a connection per thread."""

    def __init__(self, path: Path | str, busy_seconds: float = 5.0) -> None:
        self._path, self._busy = str(path), busy_seconds
        self._local = threading.local()
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

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None)
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = FULL")
            self._local.connection = found
        return found

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection to read with.

        Raises:
            StoreFailed: the file cannot be used now.
        """
        try:
            yield self._connection()
        except sqlite3.Error as error:
            raise StoreFailed("read", error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection in a transaction of its own, which is committed at the end and undone on failure.

        Raises:
            StoreFailed: the file cannot be used now.
        """
        try:
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # some failures have undone it already
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreFailed("written", error) from error


class SQLiteStore:
    """One workspace's objects in a database; see ObjectStore."""

    def __init__(
        self, database: Database, workspace: str, history: int = HISTORY, quota: Quota = DEFAULT_QUOTA
    ) -> None:
        self._database, self._workspace, self._history, self._quota = database, workspace, history, quota

    @property
    def revision(self) -> int:
        """The revision of the last write."""
        with self._database.reading() as connection:
            return self._revision(connection)[0]

    def _revision(self, connection: sqlite3.Connection) -> tuple[int, int]:
        row = connection.execute(
            "SELECT revision, forgotten FROM workspace WHERE id = ?", (self._workspace,)
        ).fetchone()
        return (row[0], row[1]) if row else (1, 1)

    def get(self, key: ObjectKey) -> Object | None:
        """Return the object, or None."""
        with self._database.reading() as connection:
            return self._get(connection, key)

    def _get(self, connection: sqlite3.Connection, key: ObjectKey) -> Object | None:
        row = connection.execute(f"SELECT body FROM object WHERE {_WHERE}", self._row(key)).fetchone()  # noqa: S608
        if row is None:
            return None
        found: Object = json.loads(row[0])
        return found

    def _row(self, key: ObjectKey) -> tuple[str, str, str, str, str]:
        return self._workspace, key.group, key.resource, key.namespace, key.name

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        """Store `obj` and return it with its new resourceVersion; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected, or is there and should not.
            QuotaExceeded: there would be too much.
            StoreFailed: the store cannot be written now.
        """
        with self._database.writing() as connection:
            have = self._get(connection, key)
            if (text_of(have, "resourceVersion") if have is not None else None) != expected:
                raise Raced(key)
            revision = self._next(connection)
            stored = with_metadata(obj, resourceVersion=str(revision))
            body = _spelled(stored)
            self._use(connection, have, stored)
            connection.execute(
                "INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?, ?, ?)", (*self._row(key), str(revision), body)
            )
            self._note(connection, revision, key, have, stored)
        return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
            StoreFailed: the store cannot be written now.
        """
        with self._database.writing() as connection:
            have = self._get(connection, key)
            if have is None:
                return None
            if expected is not None and text_of(have, "resourceVersion") != expected:
                raise Raced(key)
            connection.execute(f"DELETE FROM object WHERE {_WHERE}", self._row(key))  # noqa: S608
            self._use(connection, have, None)
            gone = with_metadata(have, resourceVersion=str(self._next(connection)))
            self._note(connection, int(text_of(gone, "resourceVersion")), key, gone, None)
        return gone

    def list_objects(self, group: str, resource: str, namespace: str) -> Iterator[Object]:
        """Yield the objects of a resource by namespace and name; an empty namespace means all."""
        query = "SELECT body FROM object WHERE workspace = ? AND api_group = ? AND resource = ?"
        values = [self._workspace, group, resource]
        if namespace:
            query, values = f"{query} AND namespace = ?", [*values, namespace]
        with self._database.reading() as connection:
            rows = connection.execute(f"{query} ORDER BY namespace, name", values).fetchall()
        for (body,) in rows:
            yield json.loads(body)

    def changes(self, after: int) -> list[Change]:
        """Return the changes after a revision, oldest first; see ObjectStore.

        Raises:
            TooOld: the store has forgotten some of them.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT revision, api_group, resource, namespace, name, before, after FROM change "
                "WHERE workspace = ? AND revision > ? ORDER BY revision",
                (self._workspace, after),
            ).fetchall()
            forgotten = self._revision(connection)[1]  # asked last: another process may forget at any moment
        if after < forgotten:
            raise TooOld(after, forgotten)
        return [
            Change(row[0], ObjectKey(*row[1:5]), *(json.loads(each) if each else None for each in row[5:7]))
            for row in rows
        ]

    def _next(self, connection: sqlite3.Connection) -> int:
        connection.execute(
            "INSERT INTO workspace VALUES (?, 2, 1) ON CONFLICT (id) DO UPDATE SET revision = revision + 1",
            (self._workspace,),
        )
        return self._revision(connection)[0]

    def _use(self, connection: sqlite3.Connection, before: Object | None, after: Object | None) -> None:
        """Count what the workspace holds once an object is another.

        Raises:
            QuotaExceeded: that would be too much.
        """
        row = connection.execute("SELECT objects, bytes, past FROM usage WHERE workspace = ?", (self._workspace,))
        objects, count, past = row.fetchone() or (0, 0, 0)
        sizes = [_size(each) if each is not None else None for each in (before, after)]
        wanted = Usage(objects, count).replaced(*sizes)
        self._quota.check(Usage(objects, count), wanted)
        connection.execute(
            "INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?)",
            (self._workspace, wanted.objects, wanted.bytes, past + sum(size or 0 for size in sizes)),
        )

    def _note(
        self, connection: sqlite3.Connection, revision: int, key: ObjectKey, before: Object | None, after: Object | None
    ) -> None:
        texts = (_spelled(each) if each is not None else None for each in (before, after))
        connection.execute(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self._workspace, revision, key.group, key.resource, key.namespace, key.name, *texts),
        )
        if revision % self._history == 0:
            self._forget(connection, revision - self._history)
        past = connection.execute("SELECT past FROM usage WHERE workspace = ?", (self._workspace,)).fetchone()[0]
        if past > 2 * self._quota.bytes:
            oldest = self._revision(connection)[1]
            self._forget(connection, (oldest + revision) // 2)

    def _forget(self, connection: sqlite3.Connection, revision: int) -> None:
        """Forget the changes up to a revision, and count what is kept."""
        connection.execute("DELETE FROM change WHERE workspace = ? AND revision <= ?", (self._workspace, revision))
        connection.execute(
            "UPDATE workspace SET forgotten = MAX(forgotten, ?) WHERE id = ?", (revision, self._workspace)
        )
        connection.execute(
            "UPDATE usage SET past = (SELECT COALESCE(SUM(COALESCE(LENGTH(CAST(before AS BLOB)), 0) "
            "+ COALESCE(LENGTH(CAST(after AS BLOB)), 0)), 0) FROM change WHERE workspace = ?1) WHERE workspace = ?1",
            (self._workspace,),
        )


class SQLiteStores:
    """The stores of all workspaces in one file."""

    def __init__(self, database: Database, quota: Quota) -> None:
        self._database, self._quota = database, quota

    def count(self) -> int:
        """Return how many workspaces there are."""
        with self._database.reading() as connection:
            found: int = connection.execute("SELECT COUNT(*) FROM workspace").fetchone()[0]
            return found

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""
        with self._database.reading() as connection:
            return connection.execute("SELECT 1 FROM workspace WHERE id = ?", (name,)).fetchone() is not None

    def store(self, name: str) -> SQLiteStore:
        """Return the store of a workspace, empty if there was none."""
        return SQLiteStore(self._database, name, quota=self._quota)


def _spelled(obj: Object) -> str:
    return json.dumps(obj, ensure_ascii=False, separators=(",", ":"))


def _size(obj: Object) -> int:
    return len(_spelled(obj).encode("utf-8", "surrogatepass"))
