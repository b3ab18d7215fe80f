"""All workspaces in one etcd: their stores, their notes, and the lookout for other processes' writes."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import astuple, replace
from secrets import token_hex

from web.storage import etcd_gateway as gateway
from web.storage.bells import Bells
from web.storage.etcd import Compaction, EtcdStore
from web.storage.etcd_gateway import Compacted, Gateway
from web.storage.failure import StoreFailed
from web.storage.quota import NO_QUOTA, Quota
from web.storage.stores import MOST_NOTES, Note

PREFIX = "/patchyard"
NOTE_SECONDS = 24 * 3600
"""How long a note of a request is kept at least."""
SLOTS = 50
"""How many writings of notes a process leaves for a workspace, of one or more notes each."""
_PAUSE = 1.0
_MOST_AT_ONCE = 1000


class Leases:
    """Leases under which notes are written: a new one as often as half of its time has passed."""

    def __init__(self, etcd: Gateway) -> None:
        self._etcd, self._lease, self._until = etcd, "", 0.0
        self._lock = threading.Lock()

    def current(self) -> str:
        """Return a lease that lasts NOTE_SECONDS yet."""
        with self._lock:
            if time.monotonic() > self._until:
                self._lease = self._etcd.lease(2 * NOTE_SECONDS)
                self._until = time.monotonic() + NOTE_SECONDS
            return self._lease


class EtcdNotebook:
    """The notes of one workspace. Those of one writing share a revision, which their numbers are made of."""

    def __init__(self, etcd: Gateway, prefix: str, leases: Leases, bells: Bells, name: str) -> None:
        self._etcd, self._leases, self._bells, self._name = etcd, leases, bells, name
        self._prefix = f"{prefix}/n/{name}/"
        self._process, self._slot = token_hex(4), 0

    def add(self, notes: list[Note]) -> None:
        """Keep notes; see Notebook.

        Raises:
            StoreFailed: the store cannot be written now.
        """
        self._slot = (self._slot + 1) % SLOTS
        place = f"{self._prefix}{self._process}-{self._slot}".encode()
        older, shown = notes[-_MOST_AT_ONCE:-MOST_NOTES], notes[-MOST_NOTES:]
        told = [replace(note, sent="", told="") for note in older] + shown  # one value of etcd holds them all
        text = json.dumps([astuple(note) for note in told])
        self._etcd.transact([], [gateway.put(place, text.encode(), self._leases.current())], [])
        self._bells.ring(self._name)

    def after(self, number: int) -> list[Note]:
        """Return the notes after the one of that number; see Notebook."""
        written = self._etcd.listed(self._prefix.encode(), number // _MOST_AT_ONCE)
        found = [
            replace(Note(*fields), revisions=tuple(fields[5]), number=each.revision * _MOST_AT_ONCE + index)
            for each in written
            for index, fields in enumerate(json.loads(each.value))
        ]
        return sorted((note for note in found if note.number > number), key=lambda note: note.number)[-MOST_NOTES:]


class EtcdStores:
    """The stores of all workspaces in one etcd."""

    def __init__(self, etcd: Gateway, quota: Quota, prefix: str = PREFIX) -> None:
        self._etcd, self._quota, self._prefix = etcd, quota, prefix
        self._compaction, self._leases = Compaction(), Leases(etcd)
        self._notebooks: dict[str, EtcdNotebook] = {}
        self.bells = Bells(self._look_out)
        self.note_delay = 0.1
        self.check()

    def directory(self) -> EtcdStore:
        """Return the store of what is known of the workspaces themselves."""
        return EtcdStore(self._etcd, f"{self._prefix}/directory", "all", NO_QUOTA, self._compaction)

    def count(self) -> int:
        """Return how many workspaces there are."""
        return self._etcd.count(f"{self._prefix}/u/".encode())[0]

    def has(self, name: str) -> bool:
        """Return True if there is a workspace of that name."""
        return bool(self._etcd.read(f"{self._prefix}/u/{name}".encode()).found[0])

    def store(self, name: str) -> EtcdStore:
        """Return the store of a workspace, empty if there was none."""
        return EtcdStore(self._etcd, self._prefix, name, self._quota, self._compaction, lambda: self.bells.ring(name))

    def notebook(self, name: str) -> EtcdNotebook:
        """Return the notes of a workspace."""
        made = EtcdNotebook(self._etcd, self._prefix, self._leases, self.bells, name)
        return self._notebooks.setdefault(name, made)

    def remove(self, name: str) -> None:
        """Remove a workspace with all that is in it."""
        operations = [
            gateway.delete(f"{self._prefix}/o/{name}/".encode(), prefix=True),
            gateway.delete(f"{self._prefix}/n/{name}/".encode(), prefix=True),
            gateway.delete(f"{self._prefix}/u/{name}".encode()),
        ]
        self._etcd.transact([], operations, [])
        self.bells.ring(name)

    def check(self) -> None:
        """Return if etcd answers.

        Raises:
            StoreFailed: it does not.
        """
        self._etcd.read(f"{self._prefix}/u/".encode())

    def _look_out(self, bells: Bells) -> None:
        """Ring for each workspace whose usage or notes are written; where etcd was away, for all."""
        for sort in ("u", "n"):
            threading.Thread(target=self._hear, args=(bells, f"{self._prefix}/{sort}/"), daemon=True).start()

    def _hear(self, bells: Bells, prefix: str) -> None:
        def ring_all() -> None:
            for name in bells.waited_for():
                bells.ring(name)

        while not bells.closed.is_set():
            try:
                for events in self._etcd.watch(prefix.encode(), 0, ring_all):
                    for name in {each.key.decode().removeprefix(prefix).split("/")[0] for each in events}:
                        bells.ring(name)
            except (StoreFailed, Compacted):
                bells.closed.wait(_PAUSE)
