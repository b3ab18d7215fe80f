"""What a client sends: taken from its socket as it comes, until a request is there with all that is read of it.

So a thread that answers never waits for a client to say what it wants. Where a request ends is looked at here only as
far as it takes to know how much to wait for; reading.py reads it anew, and refuses what is malformed.
"""

from __future__ import annotations

import re
import socket
import ssl

from web.serving.keep import Keep

MOST_HEAD = 65_536
"""The most bytes of a request line and headers together, and of what stands around and after chunks."""
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")
SMALL = 65_536
"""So much a connection may hold uncounted, and is not let go for the sake of others."""
MOST_REQUESTS = 128 << 20
"""The most bytes beyond that of requests that are not answered; beyond it the client that takes longest is let go."""
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_CONTINUES = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
_PIECE, _LEAST_SHARE = 65_536, 64
_END = b"\r\n\r\n"


def is_mostly_around(around: int, size: int) -> bool:
    """Return True if what stands around chunks is too much for what they hold: many small ones take long to read."""
    return around > MOST_HEAD + size // _LEAST_SHARE


class NoRoom(OSError):
    """Clients hold as much as there is room for already."""


class Incoming:
    """The bytes that came over one connection and are not read yet. It reads like a file, and never waits.

    Bytes beyond SMALL are counted in `keep`, for it is many connections that hold much. has_ended: the client sends no
    more. wants_more: it waits to be told to go on with the body (100 Continue).
    """

    def __init__(self, sock: socket.socket, most_body: int, keep: Keep) -> None:
        self._socket, self._most_body, self._keep = sock, most_body, keep
        self._held, self._at, self.counted = bytearray(), 0, 0
        self.has_ended = self.closed = False
        self.bytes_read = 0
        self.begin()

    def __len__(self) -> int:
        return len(self._held) - self._at

    def begin(self) -> None:
        """Get ready for another request: forget what was read."""
        del self._held[: self._at]
        if self.counted and len(self._held) <= SMALL:
            self._keep.give_back(self.counted)
            self.counted = 0
        self._at = self._looked = self._size = self._around = 0
        self._body = self._chunk = -1
        self._length: int | None = None
        self.wants_more = False

    def is_whole(self) -> bool:
        """Take what came; return True if it is all that is read of a request, or if no more will come.

        Raises:
            NoRoom: clients hold too much already.
            OSError: the connection was let go for that.
        """
        while not (is_whole := self._is_enough()) and not self.has_ended:
            if not self._take():
                return False
        return is_whole or self.has_ended

    def _take(self) -> bool:
        """Take what came from the socket; return False if nothing did."""
        try:
            came = self._socket.recv(_PIECE)
        except (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except (OSError, ValueError):
            came = b""
        self._count(len(came))
        self._held += came
        self.has_ended = not came
        return True

    def _count(self, came: int) -> None:
        count = len(self._held) + came - self.counted
        if self.counted + count <= SMALL:
            return
        if not self._keep.take(count):
            raise NoRoom
        if self.closed:  # it was itself that was let go
            self._keep.give_back(count)
            raise OSError("the connection was closed")
        self.counted += count

    def _is_enough(self) -> bool:
        """Return True if the request is whole, or will be refused, or its body not be read, for its size."""
        if self._body < 0 and not self._find_body():
            return len(self._held) > MOST_HEAD
        if self._chunk >= 0:
            return self._is_last_chunk_here()
        assert self._length is not None
        is_here = self._length > self._most_body or len(self._held) >= self._body + self._length
        self.wants_more = self.wants_more and not is_here
        return is_here

    def _find_body(self) -> bool:
        """Find where the head ends, and what it says of the body; return False if it has no end yet."""
        end = self._held.find(_END, max(0, self._looked - len(_END)))
        self._looked = len(self._held)
        if end < 0:
            return False
        self._body = end + len(_END)
        head = bytes(self._held[: end + 2])
        self.wants_more = _CONTINUES.search(head) is not None
        length = _LENGTH.search(head)
        self._length = int(length[1]) if length is not None else 0
        if _CHUNKED.search(head):
            self._chunk = self._body
        return True

    def _is_last_chunk_here(self) -> bool:
        """Pass over chunks; return True at the last one, and where something is amiss or too much."""
        while True:
            end = self._held.find(b"\r\n", self._chunk)
            if end < 0:
                return len(self._held) - self._chunk > MOST_HEAD
            size = CHUNK.fullmatch(self._held, self._chunk, end + 2)
            if size is None:
                return True
            count, begin = int(size[1], 16), end + 2
            if count == 0:
                return self._is_trailer_here(begin)
            if self._size + count > self._most_body:  # one byte more than may be is enough to tell
                return len(self._held) > begin + self._most_body - self._size
            if len(self._held) < begin + count + 2:
                return False
            self._around += begin - self._chunk + 2
            self._size += count
            if is_mostly_around(self._around, self._size):
                return True
            self._chunk = begin + count + 2
            self.wants_more = False

    def _is_trailer_here(self, begin: int) -> bool:
        if self._held.startswith(b"\r\n", begin) or self._held.find(_END, begin) >= 0:
            return True
        return len(self._held) - begin > MOST_HEAD

    def has_data(self) -> bool:
        """Return True if something came that is not read yet."""
        return self._at < len(self._held)

    def read(self, size: int | None = -1) -> bytes:
        """Return so many bytes, or all that are there; fewer if there are not so many."""
        end = len(self._held) if size is None or size < 0 else self._at + size
        return self._read_to(end)

    def readline(self, size: int | None = -1) -> bytes:
        """Return a line with its end, or so many bytes of it, or what there is of it."""
        most = len(self._held) if size is None or size < 0 else self._at + size
        end = self._held.find(b"\n", self._at, most)
        return self._read_to(end + 1 if end >= 0 else most)

    def _read_to(self, end: int) -> bytes:
        with memoryview(self._held) as held:
            found = bytes(held[self._at : end])
        self._at += len(found)
        self.bytes_read += len(found)
        return found

    def close(self) -> None:
        """Let go of what is there."""
        self.closed = True
        self._held.clear()
        self._at = 0
        self.begin()
