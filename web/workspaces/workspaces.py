"""All workspaces: how they are made, opened, and how they end."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe

from web.storage.failure import StoreFailed
from web.storage.quota import QuotaExceeded
from web.storage.stores import Stores
from web.workspaces.access import ALL, Link, Rights
from web.workspaces.directory import Directory, Entry
from web.workspaces.failures import BadWorkspaceId, NoSuchWorkspace, Unauthorized
from web.workspaces.workspace import Clock, Workspace

_ID = re.compile(r"[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?", re.ASCII)
SWEEP = timedelta(hours=1)
"""How often workspaces are looked for that have expired."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What workspaces are kept within. opens says that one is made where it is first used; 0 days or rate: no end."""

    opens: bool = True
    workspaces: int = 5_000
    watches: int = 32
    rate: int = 0
    days: int = 0


@dataclass(frozen=True, slots=True)
class Entrance:
    """A workspace as somebody entered it: by which key, with which rights, and when it ends unless it is written to.

    token is what the workspace wants of its owner, empty if it wants none.
    """

    workspace: Workspace
    key: str
    rights: Rights
    entry: Entry
    ends: datetime | None
    ends_soon: bool
    token: str = ""

    @property
    def is_owner(self) -> bool:
        """True if it was entered by its own id."""
        return self.key == self.entry.name

    @property
    def warning(self) -> str:
        """What whoever uses the workspace is to know: that it ends soon; else empty."""
        if not self.ends_soon or self.ends is None:
            return ""
        day = self.ends.strftime("%Y-%m-%d %H:%M UTC")
        return f"this workspace will be deleted on {day} unless something is written to it before"


class Workspaces:
    """All workspaces, over their stores."""

    def __init__(self, stores: Stores, clock: Clock, bounds: Bounds) -> None:
        self._stores, self._clock, self._bounds = stores, clock, bounds
        self.directory = Directory(stores.directory())
        self._open: dict[str, Workspace] = {}
        self._lock = threading.Lock()
        self._swept: datetime | None = None

    @property
    def days(self) -> int:
        """After how many days without a write a workspace is deleted, 0 for never."""
        return self._bounds.days

    def open(self, name: str) -> Workspace:
        """Return the workspace of that name; see enter."""
        return self.enter(name).workspace

    def enter(self, key: str, token: str = "") -> Entrance:
        """Return the workspace that a key opens; where they are made on first use, a new one if there was none.

        Raises:
            BadWorkspaceId: there can be none of that name.
            NoSuchWorkspace: there is none, and it is not made.
            Unauthorized: it wants another token.
            QuotaExceeded: there are as many as there may be.
            StoreFailed: the store cannot be used now.
        """
        if not _ID.fullmatch(key):
            raise BadWorkspaceId(key)
        self._sweep()
        entry = self._alive(self.directory.find(key))
        if entry is None:
            if not (self._bounds.opens or self._stores.has(key)):
                raise NoSuchWorkspace(key)
            entry = self._added(key)
        rights = entry.rights(key)
        if rights is None:
            raise NoSuchWorkspace(key)
        if not entry.admits(key, token):
            raise Unauthorized
        ends = self._end(entry)
        soon = ends is not None and ends - self._clock() < timedelta(days=self._bounds.days) / 10
        wanted = token if entry.token and key == entry.name else ""
        return Entrance(self._opened(entry.name), key, rights, entry, ends, soon, wanted)

    def create(self, *, with_token: bool = False) -> tuple[Entrance, str]:
        """Return a new workspace, whose name nobody can guess, and its token, empty if it is to want none.

        Raises:
            QuotaExceeded: there are as many as there may be.
            StoreFailed: the store cannot be used now.
        """
        name, token = token_hex(16), token_urlsafe(32) if with_token else ""
        entry = self._added(name, token)
        return Entrance(self._opened(name), name, ALL, entry, self._end(entry), False, token), token

    def written(self, entrance: Entrance) -> None:
        """Note that somebody wrote to a workspace."""
        try:
            self.directory.touch(entrance.entry, self._clock())
        except StoreFailed:
            return  # the next write will note it

    def add_link(self, entrance: Entrance, label: str, verbs: tuple[str, ...]) -> Link:
        """Return a new link into a workspace; see Directory.add_link."""
        return self.directory.add_link(entrance.entry.name, label, verbs)

    @property
    def closed(self) -> bool:
        """True once the server is ending."""
        return self._stores.bells.closed.is_set()

    def in_use(self) -> tuple[int, int]:
        """Return how many watches and listeners there are in this process, and how many workspaces it has opened."""
        opened = list(self._open.values())
        return sum(each.watches_taken for each in opened), len(opened)

    def check(self) -> None:
        """Return if the store can be used.

        Raises:
            StoreFailed: it cannot.
        """
        self._stores.check()

    def close(self) -> None:
        """End all waiting in all workspaces: watches and listeners are let go."""
        with self._lock:
            for workspace in self._open.values():
                workspace.journal.close()
        self._stores.bells.close()

    def _added(self, name: str, token: str = "") -> Entry:
        with self._lock:
            if not self._stores.has(name) and self._stores.count() >= self._bounds.workspaces:
                way_out = "Use one that is there, or ask its operator for more (PATCHYARD_WORKSPACES)."
                raise QuotaExceeded("the workspaces of this server are", self._bounds.workspaces, way_out)
            return self.directory.add(name, self._clock(), token)

    def _opened(self, name: str) -> Workspace:
        found = self._open.get(name)
        if found is not None:
            return found
        with self._lock:
            if name not in self._open:
                bounds = self._bounds
                self._open[name] = Workspace(name, self._stores, self._clock, bounds.watches, bounds.rate)
            return self._open[name]

    def _end(self, entry: Entry) -> datetime | None:
        return entry.used + timedelta(days=self._bounds.days) if self._bounds.days else None

    def _alive(self, entry: Entry | None) -> Entry | None:
        """The entry, unless its workspace has expired: then it is removed."""
        end = self._end(entry) if entry is not None else None
        if entry is None or end is None or end > self._clock():
            return entry
        self.directory.remove(entry)
        self._stores.remove(entry.name)
        self._open.pop(entry.name, None)
        return None

    def _sweep(self) -> None:
        """Remove the workspaces that have expired, once in a while."""
        now = self._clock()
        if not self._bounds.days or (self._swept is not None and now - self._swept < SWEEP):
            return
        self._swept = now
        for entry in self.directory.all():
            self._alive(entry)
