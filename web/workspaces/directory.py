"""Which workspaces there are, which links lead to them, and when each was last written to.

It is kept beside the workspaces in their store, so that every server process knows the same. What was read is believed
for CACHE_SECONDS, so that a request costs no reading of it: a link that is taken back in another process may be used
for so long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from secrets import token_hex

from engine.apiserver.storage import ObjectKey, ObjectStore, Raced
from engine.meta.object_meta import text_of
from engine.value.model import Object
from web.workspaces.access import ALL, Link, Rights, check_link

CACHE_SECONDS = 2.0
MOST_CACHED = 10_000
TOUCH = timedelta(hours=1)
"""How old the note of the last write may be before a write renews it."""
_GROUP = "patchyard"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a workspace. token is the SHA-256 of its token, empty if it wants none."""

    name: str
    used: datetime
    token: str = ""
    links: tuple[Link, ...] = ()

    def rights(self, key: str) -> Rights | None:
        """Return what a key opens: the workspace's own name, or that of a link; None if it is neither."""
        if key == self.name:
            return ALL
        return next((link.rights for link in self.links if link.key == key), None)

    def admits(self, key: str, token: str) -> bool:
        """Return True if the token is the one that the workspace wants. Links are keys by themselves."""
        return not self.token or key != self.name or compare_digest(self.token, digest(token))


def digest(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Directory:
    """The entries of all workspaces, in a store of their own."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._cache: dict[str, tuple[float, Entry]] = {}

    def find(self, key: str) -> Entry | None:
        """Return the entry of the workspace that a key opens, or None."""
        cached = self._cache.get(key)
        if cached is not None and cached[0] > time.monotonic():
            return cached[1]
        entry = self._read(key)
        if entry is None:
            self._cache.pop(key, None)
            return None
        if len(self._cache) > MOST_CACHED:
            self._cache.clear()
        self._cache[key] = (time.monotonic() + CACHE_SECONDS, entry)
        return entry

    def _read(self, key: str) -> Entry | None:
        found = self._store.get(_place("workspaces", key))
        if found is not None:
            return _entry(found)
        pointer = self._store.get(_place("links", key))
        found = self._store.get(_place("workspaces", pointer["workspace"])) if pointer is not None else None
        entry = _entry(found) if found is not None else None
        return entry if entry is not None and entry.rights(key) is not None else None

    def all(self) -> list[Entry]:
        """Return the entries of all workspaces."""
        return [_entry(each) for each in self._store.list_objects(_GROUP, "workspaces", "")]

    def add(self, name: str, now: datetime, token: str = "") -> Entry:
        """Return the entry of a new workspace; of one that is there already, its own."""
        entry = Entry(name, now, digest(token) if token else "")
        with suppress(Raced):
            self._store.put(_place("workspaces", name), _spelled(entry), None)
        self._cache.pop(name, None)
        return self._read(name) or entry

    def touch(self, entry: Entry, now: datetime) -> None:
        """Note that a workspace was written to, unless that was noted lately."""
        if now - entry.used >= TOUCH:
            self._change(entry.name, lambda current: replace(current, used=max(now, current.used)))

    def add_link(self, name: str, label: str, verbs: tuple[str, ...]) -> Link:
        """Return a new link into a workspace.

        Raises:
            BadLink: it may get no such link.
        """
        link = Link(token_hex(16), label, verbs)

        def added(entry: Entry) -> Entry:
            check_link(label, verbs, entry.links)
            return replace(entry, links=(*entry.links, link))

        self._store.put(_place("links", link.key), {"metadata": {"name": link.key}, "workspace": name}, None)
        try:
            self._change(name, added)
        except BaseException:
            self._store.delete(_place("links", link.key), None)
            raise
        return link

    def remove_link(self, name: str, key: str) -> None:
        """Take a link back; does nothing if there is none."""
        self._change(name, lambda entry: replace(entry, links=tuple(each for each in entry.links if each.key != key)))
        pointer = self._store.get(_place("links", key))
        if pointer is not None and pointer["workspace"] == name:
            self._store.delete(_place("links", key), None)

    def remove(self, entry: Entry) -> None:
        """Forget a workspace and its links."""
        for link in entry.links:
            self._store.delete(_place("links", link.key), None)
        self._store.delete(_place("workspaces", entry.name), None)
        self._cache.clear()

    def _change(self, name: str, changed: Callable[[Entry], Entry]) -> None:
        """Change an entry, again and again until nobody came between."""
        while True:
            found = self._store.get(_place("workspaces", name))
            if found is None:
                return
            try:
                self._store.put(
                    _place("workspaces", name), _spelled(changed(_entry(found))), text_of(found, "resourceVersion")
                )
            except Raced:
                continue
            self._cache.clear()
            return


def _place(resource: str, name: str) -> ObjectKey:
    return ObjectKey(_GROUP, resource, "", name)


def _spelled(entry: Entry) -> Object:
    return {
        "metadata": {"name": entry.name},
        "used": entry.used.isoformat(),
        "token": entry.token,
        "links": [{"key": each.key, "label": each.label, "verbs": list(each.verbs)} for each in entry.links],
    }


def _entry(found: Object) -> Entry:
    links = tuple(Link(each["key"], each["label"], tuple(each["verbs"])) for each in found["links"])
    return Entry(text_of(found, "name"), datetime.fromisoformat(found["used"]), found["token"], links)
