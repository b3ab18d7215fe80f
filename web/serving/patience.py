"""Clients that take their time: they wait outside, and hold no thread.

They wait until a request is there whole, until what is sent to them has left, or until they have taken the answer
before their connection is closed. One thread looks after all of them, when something happens on their sockets.
"""

from __future__ import annotations

import contextlib
import enum
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from web.serving.incoming import NoRoom

READ_SECONDS = 30.0
"""How long a client has to say what it wants, or to take what it is sent; of much, for each part of PROGRESS bytes."""
PART_SECONDS = 5.0
"""How long what a client still sends is thrown away, before its connection is closed: it may not have seen the answer.

A socket that is closed with something unread in it tells its client of an error, and the answer is lost.
"""
PROGRESS = 65_536
"""Who goes on by so many bytes has READ_SECONDS for the next."""
STALLED_SECONDS = 2.0
"""Who has not for so long is let go where others need the room; who goes on is not."""
_LOOK_SECONDS = 0.5
_PART_BYTES = 65_536
_PARTS = 16
"""How often so many bytes are thrown away at one look, before it is another connection's turn."""


def _refusal(status: bytes, text: bytes) -> bytes:
    head = b"Content-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(text)
    return b"HTTP/1.1 %s\r\n%s%s" % (status, head, text)


_LATE = _refusal(b"408 Request Timeout", b"The request did not come whole in time. Send all of it, and sooner.\n")
_BUSY = _refusal(
    b"503 Service Unavailable", b"The server reads as many large requests as it has room for. Try again later.\n"
)


class For(enum.Enum):
    """What a client is waited for: to send a request, to take an answer, to part."""

    REQUEST = enum.auto()
    ANSWER = enum.auto()
    PARTING = enum.auto()


@dataclass(slots=True)
class _Waiting:
    """What a connection is waited for, and what comes then.

    since: when it began, or went on by PROGRESS bytes; gone: how many bytes had gone over it by then.
    """

    what: For
    since: float
    then: Callable[[Any], None]
    gone: int = 0


