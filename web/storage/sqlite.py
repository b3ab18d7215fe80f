"""An ObjectStore in a SQLite file.

Each workspace has a counter of its own for revisions. A write is one transaction: it reads the stored revision,
compares, counts, writes the object and its change, and commits. What lies in the file as text is not read as JSON
where only its size or its revision counts.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Hashable, Iterator

from engine.apiserver.storage import Change, ObjectKey, Raced, TooOld
from engine.meta.object_meta import with_metadata
from engine.value.model import Object
from web.storage.quota import Quota, Usage
from web.storage.sqlite_file import Database

DEFAULT_QUOTA = Quota()
HISTORY = 1000
"""How many changes of each workspace are kept for watches that begin in the past."""
_WHERE = "workspace = ? AND api_group = ? AND resource = ? AND namespace = ? AND name = ?"


class SQLiteStore:
    """One workspace's objects in a database; see ObjectStore."""

    def __init__(
        self,
        database: Database,
        workspace: str,
        history: int = HISTORY,
        quota: Quota = DEFAULT_QUOTA,
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        self._database, self._workspace, self._history, self._quota = database, workspace, history, quota
        self._ring = ring

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
            _, body = self._lying(connection, key)
        if body is None:
            return None
        found: Object = json.loads(body)
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
            version, before = self._lying(connection, key)
            if version != expected:
                raise Raced(key)
            revision = self._next(connection)
            stored = with_metadata(obj, resourceVersion=str(revision))
            body = _spelled(stored)
            past = self._use(connection, before, body)
            connection.execute(
                "INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?, ?, ?)", (*self._row(key), str(revision), body)
            )
            self._note(connection, revision, key, (before, body), past)
        self._ring()
        return stored

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        """Remove the object and return it as it was last; see ObjectStore.

        Raises:
            Raced: the stored object has another resourceVersion than expected.
            StoreFailed: the store cannot be written now.
        """
        with self._database.writing() as connection:
            version, before = self._lying(connection, key)
            if before is None:
                return None
            if expected is not None and version != expected:
                raise Raced(key)
            connection.execute(f"DELETE FROM object WHERE {_WHERE}", self._row(key))  # noqa: S608
            past = self._use(connection, before, None)
            revision = self._next(connection)
            gone = with_metadata(json.loads(before), resourceVersion=str(revision))
            self._note(connection, revision, key, (_spelled(gone), None), past)
        self._ring()
        return gone

    def _lying(self, connection: sqlite3.Connection, key: ObjectKey) -> tuple[str | None, str | None]:
        """The version and the text of an object in the file."""
        query = f"SELECT version, body FROM object WHERE {_WHERE}"  # noqa: S608
        return connection.execute(query, self._row(key)).fetchone() or (None, None)

    def stamp(self, group: str, resource: str) -> Hashable:
        """Return a value that changes with the objects of a resource; see WorkspaceStore."""
        query = (
            "SELECT COUNT(*), MAX(CAST(version AS INTEGER)) FROM object "
            "WHERE workspace = ? AND api_group = ? AND resource = ?"
        )
        with self._database.reading() as connection:
            row: tuple[int, int | None] = connection.execute(query, (self._workspace, group, resource)).fetchone()
            return row

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
        row: tuple[int] = connection.execute(
            "INSERT INTO workspace VALUES (?, 2, 1) ON CONFLICT (id) DO UPDATE SET revision = revision + 1 "
            "RETURNING revision",
            (self._workspace,),
        ).fetchone()
        return row[0]

    def _use(self, connection: sqlite3.Connection, before: str | None, after: str | None) -> int:
        """Count what the workspace holds once an object is another, and return how many bytes its past takes.

        Raises:
            QuotaExceeded: that would be too much.
        """
        row = connection.execute("SELECT objects, bytes, past FROM usage WHERE workspace = ?", (self._workspace,))
        objects, count, past = row.fetchone() or (0, 0, 0)
        sizes = [_size(each) if each is not None else None for each in (before, after)]
        wanted = self._quota.check(Usage(objects, count), *sizes)
        past += sum(size or 0 for size in sizes)
        connection.execute(
            "INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?)", (self._workspace, wanted.objects, wanted.bytes, past)
        )
        return int(past)

    def _note(
        self,
        connection: sqlite3.Connection,
        revision: int,
        key: ObjectKey,
        texts: tuple[str | None, str | None],
        past: int,
    ) -> None:
        """Keep a change, and forget the oldest if there are too many, or if their `past` bytes are."""
        connection.execute(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self._workspace, revision, key.group, key.resource, key.namespace, key.name, *texts),
        )
        if revision % self._history == 0:
            self._forget(connection, revision - self._history)
        elif past > 2 * self._quota.bytes:
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


def _spelled(obj: Object) -> str:
    return json.dumps(obj, ensure_ascii=False, separators=(",", ":"))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
