"""Clients that go away while they are answered without an end: noticed at once, not at the next word to them.

Source: epoll(7), EPOLLRDHUP. Where there is no epoll, the next heartbeat notices.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

GATHER_SECONDS = 0.1
"""How long those who hang up are gathered: to wake a thousand who wait costs a tenth of a second, too."""
STREAM = "patchyard.hangup"
"""The entry of the WSGI environment that a route puts a Hangup into whose answer has no end."""


@dataclass
class Hangup:
    """Whether the client of an endless answer is gone; wake is called when it goes, or when several have gone."""

    wake: Callable[[], None]
    is_gone: bool = False


class Listener:
    """Watches the sockets of endless answers, in a thread that begins with the first of them."""

    def __init__(self) -> None:
        self._hangups: dict[int, Hangup] = {}
        self._lock = threading.Lock()
        self._poll: select.epoll | None = None

    def add(self, connection: socket.socket, hangup: Hangup) -> int:
        """Begin to watch a socket, and return what `remove` wants."""
        number = connection.fileno()
        if hasattr(select, "epoll"):
            with self._lock:
                if self._poll is None:
                    self._poll = select.epoll()
                    threading.Thread(target=self._listen, args=(self._poll,), name="hangups", daemon=True).start()
                self._hangups[number] = hangup
                self._poll.register(number, select.EPOLLRDHUP | select.EPOLLONESHOT)
        return number

    def remove(self, number: int) -> None:
        """Watch a socket no longer; to be called before it is closed."""
        with self._lock:
            if self._hangups.pop(number, None) is not None and self._poll is not None:
                with contextlib.suppress(OSError):
                    self._poll.unregister(number)

    def _listen(self, poll: select.epoll) -> None:
        """Tell of those who hang up. Who waits in a workspace is woken once for all that go at the same time."""
        while True:
            gone = poll.poll()
            time.sleep(GATHER_SECONDS)
            gone += poll.poll(0)
            found = [hangup for number, _ in gone if (hangup := self._hangups.get(number)) is not None]
            for hangup in found:
                hangup.is_gone = True
            for wake in {hangup.wake for hangup in found}:
                wake()
