"""Two clients and one object: each reads, changes its copy and writes it back, in an order that somebody chooses.

A client writes with PUT, with or without the resourceVersion that it read, or sends its change as a patch. What was
acknowledged and is not there in the end was lost. Beside it stands what pessimistic locking would have done: who reads
takes the lock, who wrote gives it back, and the other waits.

Source: Kubernetes documentation, API Concepts: Resource versions; RFC 9110 on lost updates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.jsonmergepatch.apply import apply_merge_patch
from engine.meta.object_meta import text_of, without_metadata
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Object, Value


class Manner(Enum):
    """How a client writes, by the name that forms use."""

    PUT = "put"
    """PUT of the changed copy, with the resourceVersion that was read."""
    BLIND_PUT = "blind-put"
    """PUT of the changed copy without a resourceVersion."""
    PATCH = "patch"
    """A merge patch of the change alone; nothing needs to be read."""


class Act(Enum):
    """What a client does in one step."""

    GET = "get"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Client:
    """A client: its name, the change that it wants (a merge patch), how it writes, and whether it tries again.

    A client that tries again reads anew after a 409, changes that copy and writes it.
    """

    name: str
    change: Object
    manner: Manner
    retries: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """One step of the order: a client, by name, does something."""

    client: str
    act: Act


@dataclass(frozen=True, slots=True)
class Event:
    """One request and what came of it. again: it is a retry. version is the resourceVersion that it was about.

    code is 0 where no request was made: a client that has read nothing has no copy to write back; waits says that a
    client waited for the lock.
    """

    client: str
    act: Act
    method: str
    code: int
    version: str
    message: str
    after: Object | None
    again: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Race:
    """What came of an order of moves: the requests, the object in the end, and whose change was lost.

    lost: the clients whose last write was acknowledged and whose change is not in the object; refused: those whose
    last write was not.
    """

    events: tuple[Event, ...]
    end: Object
    lost: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Clock:
    now: datetime
    new_uid: Callable[[], str]


def race(
    live: Object,
    crds: tuple[Object, ...],
    clients: Sequence[Client],
    moves: Sequence[Move],
    now: datetime,
    new_uid: Callable[[], str],
) -> Race:
    """Return what comes of `moves` on `live`. An object without a resourceVersion gets one.

    Raises:
        MalformedDefinition: one of `crds` defines no kind.
    """
    track = _Track(_versioned(live), crds, {each.name: each for each in clients}, _Clock(now, new_uid), {}, [])
    for move in moves:
        track.take(move)
    return track.finished()


def locked(
    live: Object,
    crds: tuple[Object, ...],
    clients: Sequence[Client],
    moves: Sequence[Move],
    now: datetime,
    new_uid: Callable[[], str],
) -> Race:
    """Return what comes of the same moves where reading takes a lock that only writing gives back.

    A client that finds the lock taken waits; what it wanted to do, it does as soon as the lock is free. What still
    waits in the end is told as waiting.

    Raises:
        as `race`.
    """
    track = _Track(_versioned(live), crds, {each.name: each for each in clients}, _Clock(now, new_uid), {}, [])
    holder, waiting = "", list[Move]()
    for move in moves:
        if holder and move.client != holder or any(each.client == move.client for each in waiting):
            waiting.append(move)
            track.wait(move)
            continue
        holder = track.hold(move)
        while waiting and (not holder or waiting[0].client == holder):
            holder = track.hold(waiting.pop(0))
    return track.finished()


def _versioned(live: Object) -> Object:
    if text_of(live, "resourceVersion"):
        return live
    return {**live, "metadata": {**(live.get("metadata") or {}), "resourceVersion": "1000"}}


@dataclass(slots=True)
class _Track:
    """A race as it goes: what the server holds, and each client's copy."""

    stored: Object
    crds: tuple[Object, ...]
    clients: Mapping[str, Client]
    clock: _Clock
    copies: dict[str, Object]
    events: list[Event]

    def take(self, move: Move) -> None:
        client = self.clients[move.client]
        if move.act is Act.GET:
            self._get(client, again=False)
        elif client.manner is not Manner.PATCH and client.name not in self.copies:
            self.events.append(Event(client.name, move.act, "PUT", 0, "", "", self.stored))
        elif self._write(client, again=False) == 409 and client.retries:
            self._get(client, again=True)
            self._write(client, again=True)

    def hold(self, move: Move) -> str:
        """Make a move that the lock allows; return who holds the lock then."""
        self.take(move)
        return move.client if move.act is Act.GET else ""

    def wait(self, move: Move) -> None:
        method = "GET" if move.act is Act.GET else self._method(self.clients[move.client])
        self.events.append(Event(move.client, move.act, method, 0, "", "", self.stored, waits=True))

    def finished(self) -> Race:
        last = {each.client: each for each in self.events if each.act is Act.WRITE and not each.waits}
        lost = [
            name
            for name, event in last.items()
            if 200 <= event.code < 300 and not _holds(self.stored, self.clients[name].change)
        ]
        refused = [name for name, event in last.items() if event.code >= 300]
        return Race(tuple(self.events), self.stored, tuple(sorted(lost)), tuple(sorted(refused)))

    def _get(self, client: Client, *, again: bool) -> None:
        self.copies[client.name] = self.stored
        version = text_of(self.stored, "resourceVersion")
        self.events.append(Event(client.name, Act.GET, "GET", 200, version, "", self.stored, again))

    def _write(self, client: Client, *, again: bool) -> int:
        done = evaluate(self._request(client), now=self.clock.now, new_uid=self.clock.new_uid)
        self.stored = done.after or self.stored
        version = "" if client.manner is not Manner.PUT else text_of(self.copies[client.name], "resourceVersion")
        method = self._method(client)
        self.events.append(
            Event(client.name, Act.WRITE, method, done.code, version, _message(done), self.stored, again)
        )
        return done.code

    def _method(self, client: Client) -> str:
        return "PATCH" if client.manner is Manner.PATCH else "PUT"

    def _request(self, client: Client) -> Write:
        plain = Write(WriteKind.UPDATE, self.stored, None, self.crds, client.name)
        if client.manner is Manner.PATCH:
            return replace(plain, kind=WriteKind.JSON_MERGE, body=client.change)
        body = apply_merge_patch(self.copies[client.name], client.change)
        assert isinstance(body, dict)
        if client.manner is Manner.BLIND_PUT:
            body = without_metadata(body, "resourceVersion")
        return replace(plain, body=body)


def _message(done: Evaluation) -> str:
    message = done.body.get("message") if done.after is None and isinstance(done.body, dict) else ""
    return message if isinstance(message, str) else ""


def _holds(value: Value | Missing, change: Value) -> bool:
    """True if a value is as a merge patch wants it."""
    if not isinstance(change, dict):
        return not isinstance(value, Missing) and equal(value, change)
    members = value if isinstance(value, dict) else {}
    return all(
        name not in members if wanted is None else _holds(members.get(name, MISSING), wanted)
        for name, wanted in change.items()
    )
