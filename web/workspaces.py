"""Workspaces: one API server each, over a store that all server processes share.

A workspace holds no state in this process but what can be read again: the kinds that its CustomResourceDefinitions
make, and a bell that wakes its watches after a write here. A write of another process is seen within `POLL_SECONDS`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from typing import Protocol
from uuid import uuid4

from engine.apiserver.request import Request, Response
from engine.apiserver.server import APIServer
from engine.apiserver.storage import Change, ObjectKey, ObjectStore, TooOld
from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.value.model import Object
from web.kubeapi.journal import Journal
from web.storage.quota import QuotaExceeded

POLL_SECONDS = 0.5
"""How long a watch sleeps at most before it looks whether another process wrote."""

NAMESPACE = GroupVersionKind("", "v1", "Namespace")
DEFINITION = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
FIRST_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
_ID = re.compile(r"[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?", re.ASCII)

Clock = Callable[[], datetime]


@dataclass(eq=False)
class BadWorkspaceId(EngineError):
    """A text that can be no workspace's id."""

    found: str

    def __str__(self) -> str:
        return (
            f"{self.found!r} is no workspace: expected 1 to 63 lower-case letters, digits, dots, dashes or "
            "underscores, with a letter or digit at both ends"
        )


@dataclass(frozen=True, slots=True)
class NoSuchWorkspace(Exception):
    """A workspace that was not made, on a server that makes none on first use."""

    name: str

    def __str__(self) -> str:
        return f'there is no workspace "{self.name}" here. POST /w/ makes a new one and answers its id'


@dataclass(frozen=True, slots=True)
class Bounds:
    """What workspaces are kept within. opens says that one is made where it is first used."""

    opens: bool = True
    workspaces: int = 5_000
    watches: int = 32


class Stores(Protocol):
    """Where the stores of workspaces are kept, by their names."""

    def count(self) -> int:
        """Return how many workspaces there are."""

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""

    def store(self, name: str) -> ObjectStore:
        """Return the store of a workspace, empty if there was none."""


class Workspace:
    """One workspace, to be used by any number of threads."""

    def __init__(self, name: str, store: ObjectStore, clock: Clock, most_watches: int) -> None:
        self.name, self.store = name, store
        self.most_watches = most_watches
        self.watches = threading.BoundedSemaphore(most_watches)
        self.journal = Journal()
        self._bell = threading.Condition()
        self._lock = threading.Lock()
        self._definitions_at = -1
        self.server = APIServer(builtin_catalog(), lambda: rfc3339(clock()), lambda: str(uuid4()), store)
        self._seed()

    def _seed(self) -> None:
        """Make the namespaces that every cluster has."""
        info = self.server.catalog.kind(NAMESPACE)
        assert info is not None
        for name in FIRST_NAMESPACES:
            if self.store.get(self.server.key(info, "", name)) is None:
                body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                self.server.handle(Request("POST", NAMESPACE, name, body=body, user_agent="patchyard/1"))

    @property
    def catalog(self) -> Catalog:
        """The kinds that are served now."""
        revision = self.store.revision
        if revision != self._definitions_at:
            catalog = builtin_catalog()
            for definition in self.store.list_objects(DEFINITION.group, "customresourcedefinitions", ""):
                catalog = _with_definition(catalog, definition)
            self.server.catalog, self._definitions_at = catalog, revision
        return self.server.catalog

    def handle(self, request: Request) -> tuple[Response, list[Change]]:
        """Return the answer to a request, one write at a time, and what it changed."""
        if request.method == "GET":
            return self.server.handle(request), []
        with self._lock:
            revision = self.store.revision
            response = self.server.handle(request)
            changes = self._changes(revision, request)
        self._ring()
        return response, changes

    def _changes(self, revision: int, request: Request) -> list[Change]:
        """The changes after a revision to what a request is about: another process may have written something else."""
        info = self.server.catalog.kind(request.gvk)
        try:
            changes = self.store.changes(revision) if self.store.revision > revision else []
        except TooOld:
            return []
        return [change for change in changes if info is not None and change.key.resource == info.resource]

    def has_namespace(self, name: str) -> bool:
        """Return True if there is a namespace of that name."""
        return self.store.get(ObjectKey("", "namespaces", "", name)) is not None

    def changes_after(self, revision: int, seconds: float) -> list[Change]:
        """Return the changes after a revision, as soon as there are some or after `seconds`.

        Raises:
            TooOld: the store has forgotten some of them.
        """
        with self._bell:
            if self.store.revision <= revision:
                self._bell.wait(min(seconds, POLL_SECONDS))
        return self.store.changes(revision) if self.store.revision > revision else []

    @property
    def closed(self) -> bool:
        """True once whoever waits for something to happen is to give up, for the server ends."""
        return self.journal.closed

    def close(self) -> None:
        """End the waiting."""
        self.journal.close()
        self._ring()

    def _ring(self) -> None:
        with self._bell:
            self._bell.notify_all()


def _with_definition(catalog: Catalog, definition: Object) -> Catalog:
    try:
        return catalog.with_kinds(kinds_of_definition(definition))
    except EngineError:
        return catalog  # it was refused when it was written, or is half written


class Workspaces:
    """All workspaces, over their stores."""

    def __init__(self, stores: Stores, clock: Clock, bounds: Bounds) -> None:
        self._stores, self._clock, self._bounds = stores, clock, bounds
        self._open: dict[str, Workspace] = {}
        self._lock = threading.Lock()

    def open(self, name: str) -> Workspace:
        """Return the workspace of that name; where they are made on first use, a new one if there was none.

        Raises:
            BadWorkspaceId: there can be none of that name.
            NoSuchWorkspace: there is none, and it is not made.
            QuotaExceeded: there are as many as there may be.
            StoreFailed: the store cannot be used now.
        """
        found = self._open.get(name)
        if found is not None:
            return found
        if not _ID.fullmatch(name):
            raise BadWorkspaceId(name)
        with self._lock:
            if not (self._bounds.opens or name in self._open or self._stores.has(name)):
                raise NoSuchWorkspace(name)
            return self._opened(name)

    def close(self) -> None:
        """End all waiting in all workspaces: watches and listeners are let go."""
        with self._lock:
            for workspace in self._open.values():
                workspace.close()

    def create(self) -> Workspace:
        """Return a new workspace, whose name nobody can guess.

        Raises:
            QuotaExceeded: there are as many as there may be.
            StoreFailed: the store cannot be used now.
        """
        with self._lock:
            return self._opened(token_hex(16))

    def _opened(self, name: str) -> Workspace:
        if name not in self._open:
            if not self._stores.has(name) and self._stores.count() >= self._bounds.workspaces:
                way_out = "Use one that is there, or ask its operator for more (PATCHYARD_WORKSPACES)."
                raise QuotaExceeded("the workspaces of this server are", self._bounds.workspaces, way_out)
            self._open[name] = Workspace(name, self._stores.store(name), self._clock, self._bounds.watches)
        return self._open[name]


def rfc3339(moment: datetime) -> str:
    """Return a moment as Kubernetes writes it: whole seconds, UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
