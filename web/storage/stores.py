"""What workspaces need of a store: objects of each, and a note of each request, shared by all server processes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from engine.apiserver.storage import ObjectStore
from web.storage.bells import Bells

MOST_NOTES = 100
"""How many requests to a workspace are remembered."""


@dataclass(frozen=True, slots=True)
class Note:
    """A request that came to a workspace, its answer's code, and the revisions that it made.

    sent and told are the beginnings of the request's body and of the answer, as text.

    number grows with each note of a workspace, and is 0 until the note is kept.
    """

    time: str
    method: str
    path: str
    content_type: str
    code: int
    revisions: tuple[int, ...] = ()
    sent: str = ""
    told: str = ""
    number: int = 0


class WorkspaceStore(ObjectStore, Protocol):
    """An ObjectStore that can tell cheaply whether objects of a kind changed."""

    def stamp(self, group: str, resource: str) -> Hashable:
        """Return a value that is another one once any object of the resource was made, changed or removed."""


class Notebook(Protocol):
    """The requests that came to a workspace lately."""

    def add(self, notes: list[Note]) -> None:
        """Keep notes, and forget those that are too many. Rings the bell of the workspace."""

    def after(self, number: int) -> list[Note]:
        """Return the notes after the one of that number, oldest first."""


class Stores(Protocol):
    """Where the stores of workspaces are kept, by their names."""

    @property
    def bells(self) -> Bells:
        """What rings when something is written to a workspace, by whichever process."""

    @property
    def note_delay(self) -> float:
        """For how many seconds notes may be gathered before they are written together; 0 where writing costs little."""

    def directory(self) -> ObjectStore:
        """Return the store of what is known of the workspaces themselves; it has no quota."""

    def count(self) -> int:
        """Return how many workspaces there are."""

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""

    def store(self, name: str) -> WorkspaceStore:
        """Return the store of a workspace, empty if there was none."""

    def notebook(self, name: str) -> Notebook:
        """Return the notes of a workspace."""

    def remove(self, name: str) -> None:
        """Remove a workspace with all that is in it."""

    def check(self) -> None:
        """Return if the store can be read.

        Raises:
            StoreFailed: it cannot.
        """
