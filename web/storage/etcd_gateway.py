"""etcd v3 by its JSON gateway: keys and values as bytes, revisions as numbers.

In the gateway's JSON keys and values are base64, numbers are strings, and what is absent is zero, false or empty.

Source: etcd's API reference, version 3.4: /v3/kv/txn, /v3/kv/range, /v3/kv/compaction, /v3/watch, /v3/lease/grant.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import urllib3

from web.storage.failure import StoreFailed

_UNAVAILABLE, _OUT_OF_SPACE, _OUT_OF_RANGE, _TOO_LARGE = 14, 8, 11, 3
"""Codes of gRPC that the gateway answers with."""
PAGE = 500
"""How many keys are asked for at a time."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeyValue:
    """What lies at a key; revision is that of its last change."""

    key: bytes
    value: bytes
    revision: int
    version: int


@dataclass(frozen=True, slots=True)
class Event:
    """A change of a key: what lies there after it (None where it is gone), and before it, if that is known."""

    key: bytes
    revision: int
    after: KeyValue | None
    before: KeyValue | None


@dataclass(eq=False)
class Compacted(Exception):
    """A past is asked for that etcd has forgotten; revision is the oldest that it remembers."""

    revision: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a transaction: its revision, whether its conditions held, and what lies at each key it asked for."""

    revision: int
    succeeded: bool
    found: tuple[tuple[KeyValue, ...], ...]


def spelled(data: bytes) -> str:
    """Return bytes as the gateway wants them."""
    return b64encode(data).decode()


def end_of(prefix: bytes) -> bytes:
    """Return the first key after all that begin with `prefix`; its last byte is not 255."""
    return prefix[:-1] + bytes([prefix[-1] + 1])


def get(key: bytes) -> Json:
    """Return the operation that reads a key."""
    return {"request_range": {"key": spelled(key)}}


def put(key: bytes, value: bytes, lease: str = "") -> Json:
    """Return the operation that writes a key."""
    body = {"key": spelled(key), "value": spelled(value)}
    return {"request_put": {**body, "lease": lease} if lease else body}


def delete(key: bytes, *, prefix: bool = False) -> Json:
    """Return the operation that removes a key, or all that begin with it."""
    body = {"key": spelled(key), **({"range_end": spelled(end_of(key))} if prefix else {})}
    return {"request_delete_range": body}


def unchanged(key: bytes, revision: int) -> Json:
    """Return the condition that a key was last changed at a revision; 0 stands for a key that is not there."""
    return {"key": spelled(key), "target": "MOD", "result": "EQUAL", "mod_revision": str(revision)}


class Gateway:
    """An etcd server, at the address `http://host:port`."""

    def __init__(self, address: str, seconds: float = 5.0) -> None:
        self._address = address
        self._http = urllib3.PoolManager(
            maxsize=64, retries=False, timeout=urllib3.Timeout(connect=min(2.0, seconds), read=seconds)
        )
        self._streams = urllib3.PoolManager(
            maxsize=4, retries=False, timeout=urllib3.Timeout(connect=min(2.0, seconds), read=None)
        )

    def transact(self, conditions: list[Json], then: list[Json], otherwise: list[Json]) -> Answer:
        """Do `then` if all conditions hold, else `otherwise`, at once; what was read is answered in order.

        Raises:
            StoreFailed: etcd cannot be reached, or refuses.
        """
        body = {"compare": conditions, "success": then, "failure": otherwise}
        writes = any("request_range" not in each for each in then)
        told = self._call("written" if writes else "read", "/v3/kv/txn", body)
        ranges = [each["response_range"] for each in told.get("responses", []) if "response_range" in each]
        found = tuple(tuple(map(_key_value, each.get("kvs", []))) for each in ranges)
        return Answer(int(told["header"]["revision"]), bool(told.get("succeeded")), found)

    def read(self, *keys: bytes) -> Answer:
        """Return what lies at keys, all at one moment."""
        return self.transact([], list(map(get, keys)), [])

    def count(self, prefix: bytes) -> tuple[int, int]:
        """Return how many keys begin with a prefix, and the last revision of any of them (0 if there is none)."""
        body = {"limit": "1", "sort_target": "MOD", "sort_order": "DESCEND", "keys_only": True, **_range(prefix)}
        told = self._call("read", "/v3/kv/range", body)
        return int(told.get("count", 0)), max((int(each["mod_revision"]) for each in told.get("kvs", [])), default=0)

    def listed(self, prefix: bytes, since: int = 0) -> Iterator[KeyValue]:
        """Yield what lies at the keys that begin with a prefix, all at one moment; since leaves out older changes."""
        start, end, moment = prefix, end_of(prefix), 0
        while True:
            body = {"key": spelled(start), "range_end": spelled(end), "limit": str(PAGE), "revision": str(moment)}
            told = self._call("read", "/v3/kv/range", {**body, "min_mod_revision": str(since)})
            moment = moment or int(told["header"]["revision"])
            found = [_key_value(each) for each in told.get("kvs", [])]
            yield from found
            if not told.get("more") or not found:
                return
            start = found[-1].key + b"\0"

    def compact(self, revision: int) -> None:
        """Have etcd forget what happened before a revision; does nothing if it has."""
        try:
            self._call("written", "/v3/kv/compaction", {"revision": str(revision)})
        except Compacted:
            return

    def lease(self, seconds: int) -> str:
        """Return a new lease: what is written under it is removed after so many seconds."""
        return str(self._call("written", "/v3/lease/grant", {"TTL": str(seconds)})["ID"])

    def watch(
        self, prefix: bytes, start: int, started: Callable[[], None] = lambda: None, *, before: bool = False
    ) -> Iterator[list[Event]]:
        """Yield what changes at the keys that begin with a prefix, from a revision on (0: from now), without an end.

        Raises:
            Compacted: the past is forgotten.
            StoreFailed: etcd cannot be reached, or ends.
        """
        wanted = {**_range(prefix), "start_revision": str(start), "prev_kv": before}
        with _failing("read", self._address):
            answer = self._streams.request(
                "POST", f"{self._address}/v3/watch", json={"create_request": wanted}, preload_content=False
            )
            try:
                rest = b""
                for chunk in answer.stream(65536):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in filter(None, lines):
                        told = _result(line)
                        if told.get("created"):
                            started()
                        if told.get("events"):
                            yield [_event(each) for each in told["events"]]
            finally:
                answer.close()
        raise StoreFailed("read", f"etcd at {self._address} ended a watch. Try again", is_passing=True)

    def _call(self, attempt: str, path: str, body: Json) -> Json:
        with _failing(attempt, self._address):
            answer = self._http.request("POST", self._address + path, json=body)
            told: Json = answer.json()
        if answer.status == 200:
            return told
        code, text = int(told.get("code", 0)), str(told.get("message") or told.get("error", ""))
        if code == _OUT_OF_RANGE:
            raise Compacted(0)
        raise StoreFailed(attempt, _reason(code, text, self._address), is_passing=code == _UNAVAILABLE)


class _failing:
    """Makes a StoreFailed of what goes wrong on the way to etcd and back."""

    def __init__(self, attempt: str, address: str) -> None:
        self._attempt, self._address = attempt, address

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, urllib3.exceptions.TimeoutError) and not isinstance(
            error, urllib3.exceptions.ConnectTimeoutError
        ):
            reason = f"etcd at {self._address} did not answer in time. Look whether the write was made, then try again"
            raise StoreFailed(self._attempt, reason, is_passing=True) from error
        if isinstance(error, urllib3.exceptions.HTTPError | OSError):
            reason = f"etcd at {self._address} cannot be reached. Start it, or wait until it is back, then try again"
            raise StoreFailed(self._attempt, reason, is_passing=True) from error
        if isinstance(error, ValueError | KeyError):
            reason = f"what answers at {self._address} is no etcd of version 3.4 or newer. Name another address"
            raise StoreFailed(self._attempt, reason) from error


def _reason(code: int, text: str, address: str) -> str:
    if code == _UNAVAILABLE:
        return f"etcd at {address} has no leader now ({text}). Try again when most of its members are back"
    if code == _OUT_OF_SPACE:
        way_out = "Give it more room (--quota-backend-bytes), or defragment it, then disarm its alarm"
        return f"etcd at {address} is full. {way_out}"
    if code == _TOO_LARGE and "too large" in text:
        return "the object is larger than etcd takes. Make it smaller, or start etcd with a larger --max-request-bytes"
    return f"etcd at {address} refused: {text or code}"


def _range(prefix: bytes) -> Json:
    return {"key": spelled(prefix), "range_end": spelled(end_of(prefix))}


def _result(line: bytes) -> Json:
    told: Json = json.loads(line)
    result: Json = told["result"]
    if result.get("canceled"):
        raise Compacted(int(result.get("compact_revision", 0)))
    return result


def _key_value(told: Json) -> KeyValue:
    return KeyValue(
        b64decode(told["key"]),
        b64decode(told.get("value", "")),
        int(told.get("mod_revision", 0)),
        int(told.get("version", 0)),
    )


def _event(told: Json) -> Event:
    after = _key_value(told["kv"])
    before = _key_value(told["prev_kv"]) if "prev_kv" in told else None
    gone = told.get("type") == "DELETE"
    return Event(after.key, after.revision, None if gone else after, before)
