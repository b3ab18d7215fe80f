"""How a request is read: within bounds, to an end that is beyond doubt, and no further than somebody asks.

Two servers that do not agree where a request ends can be made to take a part of one client's request for another's.
So whatever leaves room for that is refused, and the connection closed (RFC 9112, sections 2.2, 5.1, 6.3 and 7.1).
"""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

from cheroot import server
from cheroot.errors import MaxSizeExceeded
from cheroot.server import HeaderReader, HTTPRequest, KnownLengthRFile

from web.serving.incoming import CHUNK, MOST_HEAD, is_mostly_around

_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*\r\n")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_JOINED = frozenset[bytes](vars(server)["comma_separated_headers"])  # its stubs do not know it
_ONCE = {b"Content-Length", b"Transfer-Encoding", b"Host"}
_TOO_MUCH = f"than {MOST_HEAD:,} bytes, the most that is read"


class Headers(HeaderReader):
    """Reads headers, and takes none for what it only looks like.

    One with an underscore is left out: to the site it would look like its sister with a hyphen. So is Expect: who
    waits to be told to go on was told when the headers came (server.py).
    """

    def __call__(self, rfile: Any, hdict: dict[bytes, bytes] | None = None) -> dict[bytes, bytes]:
        """Return the headers by name, each word of which begins with a capital letter.

        Raises:
            ValueError: they are malformed, or leave it open where the request ends.
            MaxSizeExceeded: they are too long.
        """
        found = {} if hdict is None else hdict
        while (line := rfile.readline()) != b"\r\n":
            matched = _HEADER.fullmatch(line)
            if matched is None:
                raise ValueError("A header line is not 'Name: value' and CRLF. Send each header on a line of its own.")
            name, value = matched[1].title(), matched[2]
            if name in found and name in _ONCE:
                raise ValueError(f"There are two {name.decode()} headers. Send one.")
            if name in found and name in _JOINED:
                value = found[name] + b", " + value
            if b"_" not in name and name != b"Expect":
                found[name] = value
        _check_end(found)
        return found


def _check_end(headers: dict[bytes, bytes]) -> None:
    """Make sure that headers leave no doubt where the request ends.

    Raises:
        ValueError: they do.
    """
    length, coding = headers.get(b"Content-Length"), headers.get(b"Transfer-Encoding")
    if length is not None and not _LENGTH.fullmatch(length):
        raise ValueError("The Content-Length is no number. Send how many bytes the body has, in digits only.")
    if length is not None and coding is not None:
        raise ValueError("There are both Content-Length and Transfer-Encoding. Send one of them.")
    if coding is not None and coding.lower() != b"chunked":
        raise ValueError("The Transfer-Encoding is not 'chunked', the only one that is read. Send that, or a length.")


class Body(KnownLengthRFile):
    """A body of known length."""

    def read(self, size: int | None = None) -> bytes:
        """Return so many bytes, or all that are left.

        Raises:
            OSError: the client went away, or was put out.
        """
        wanted = self.remaining if size is None or size < 0 else size
        data: bytes = super().read(wanted)
        self._check(is_short=len(data) < wanted)
        return data

    def readline(self, size: int | None = None) -> bytes:
        """Return a line, or so many bytes of it.

        Raises:
            OSError: as for read.
        """
        wanted = self.remaining if size is None or size < 0 else size
        line: bytes = super().readline(wanted)
        self._check(is_short=len(line) < wanted and not line.endswith(b"\n"))
        return line

    def _check(self, *, is_short: bool) -> None:
        if self.remaining and is_short:
            raise ConnectionAbortedError(f"the client went away with {self.remaining} bytes of the body unsent")


def unchunked(rfile: Any, most: int) -> tuple[bytes, bool]:
    """Return a body that comes in chunks, and whether that is all of it: one byte more than `most` is read at most.

    Raises:
        ValueError: it is malformed.
        OSError: it cannot be read.
    """
    body, around = bytearray(), 0
    while True:
        line = rfile.readline(MOST_HEAD)
        size = CHUNK.fullmatch(line)
        if size is None:
            raise ValueError(
                "A chunk of the body does not begin with its size. Send it in hexadecimal digits and CRLF."
            )
        wanted = int(size[1], 16)
        if wanted == 0:
            _skip_trailers(rfile)
            return bytes(body), True
        body += rfile.read(min(wanted, most + 1 - len(body)))
        if len(body) > most:
            return bytes(body), False
        if rfile.read(2) != b"\r\n":
            raise ValueError("A chunk of the body is not as long as it says. Send its size in bytes.")
        around += len(line) + 2
        if is_mostly_around(around, len(body)):
            raise ValueError("The body comes in too many small chunks. Send larger ones.")


def _skip_trailers(rfile: Any) -> None:
    left = MOST_HEAD
    while (line := rfile.readline(left)) != b"\r\n":
        left -= len(line)
        if left <= 0 or not _HEADER.fullmatch(line):
            raise ValueError("What follows the body are no headers. End it with CRLF.")


class Request(HTTPRequest):
    """A request. What is left of its body when the answer begins is not waited for: the connection ends instead."""

    header_reader = Headers()

    def read_request_line(self) -> bool:
        """Return False if it was refused."""
        try:
            return bool(super().read_request_line())  # type: ignore[no-untyped-call]
        except MaxSizeExceeded:
            self.simple_response("414 URI Too Long", f"The address has more {_TOO_MUCH}. Send less in it.")
            return False

    def read_request_headers(self) -> bool:
        """Return False if they were refused."""
        try:
            is_read = bool(super().read_request_headers())  # type: ignore[no-untyped-call]
        except MaxSizeExceeded:
            told = f"The request line and the headers have more {_TOO_MUCH}. Send fewer or shorter ones."
            self.simple_response("431 Request Header Fields Too Large", told)
            return False
        if is_read and b"Transfer-Encoding" in self.inheaders and not self.chunked_read:
            self.simple_response("400 Bad Request", "HTTP/1.0 knows no Transfer-Encoding. Send a Content-Length.")
            return False
        return is_read

    def respond(self) -> None:
        """Have the request answered."""
        if self.chunked_read:
            try:
                body, is_all = unchunked(self.conn.rfile, self.server.most_body)
            except ValueError as error:
                self.simple_response("400 Bad Request", str(error))
                return
            self.rfile = Body(io.BytesIO(body), len(body))
            if not is_all:
                self.close_connection = self.conn.has_rest = True
        else:
            self.rfile = Body(self.conn.rfile, int(self.inheaders.get(b"Content-Length", 0)))
        self.server.gateway(self).respond()
        self.ensure_headers_sent()
        if self.chunked_write:
            self.conn.wfile.write(b"0\r\n\r\n")

    def send_headers(self) -> None:
        """Begin the answer."""
        rest = self.rfile.remaining
        if rest and (self.chunked_read or len(self.conn.rfile) >= rest):
            self.rfile.read(rest)
        elif rest:
            self.close_connection = self.conn.has_rest = True
        was_to_end = self.close_connection
        super().send_headers()
        if self.close_connection and not was_to_end:
            self.conn.has_rest = True  # the client does not know yet, and may have sent more

    def simple_response(self, status: str, msg: str = "") -> None:
        """Refuse the request in a sentence; the connection ends."""
        self.sent_headers = self.close_connection = self.conn.has_rest = True
        text = f"{msg}\n".encode()
        head = f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
        with contextlib.suppress(OSError):  # who went away needs no answer
            self.conn.wfile.write(f"{self.server.protocol} {status}\r\n{head}".encode() + text)
