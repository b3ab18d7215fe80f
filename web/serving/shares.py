"""Connections shared out evenly among the processes that listen on one socket.

Whoever looks first takes a new client, and with few clients that stay one process may get all of them: eight that
apply as fast as they can were answered 320 times a second so, and 550 to 620 times where each process had four.
So each process tells how many clients it has, and one that has more than another lets that one go first.
"""

from __future__ import annotations

import errno
import mmap
import socket
import struct
import time
from typing import Any
from weakref import WeakSet

_COUNT = struct.Struct("=q")
_MOMENT_SECONDS, _MOMENTS = 0.001, 20
"""How long another process is let go first at a time, and how often."""
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Shares:
    """How many clients each of so many processes has, in memory that they share: to be made before they fork."""

    def __init__(self, processes: int) -> None:
        self._counts = mmap.mmap(-1, _COUNT.size * processes)
        self._processes = processes

    def tell(self, process: int, count: int) -> None:
        """Say how many clients a process has."""
        _COUNT.pack_into(self._counts, _COUNT.size * process, count)

    def has_most(self, process: int) -> bool:
        """Return True if a process has more clients than some other one."""
        counts = [_COUNT.unpack_from(self._counts, _COUNT.size * each)[0] for each in range(self._processes)]
        return bool(counts[process] > min(counts))


class Share:
    """One process's share: its clients, and whether the next one is its to take. Clients may be added by any thread."""

    def __init__(self, shares: Shares, process: int) -> None:
        self._shares, self._process = shares, process
        self._clients: WeakSet[Any] = WeakSet()
        self._waited = 0
        shares.tell(process, 0)

    def add(self, client: object) -> None:
        """Count a client, until it is removed or nobody holds it any more."""
        self._clients.add(client)
        self._shares.tell(self._process, len(self._clients))

    def remove(self, client: object) -> None:
        """Count a client no more; it may be gone already."""
        self._clients.discard(client)
        self._shares.tell(self._process, len(self._clients))

    def is_next(self) -> bool:
        """Return True if this process is to take the client that waits; False after a moment in which another may.

        The other one may be busy, or gone: after some such moments it is this process's.
        """
        if self._waited < _MOMENTS and self._shares.has_most(self._process):
            self._waited += 1
            time.sleep(_MOMENT_SECONDS)
            return False
        self._waited = 0
        return True


class SharedSocket(socket.socket):
    """A socket that is listened on, from which a process takes clients when it is its turn."""

    share: Share | None = None

    def accept(self) -> tuple[socket.socket, Any]:
        """Take a client.

        Raises:
            BlockingIOError: there is none, it is for another process to take, or there is no room for it now.
        """
        if self.share is not None and not self.share.is_next():
            raise BlockingIOError(errno.EAGAIN, "another process is to take the client")
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            time.sleep(_MOMENT_SECONDS)  # those that are here are served meanwhile, and let go in time
            raise BlockingIOError(errno.EAGAIN, "there is no room for another client now") from None
