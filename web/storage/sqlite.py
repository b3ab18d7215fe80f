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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.apiserver.storage import Change, ObjectKey, Raced, TooOld
from engine.meta.object_meta import text_of, with_metadata
from engine.value.model import Object

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
"""
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

    def __str__(self) -> str:
        name = getattr(self.error, "sqlite_errorname", "")
        reason = next((text for code, text in _REASONS.items() if name.startswith(code)), str(self.error))
        return f"the store cannot be {self.attempt}: {reason}"


class Database:
    """One SQLite file, with a connection per thread."""

    def __init__(self, path: Path | str, busy_seconds: float = 5.0) -> None:
        self._path, self._busy = str(path), busy_seconds
        self._local = threading.local()
        with self.reading() as connection:
            connection.executescript(_SCHEMA)

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

    def __init__(self, database: Database, workspace: str, history: int = HISTORY) -> None:
        self._database, self._workspace, self._history = database, workspace, history

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
            StoreFailed: the store cannot be written now.
        """
        with self._database.writing() as connection:
            have = self._get(connection, key)
            if (text_of(have, "resourceVersion") if have is not None else None) != expected:
                raise Raced(key)
            revision = self._next(connection)
            stored = with_metadata(obj, resourceVersion=str(revision))
            body = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
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

    def _note(
        self, connection: sqlite3.Connection, revision: int, key: ObjectKey, before: Object | None, after: Object | None
    ) -> None:
        texts = (json.dumps(each, ensure_ascii=False) if each is not None else None for each in (before, after))
        connection.execute(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self._workspace, revision, key.group, key.resource, key.namespace, key.name, *texts),
        )
        if revision % self._history == 0:
            forgotten = revision - self._history
            connection.execute("DELETE FROM change WHERE workspace = ? AND revision <= ?", (self._workspace, forgotten))
            connection.execute(
                "UPDATE workspace SET forgotten = MAX(forgotten, ?) WHERE id = ?", (forgotten, self._workspace)
            )
