"""What is sent to a client: as fast as it takes it, and in nobody's thread where it takes its time.

What the network has no room for is kept, and sent by Patience as there is room, while the thread goes on. Answers
without an end wait for room instead: they come from a thread of their own anyway, and would pile up.
"""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Callable

from web.serving.keep import Keep

MOST_ANSWERS = 128 << 20
"""The most bytes that are kept for all clients together; beyond that the one that takes longest is let go."""
_LOOK_MILLISECONDS = 100
_NO_ROOM = (BlockingIOError, InterruptedError, ssl.SSLWantWriteError, ssl.SSLWantReadError)


class Outgoing:
    """The way out of one connection. waits: a write returns once the network took all of it.

    Who waits looks from time to time whether the server is_ending, and gives up then.
    """

    def __init__(
        self, sock: socket.socket, keep: Keep, seconds: float, is_ending: Callable[[], bool] = lambda: False
    ) -> None:
        self._socket, self._keep, self._seconds, self._is_ending = sock, keep, seconds, is_ending
        self._kept = bytearray()
        self.waits = False
        self.bytes_written = self.bytes_sent = 0

    @property
    def is_empty(self) -> bool:
        """True if everything is sent."""
        return not self._kept

    def write(self, data: bytes) -> int:
        """Send bytes, or keep what there is no room for; returns how many.

        Raises:
            OSError: the client is gone, or takes nothing for too long.
        """
        self.bytes_written += len(data)
        rest = data[self._send(data) :] if not self._kept else data
        if rest and not self.waits and self._keep.take(len(rest)):
            self._kept += rest
        elif rest:
            self._send_waiting(rest)
        return len(data)

    def send_kept(self) -> bool:
        """Send what there is room for; return True if nothing is left.

        Raises:
            OSError: the client is gone.
        """
        while self._kept:
            with memoryview(self._kept) as kept:
                sent = self._send(kept)
            if not sent:
                return False
            del self._kept[:sent]
            self._keep.give_back(sent)
        return True

    def drop(self) -> None:
        """Send no more."""
        self._keep.give_back(len(self._kept))
        self._kept.clear()

    def _send(self, data: bytes | memoryview) -> int:
        try:
            sent = self._socket.send(data)
        except _NO_ROOM:
            return 0
        self.bytes_sent += sent
        return sent

    def _send_waiting(self, data: bytes) -> None:
        poll = select.poll()
        poll.register(self._socket, select.POLLOUT)
        rest = memoryview(bytes(self._kept) + data if self._kept else data)
        self.drop()
        end = time.monotonic() + self._seconds
        while rest:
            if poll.poll(_LOOK_MILLISECONDS):
                sent = self._send(rest)
                rest, end = rest[sent:], time.monotonic() + self._seconds if sent else end
            elif self._is_ending() or time.monotonic() > end:
                raise TimeoutError("timed out")  # in these words cheroot knows it, and makes no noise
