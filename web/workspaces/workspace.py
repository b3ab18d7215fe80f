"""One workspace: an API server over a store that all server processes share.

A workspace holds no state in this process but what can be read again: the kinds that its CustomResourceDefinitions
make. A bell wakes its watches after a write, whichever process made it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from engine.apiserver.request import Request, Response
from engine.apiserver.server import APIServer
from engine.apiserver.storage import Change, ObjectKey
from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.value.model import Object
from web.kubeapi.journal import Journal
from web.storage.stores import Stores
from web.workspaces.recording import RecordingStore

NAMESPACE = GroupVersionKind("", "v1", "Namespace")
DEFINITION = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
FIRST_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")

Clock = Callable[[], datetime]


@dataclass
class Bucket:
    """Tokens that requests take: so many a second come back, at most so many seconds' worth. 0 is without bounds."""

    rate: int
    tokens: float = -1.0
    filled: float = 0.0

    BURST_SECONDS = 2

    def take(self, now: float) -> float:
        """Take a token and return 0, or how many seconds it takes until there is one. now is a clock that only grows.

        It is used by several threads without a lock: the worst that comes of it is a request too many.
        """
        if not self.rate:
            return 0.0
        most = float(self.rate * self.BURST_SECONDS)
        have = most if self.tokens < 0 else min(most, self.tokens + (now - self.filled) * self.rate)
        self.filled = now
        if have < 1:
            self.tokens = have
            return (1 - have) / self.rate
        self.tokens = have - 1
        return 0.0


class Places:
    """So many places, to be taken and given back by any number of threads."""

    def __init__(self, most: int) -> None:
        self._most, self.taken = most, 0
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Take a place; False if there is none left."""
        with self._lock:
            if self.taken >= self._most:
                return False
            self.taken += 1
            return True

    def give_back(self) -> None:
        """Give a place back."""
        with self._lock:
            self.taken -= 1


class Workspace:
    """One workspace, to be used by any number of threads."""

    def __init__(self, name: str, stores: Stores, clock: Clock, most_watches: int, rate: int = 0) -> None:
        self.name, self.store, self._bells = name, stores.store(name), stores.bells
        self.most_watches, self.rate = most_watches, rate
        self.watches = Places(most_watches)
        self.journal = Journal(stores.notebook(name), self.store, self._bells, name, stores.note_delay)
        self._bucket = Bucket(rate)
        self._lock = threading.Lock()
        self._clock = clock
        self._served: tuple[object, Catalog] = (None, builtin_catalog())
        self._seed()

    def _seed(self) -> None:
        """Make the namespaces that every cluster has."""
        for name in FIRST_NAMESPACES:
            if self.store.get(ObjectKey("", "namespaces", "", name)) is None:
                body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
                self.handle(Request("POST", NAMESPACE, name, body=body, user_agent="patchyard/1"))

    @property
    def catalog(self) -> Catalog:
        """The kinds that are served now."""
        stamp = self.store.stamp(DEFINITION.group, "customresourcedefinitions")
        known, catalog = self._served
        if stamp != known:
            catalog = builtin_catalog()
            for definition in self.store.list_objects(DEFINITION.group, "customresourcedefinitions", ""):
                catalog = _with_definition(catalog, definition)
            self._served = (stamp, catalog)
        return catalog

    def server(self, store: RecordingStore | None = None) -> APIServer:
        """Return the API server of the workspace, over its store or over what one request sees of it."""
        catalog = self._served[1]
        return APIServer(catalog, lambda: rfc3339(self._clock()), lambda: str(uuid4()), store or self.store)

    def handle(
        self,
        request: Request,
        forbids_creation: Callable[[ObjectKey], object] | None = None,
        settles: Callable[[], None] = lambda: None,
    ) -> tuple[Response, tuple[int, ...]]:
        """Return the answer to a request, one write at a time, and the revisions that it made.

        forbids_creation is called before an object is made that was not there, and may raise; settles before
        anything is written, and may raise, too.
        """
        if request.method == "GET":
            return self.server().handle(request), ()
        store = RecordingStore(self.store, forbids_creation, settles)
        with self._lock:
            response = self.server(store).handle(request)
        return response, tuple(store.revisions)

    @property
    def watches_taken(self) -> int:
        """How many watches and listeners there are in this process now."""
        return self.watches.taken

    def seconds_to_wait(self) -> float:
        """Return 0 if there is room for a request now, else after how many seconds there is."""
        return self._bucket.take(time.monotonic())

    def has_namespace(self, name: str) -> bool:
        """Return True if there is a namespace of that name."""
        return self.store.get(ObjectKey("", "namespaces", "", name)) is not None

    def changes_after(self, revision: int, seconds: float) -> list[Change]:
        """Return the changes after a revision, as soon as there are some or after `seconds`.

        Raises:
            TooOld: the store has forgotten some of them.
            StoreFailed: the store cannot be read now.
        """
        heard = self._bells.bell(self.name).rung
        if self.store.revision <= revision:
            self._bells.wait(self.name, heard, seconds)
        return self.store.changes(revision) if self.store.revision > revision else []

    def wake(self) -> None:
        """Have whoever waits look whether something happened."""
        self._bells.ring(self.name)

    @property
    def closed(self) -> bool:
        """True once whoever waits for something to happen is to give up, for the server ends."""
        return self._bells.closed.is_set()


def _with_definition(catalog: Catalog, definition: Object) -> Catalog:
    try:
        return catalog.with_kinds(kinds_of_definition(definition))
    except EngineError:
        return catalog  # it was refused when it was written, or is half written


def rfc3339(moment: datetime) -> str:
    """Return a moment as Kubernetes writes it: whole seconds, UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
