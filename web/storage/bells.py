"""What wakes those who wait for something to happen in a workspace: a bell for each.

A store rings after each write of its own, and a lookout of the store rings for the writes of other processes. The
lookout is started when somebody waits for the first time, and asked for no more than those workspaces.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

Lookout = Callable[["Bells"], None]
"""Rings for the writes of other processes until the bells are closed; runs in a thread of its own."""


class Bell:
    """The bell of one workspace."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.rung = self.waiting = 0

    def ring(self) -> None:
        """Wake whoever waits."""
        with self._condition:
            self.rung += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> None:
        """Return as soon as the bell has been rung more than `heard` times, at the latest after so many seconds."""
        with self._condition:
            self.waiting += 1
            self._condition.wait_for(lambda: self.rung != heard, seconds)
            self.waiting -= 1


class Bells:
    """The bells of all workspaces."""

    def __init__(self, lookout: Lookout | None = None) -> None:
        self._bells: dict[str, Bell] = {}
        self._lookout = lookout
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def bell(self, workspace: str) -> Bell:
        """Return the bell of a workspace."""
        found = self._bells.get(workspace)
        return found if found is not None else self._bells.setdefault(workspace, Bell())

    def ring(self, workspace: str) -> None:
        """Wake whoever waits for something in a workspace."""
        found = self._bells.get(workspace)
        if found is not None:
            found.ring()

    def waited_for(self) -> list[str]:
        """Return the workspaces that somebody waits for now."""
        return [name for name, bell in list(self._bells.items()) if bell.waiting]

    def wait(self, workspace: str, heard: int, seconds: float) -> None:
        """Wait for the bell of a workspace; see Bell.wait."""
        with self._lock:
            lookout, self._lookout = self._lookout, None
        if lookout is not None:
            threading.Thread(target=lookout, args=(self,), name="lookout", daemon=True).start()
        if not self.closed.is_set():
            self.bell(workspace).wait(heard, seconds)

    def close(self) -> None:
        """Wake everybody, and end the lookout; nobody waits any more."""
        self.closed.set()
        for bell in list(self._bells.values()):
            bell.ring()