class Patience:
    """Looks after connections that wait. admit is given a connection whose request is there whole."""

    def __init__(self, admit: Callable[[Any], None], seconds: float = READ_SECONDS) -> None:
        self._admit, self._seconds = admit, seconds
        self._waiting: dict[Any, _Waiting] = {}
        self._lock, self._step = threading.Lock(), threading.RLock()
        self._selector = selectors.DefaultSelector()
        self._ended = False
        self._thread = threading.Thread(target=self._look_after, name="patience", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, seconds: float = 0.0) -> None:
        """Let answers leave for so many seconds; then end, and close what waits."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and any(each.what is For.ANSWER for each in list(self._waiting.values())):
            time.sleep(0.01)
        self._ended = True
        for connection in list(self._waiting):
            with self._step:
                is_ours = self._take_back(connection) is not None
            if is_ours:
                _close(connection)

    def take(self, connection: Any) -> None:
        """Have a request read: at once if it is there, else when it is."""
        try:
            is_ready = connection.is_ready()
        except NoRoom:
            self._tell_and_close(connection, _BUSY)
        except OSError:
            _close(connection)
        else:
            if is_ready:
                self._admit(connection)
            else:
                self._wait(connection, _Waiting(For.REQUEST, time.monotonic(), self._admit))

    def send(self, connection: Any, then: Callable[[Any], None]) -> None:
        """Send what is kept for a client; then is called when all is sent."""
        self._wait(connection, _Waiting(For.ANSWER, time.monotonic(), then))

    def part_with(self, connection: Any) -> None:
        """Close a connection once its client has, or after PART_SECONDS."""
        with contextlib.suppress(OSError):
            connection.socket.shutdown(socket.SHUT_WR)
        self._wait(connection, _Waiting(For.PARTING, time.monotonic(), _close))

    def let_go_of_an_answer(self) -> bool:
        """Let go of the client that takes nothing for longest; return False if all go on."""
        return self._let_go_of_the_longest(lambda connection, what: what is For.ANSWER)

    def let_go_of_a_request(self) -> bool:
        """Let go of the client that stopped for longest in the middle of something large; return False if all go on."""
        return self._let_go_of_the_longest(
            lambda connection, what: what is For.REQUEST and connection.rfile.counted > 0
        )

    def _let_go_of_the_longest(self, is_meant: Callable[[Any, For], bool]) -> bool:
        latest = time.monotonic() - STALLED_SECONDS
        found = [
            (each.since, connection)
            for connection, each in self._all()
            if each.since < latest and is_meant(connection, each.what)
        ]
        if found:
            self._let_go(min(found, key=lambda each: each[0])[1], _BUSY)
        return bool(found)

    def _all(self) -> list[tuple[Any, _Waiting]]:
        with self._lock:
            return list(self._waiting.items())

    def _wait(self, connection: Any, waiting: _Waiting) -> None:
        with self._lock:
            self._waiting[connection] = waiting
            wanted = selectors.EVENT_WRITE if waiting.what is For.ANSWER else selectors.EVENT_READ
            try:
                if self._ended:
                    raise ValueError("the server ends")
                self._selector.register(connection.socket, wanted, connection)
            except (OSError, ValueError, KeyError):  # it is closed already
                self._forget(connection)
                _close(connection)

    def _take_back(self, connection: Any) -> _Waiting | None:
        """Wait for a connection no longer; None if nobody does."""
        with self._lock:
            return self._forget(connection)

    def _forget(self, connection: Any) -> _Waiting | None:
        waiting = self._waiting.pop(connection, None)
        if waiting is not None:
            with contextlib.suppress(OSError, ValueError, KeyError):
                self._selector.unregister(connection.socket)
        return waiting

    def _look_after(self) -> None:
        looked = time.monotonic()
        while not self._ended:
            for key, _ in self._selector.select(_LOOK_SECONDS):
                self._look_at(key.data)
            if time.monotonic() - looked > _LOOK_SECONDS:
                looked = time.monotonic()
                self._let_go_of_late(looked)

    def _look_at(self, connection: Any) -> None:
        """Go on with a connection on whose socket something happened."""
        with self._step:
            waiting = self._waiting.get(connection)
            if waiting is None:
                return
            try:
                is_done = _STEPS[waiting.what](connection)
            except NoRoom:
                is_done, waiting.then = True, lambda connection: self._tell_and_close(connection, _BUSY)
            except (OSError, ValueError):
                is_done, waiting.then = True, _close
            gone = _bytes_over(connection, waiting.what)
            if gone - waiting.gone >= PROGRESS:
                waiting.since, waiting.gone = time.monotonic(), gone
            if not is_done or self._take_back(connection) is None:
                return
        waiting.then(connection)

    def _let_go_of_late(self, now: float) -> None:
        for connection, each in self._all():
            if now - each.since > (PART_SECONDS if each.what is For.PARTING else self._seconds):
                self._let_go(connection, _LATE)

    def _let_go(self, connection: Any, told: bytes) -> None:
        with self._step:
            waiting = self._take_back(connection)
        if waiting is None:
            return
        if waiting.what is For.REQUEST and len(connection.rfile):
            self._tell_and_close(connection, told)
        else:
            _close(connection)

    def _tell_and_close(self, connection: Any, told: bytes) -> None:
        """Refuse what a client has begun to send, and close its connection once it may have seen that."""
        with contextlib.suppress(OSError):
            connection.socket.send(told)
        connection.rfile.close()
        self.part_with(connection)


def _close(connection: Any) -> None:
    connection.wfile.drop()
    connection.has_rest = False
    with contextlib.suppress(OSError):
        connection.close()


def _bytes_over(connection: Any, what: For) -> int:
    """How many bytes have gone over a connection that is waited for."""
    return int(connection.wfile.bytes_sent) if what is For.ANSWER else len(connection.rfile)


def _is_spent(connection: Any) -> bool:
    """Throw away what came; return True if nothing can come any more."""
    try:
        return not all(connection.socket.recv(_PART_BYTES) for _ in range(_PARTS))
    except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
        return False
    except OSError:
        return True


_STEPS: dict[For, Callable[[Any], bool]] = {
    For.REQUEST: lambda connection: bool(connection.is_ready()),
    For.ANSWER: lambda connection: bool(connection.wfile.send_kept()),
    For.PARTING: _is_spent,
}
