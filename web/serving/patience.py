"""Clients that are slow to say what they want: they wait outside, and take no thread, until a whole request is there.

What a client sent is looked at without taking it from the socket. A request whose body is larger than LARGE, or that is
encrypted, cannot be looked at so; it is let in, and put out again if it is not there whole after READ_SECONDS.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any

READ_SECONDS = 30.0
LARGE = 32_768
_PAUSES = ((0.02, 0.001), (0.5, 0.01))
"""How soon a connection is looked at again, by how long it has waited: the rest of most requests is there at once."""
_LONG_PAUSE = 0.05
_IDLE = 1.0
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n", re.IGNORECASE)


def is_whole(connection: socket.socket) -> bool:
    """Return True if a request can be read without waiting, as far as that can be seen; also if there is an end."""
    if isinstance(connection, ssl.SSLSocket):
        return True
    try:
        seen = connection.recv(LARGE, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
    end = seen.find(b"\r\n\r\n")
    if not seen or len(seen) == LARGE:
        return True
    if end < 0:
        return False
    length = _LENGTH.search(seen, 0, end + 2)
    return length is None or len(seen) - end - 4 >= min(int(length[1]), LARGE - end - 4)


class Patience:
    """Looks after connections whose request is not whole yet, and after those that are read for too long."""

    def __init__(self, admit: Callable[[Any], None], seconds: float = READ_SECONDS) -> None:
        self._admit, self._seconds = admit, seconds
        self._waiting: dict[Any, float] = {}
        self._reading: dict[Any, float] = {}
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
        for connection in list(self._waiting):
            connection.close()

    def wait_for(self, connection: Any) -> None:
        """Keep a connection until its request is whole."""
        with self._lock:
            self._waiting[connection] = time.monotonic()
        self._news.set()

    def reads(self, connection: Any) -> None:
        """Note that a thread begins to read a request."""
        self._reading[connection] = time.monotonic()

    def has_read(self, connection: Any) -> None:
        """Note that the request was read."""
        self._reading.pop(connection, None)

    def _pause(self) -> float:
        """How long there is nothing to look at, unless there is news."""
        with self._lock:
            newest = max(self._waiting.values(), default=None)
        if newest is None:
            return _IDLE
        age = time.monotonic() - newest
        return next((pause for most, pause in _PAUSES if age < most), _LONG_PAUSE)

    def _look_after(self) -> None:
        while not self._ended:
            self._news.wait(self._pause())
            self._news.clear()
            now = time.monotonic()
            with self._lock:
                waiting = list(self._waiting.items())
            for connection, since in waiting:
                whole, late = is_whole(connection.socket), now - since > self._seconds
                if whole or late:
                    with self._lock:
                        del self._waiting[connection]
                    if late:
                        connection.close()
                    else:
                        self._admit(connection)
            for connection, since in list(self._reading.items()):
                if now - since > self._seconds:
                    self._reading.pop(connection, None)
                    with contextlib.suppress(OSError):
                        connection.socket.shutdown(socket.SHUT_RDWR)
