"""All workspaces in one SQLite file: their stores, their notes, and the lookout for other processes' writes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress

from web.storage.bells import Bells
from web.storage.failure import StoreFailed
from web.storage.quota import NO_QUOTA, Quota
from web.storage.sqlite import SQLiteStore
from web.storage.sqlite_file import Database
from web.storage.stores import MOST_NOTES, Note

DIRECTORY = "_directory"
"""The name that the directory lies under; no workspace can have it."""
LOOKOUT_SECONDS = 0.1
"""How often the file is looked at for writes of other processes, while somebody waits for one."""


class SQLiteNotebook:
    """The notes of one workspace."""

    def __init__(self, database: Database, workspace: str, bells: Bells) -> None:
        self._database, self._workspace, self._bells = database, workspace, bells

    def add(self, notes: list[Note]) -> None:
        """Keep notes; see Notebook.

        Raises:
            StoreFailed: the store cannot be written now.
        """
        rows = [
            (self._workspace, n.time, n.method, n.path, n.content_type, n.code, json.dumps(n.revisions), n.sent, n.told)
            for n in notes
        ]
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO request (workspace, time, method, path, content_type, code, revisions, sent, told) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            connection.execute(
                "DELETE FROM request WHERE workspace = ?1 AND number <= "
                "(SELECT number FROM request WHERE workspace = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
                (self._workspace, MOST_NOTES),
            )
        self._bells.ring(self._workspace)

    def after(self, number: int) -> list[Note]:
        """Return the notes after the one of that number; see Notebook."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT time, method, path, content_type, code, revisions, sent, told, number FROM request "
                "WHERE workspace = ? AND number > ? ORDER BY number",
                (self._workspace, number),
            ).fetchall()
        return [
            Note(time, method, path, content_type, code, tuple(json.loads(revisions)), sent, told, at)
            for time, method, path, content_type, code, revisions, sent, told, at in rows
        ]


class SQLiteStores:
    """The stores of all workspaces in one file."""

    def __init__(self, database: Database, quota: Quota) -> None:
        self._database, self._quota = database, quota
        self.bells = Bells(self._look_out)
        self.note_delay = 0.1

    def directory(self) -> SQLiteStore:
        """Return the store of what is known of the workspaces themselves."""
        return SQLiteStore(self._database, DIRECTORY, history=10, quota=NO_QUOTA)

    def count(self) -> int:
        """Return how many workspaces there are."""
        with self._database.reading() as connection:
            query = "SELECT COUNT(*) FROM workspace WHERE id <> ?"
            found: int = connection.execute(query, (DIRECTORY,)).fetchone()[0]
            return found

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""
        with self._database.reading() as connection:
            return connection.execute("SELECT 1 FROM workspace WHERE id = ?", (name,)).fetchone() is not None

    def store(self, name: str) -> SQLiteStore:
        """Return the store of a workspace, empty if there was none."""
        return SQLiteStore(self._database, name, quota=self._quota, ring=lambda: self.bells.ring(name))

    def notebook(self, name: str) -> SQLiteNotebook:
        """Return the notes of a workspace."""
        return SQLiteNotebook(self._database, name, self.bells)

    def remove(self, name: str) -> None:
        """Remove a workspace with all that is in it."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM workspace WHERE id = ?", (name,))
            for table in ("object", "change", "usage", "request"):
                connection.execute(f"DELETE FROM {table} WHERE workspace = ?", (name,))  # noqa: S608
        self.bells.ring(name)

    def check(self) -> None:
        """Return if the file can be read.

        Raises:
            StoreFailed: it cannot.
        """
        with self._database.reading() as connection:
            connection.execute("SELECT 1 FROM workspace LIMIT 1").fetchone()

    def _look_out(self, bells: Bells) -> None:
        """Ring for each workspace that somebody waits for and that has another revision or note than before."""
        known: dict[str, tuple[int, int]] = {}
        while not bells.closed.is_set():
            with suppress(StoreFailed), self._database.lasting() as connection:
                known = self._watch(bells, connection, known)
            bells.closed.wait(LOOKOUT_SECONDS)

    def _watch(
        self, bells: Bells, connection: sqlite3.Connection, known: dict[str, tuple[int, int]]
    ) -> dict[str, tuple[int, int]]:
        """Look until the bells are closed. A connection tells cheaply whether any other wrote since it was asked last.

        Raises:
            StoreFailed: the file cannot be read now.
        """
        version = -1
        while not bells.closed.wait(LOOKOUT_SECONDS):
            written = connection.execute("PRAGMA data_version").fetchone()[0]
            waited = bells.waited_for()
            if written == version and all(name in known for name in waited):
                continue
            version = written
            fresh = {name: self._reached(name) for name in waited}
            for name, reached in fresh.items():
                if known.get(name) != reached:
                    bells.ring(name)
            known = fresh
        return known

    def _reached(self, name: str) -> tuple[int, int]:
        """The revision and the number of the last note of a workspace."""
        with self._database.reading() as connection:
            found: tuple[int, int] = connection.execute(
                "SELECT (SELECT COALESCE(MAX(revision), 0) FROM workspace WHERE id = ?1), "
                "(SELECT COALESCE(MAX(number), 0) FROM request WHERE workspace = ?1)",
                (name,),
            ).fetchone()
            return found
