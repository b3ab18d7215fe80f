"""Clients that are slow to say what they want: they wait outside, and take no thread, until a whole request is there.

What a client sent is looked at without taking it from the socket. Of some requests it cannot be seen so whether they
are whole: of those larger than LARGE, in chunks, or encrypted. They are let in, some at a time, and put out again if
they are not read after READ_SECONDS. Who is sent away before everything was read, is left time to take the answer.
"""

from __future__ import annotations

import contextlib
import enum
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any

READ_SECONDS = 30.0
LARGE = 32_768
PART_SECONDS = 5.0
"""How long what a client still sends is thrown away, before its connection is closed: it may not have seen the answer.

A socket that is closed with something unread in it tells its client of an error, and the answer is lost.
"""
_PAUSES = ((0.02, 0.001), (0.5, 0.01))
"""How soon a connection is looked at again, by how long it has waited: the rest of most requests is there at once."""
_LONG_PAUSE = 0.05
_IDLE = 1.0
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_MUST_BE_READ = re.compile(rb"\r\n(?:transfer-encoding:|expect:)", re.IGNORECASE)
_HANGS_UP: int = getattr(select, "POLLRDHUP", 0)
_PART_BYTES = 65_536
_PARTS = 16
"""How often so many bytes are thrown away at one look, before it is another connection's turn."""


class Look(enum.Enum):
    """What a look at a connection shows: its request is not there yet, is there, or must be read to know."""

    PART = enum.auto()
    WHOLE = enum.auto()
    UNSURE = enum.auto()


def at_hand(connection: Any, most: int) -> tuple[bytes, bool]:
    """Return what can be read from a connection without waiting, up to about `most` bytes, and whether it ends there.

    Of an encrypted one that is no more than was decrypted.
    """
    begun = connection.rfile.peek(1) if connection.rfile.has_data() else b""
    if len(begun) >= most or isinstance(connection.socket, ssl.SSLSocket):
        return begun, False
    try:
        events = _events(connection.socket)
        more = connection.socket.recv(most - len(begun), socket.MSG_PEEK) if events else b""
    except (OSError, ValueError):
        return begun, True
    return begun + more, bool(events & ~select.POLLIN) or bool(events and not more)


def _events(sock: socket.socket) -> int:
    """Return what can be read without waiting; a socket with a timeout would wait even where it is told not to."""
    poll = select.poll()
    poll.register(sock, select.POLLIN | _HANGS_UP)
    return next((events for _, events in poll.poll(0)), 0)


def look(connection: Any) -> Look:
    """Look whether a request can be read without waiting; also if it ends, or is malformed."""
    if isinstance(connection.socket, ssl.SSLSocket):
        return Look.UNSURE
    seen, is_end = at_hand(connection, LARGE)
    end = seen.find(b"\r\n\r\n")
    if is_end:
        return Look.WHOLE
    if end < 0:
        return Look.UNSURE if len(seen) >= LARGE else Look.PART
    length = _LENGTH.search(seen, 0, end + 2)
    whole = end + 4 + (int(length[1]) if length is not None else 0)
    if _MUST_BE_READ.search(seen, 0, end + 2):
        return Look.UNSURE
    if len(seen) >= whole:
        return Look.WHOLE
    return Look.UNSURE if len(seen) >= LARGE else Look.PART


class Patience:
    """Looks after connections whose request is not whole yet, those that are read for too long, and those that part.

    admit is given a connection whose request is to be read. places is how many may be read at the same time of which
    it is not sure that they are whole.
    """

    def __init__(self, admit: Callable[[Any], None], places: int, seconds: float = READ_SECONDS) -> None:
        self._admit, self._places, self._seconds = admit, places, seconds
        self._waiting: dict[Any, float] = {}
        self._reading: dict[Any, float] = {}
        self._parting: dict[Any, float] = {}
        self._unsure: set[Any] = set()
        self._lock = threading.Lock()
        self._ended, self._news = False, threading.Event()
        self._thread = threading.Thread(target=self._look_after, name="patience", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and close what waits."""
        self._ended = True
        self._news.set()
        with self._lock:
            held = [*self._waiting, *self._parting]
            self._waiting.clear()
            self._parting.clear()
        for connection in held:
            _close(connection)

    def take(self, connection: Any) -> None:
        """Have a request read: at once if it is there, else when it is, or when there is a place for it."""
        if self._may_enter(connection):
            self._admit(connection)
            return
        with self._lock:
            self._waiting[connection] = time.monotonic()
        self._news.set()

    def reads(self, connection: Any) -> None:
        """Note that a thread begins to read a request."""
        self._reading[connection] = time.monotonic()

    def has_read(self, connection: Any) -> None:
        """Note that the request was read; may be called more than once."""
        self._reading.pop(connection, None)
        with self._lock:
            was_unsure = connection in self._unsure
            self._unsure.discard(connection)
        if was_unsure and self._waiting:
            self._news.set()

    def part_with(self, connection: Any) -> None:
        """Close a connection once its client has, or after PART_SECONDS."""
        if self._ended:
            _close(connection)
            return
        with contextlib.suppress(OSError):
            connection.socket.setblocking(False)
            connection.socket.shutdown(socket.SHUT_WR)
        with self._lock:
            self._parting[connection] = time.monotonic()
        self._news.set()

    def _may_enter(self, connection: Any) -> bool:
        """Return True if a request is there; where that is not sure, if there is a place, which is taken then."""
        seen = look(connection)
        if seen is Look.UNSURE:
            with self._lock:
                if len(self._unsure) >= self._places:
                    return False
                self._unsure.add(connection)
        return seen is not Look.PART

    def _pause(self) -> float:
        """How long there is nothing to look at, unless there is news."""
        with self._lock:
            newest = max(self._waiting.values(), default=None)
        if newest is None:
            return _LONG_PAUSE if self._parting else _IDLE
        age = time.monotonic() - newest
        return next((pause for most, pause in _PAUSES if age < most), _LONG_PAUSE)

    def _look_after(self) -> None:
        while not self._ended:
            self._news.wait(self._pause())
            self._news.clear()
            now = time.monotonic()
            self._look_after_waiting(now)
            self._look_after_reading(now)
            self._look_after_parting(now)

    def _look_after_waiting(self, now: float) -> None:
        with self._lock:
            waiting = list(self._waiting.items())
        for connection, since in waiting:
            late = now - since > self._seconds
            if not late and not self._may_enter(connection):
                continue
            with self._lock:
                is_ours = self._waiting.pop(connection, None) is not None
            if late:
                _close(connection)
            elif is_ours:
                self._admit(connection)

    def _look_after_reading(self, now: float) -> None:
        for connection, since in list(self._reading.items()):
            if now - since > self._seconds:
                self._reading.pop(connection, None)
                with contextlib.suppress(OSError):
                    connection.socket.shutdown(socket.SHUT_RDWR)

    def _look_after_parting(self, now: float) -> None:
        with self._lock:
            parting = list(self._parting.items())
        for connection, since in parting:
            if now - since > PART_SECONDS or _is_spent(connection.socket):
                with self._lock:
                    self._parting.pop(connection, None)
                _close(connection)


def _close(connection: Any) -> None:
    with contextlib.suppress(OSError):
        connection.close()


def _is_spent(parting: socket.socket) -> bool:
    """Throw away what came; return True if nothing can come any more."""
    try:
        return not all(parting.recv(_PART_BYTES) for _ in range(_PARTS))
    except BlockingIOError:
        return False
    except OSError:
        return True
