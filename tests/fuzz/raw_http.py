"""What comes over a connection, byte for byte: requests that were right, spoiled, and sent in pieces."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from web.serving.server import Connection, SiteServer, listen

MOST_BODY = 3_000
_MOST_AT_ONCE = 60_000
"""What a socket takes while nobody reads."""
_HEAD = b"Host: a\r\nAccept: */*\r\n"
_BODY = b'{"metadata": {"name": "a"}, "data": {"k": "v"}}'
REQUESTS = (
    b"GET /a HTTP/1.1\r\n" + _HEAD + b"\r\n",
    b"GET /a?b=c HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    b"HEAD /a HTTP/1.1\r\n" + _HEAD + b"Connection: close\r\n\r\n",
    b"POST /a HTTP/1.1\r\n" + _HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY),
    b"POST /a HTTP/1.1\r\n" + _HEAD + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY),
    b"PUT /a HTTP/1.1\r\n" + _HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
    b"PUT /a HTTP/1.1\r\n" + _HEAD + b"Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n1\r\na\r\n0\r\n\r\n",
    b"PATCH /a HTTP/1.1\r\n" + _HEAD + b"Content-Length: 5000\r\n\r\n" + b"a" * 5_000,
    b"GET /a HTTP/1.1\r\n" + _HEAD + b"X: " + b"a" * 3_000 + b"\r\n\r\n",
)
SPLICES = (
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b":",
        b";",
        b",",
        b"\t",
        b"0\r\n\r\n",
        b"\r\n\r\n",
        b"HTTP/1.1",
        b"%00",
        b"\xff",
    ),
    *(b"Content-Length: 5\r\n", b"Content-Length: 99999999999999999999\r\n", b"Content-Length: -1\r\n", b"x" * 70_000),
    *(
        b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip\r\n",
        b"Expect: 100-continue\r\n",
        b"Upgrade: h2c\r\n",
    ),
    *(
        b"ffffffffffffff\r\n",
        b"-1\r\n",
        b"0" * 20,
        b"Connection: close\r\n",
        b"Connection: upgrade\r\n",
        b"*",
        b"http://a/",
    ),
)


class Broken(AssertionError):
    """What a server must not do."""


class _Site:
    """Reads every body to its end, and notes if it does not come."""

    config = {"MAX_CONTENT_LENGTH": MOST_BODY}
    is_short = False

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            environ["wsgi.input"].read(MOST_BODY + 1 if int(environ.get("CONTENT_LENGTH") or 0) > MOST_BODY else -1)
        except OSError:
            self.is_short = int(environ.get("CONTENT_LENGTH") or 0) <= MOST_BODY
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]


class _NoPatience:
    """Lets go of whatever is to be waited for."""

    def send(self, connection: Connection, then: object) -> None:
        """Drop an answer."""
        connection.wfile.drop()

    def part_with(self, connection: Connection) -> None:
        """Leave a connection as it is: it is closed at the end."""


@cache
def _server() -> SiteServer:
    made = SiteServer(listen("127.0.0.1", 0), _Site(), 1, None)
    made.patience = _NoPatience()  # type: ignore[assignment]
    made.error_log = _fail
    return made


def _fail(text: str = "", level: int = 20, traceback: bool = False) -> None:
    if traceback or level > 20:
        raise Broken(text)


def raw_http(random: Random) -> None:
    """Requests over one connection, in pieces: none is read before it is there, each is answered or refused."""
    sent = b"".join(_spoiled(random, random.choice(REQUESTS)) for _ in range(random.choice((1, 1, 2, 3))))
    ours, theirs = socket.socketpair()
    theirs.settimeout(5)
    with ours, theirs:
        connection = Connection(_server(), ours, None)
        is_open = all(_is_sent(theirs, piece) and _gone_on(connection) for piece in _pieces(random, sent))
        theirs.shutdown(socket.SHUT_WR)
        if is_open and _gone_on(connection):
            raise Broken("a connection stays open whose client is gone")
        connection.wfile.drop()
        with suppress(OSError):
            ours.shutdown(socket.SHUT_WR)
        _check(theirs)
        connection.has_rest = False
        connection.close()


def _is_sent(client: socket.socket, piece: bytes) -> bool:
    client.sendall(piece)
    return True


def _gone_on(connection: Connection) -> bool:
    """Answer what is there; return False once the connection is to be closed."""
    site = connection.server.wsgi_app
    connection.rfile.begin()
    while connection.is_ready():
        was_ended, site.is_short = connection.rfile.has_ended, False
        stays = connection.communicate()
        if site.is_short and not was_ended:
            raise Broken("a thread would have waited for the body")
        if not stays:
            return False
        connection.rfile.begin()
        if was_ended and not connection.rfile.has_data():
            return False
    return True


def _check(client: socket.socket) -> None:
    got = b""
    while part := client.recv(65_536):
        got += part
    if got and not got.startswith(b"HTTP/1.1 "):
        raise Broken(f"no answer begins so: {got[:80]!r}")
    if b" 500 " in got[:20]:
        raise Broken(f"failed itself: {got[:200]!r}")


def _spoiled(random: Random, request: bytes) -> bytes:
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        at = random.randrange(len(request) + 1)
        end = at + random.choice((0, 0, 1, 2, 8, 40))
        with_ = random.choice(SPLICES) if random.random() < 0.7 else bytes([random.randrange(256)])
        request = request[:at] + with_ + request[end:]
    return request


def _pieces(random: Random, sent: bytes) -> list[bytes]:
    cuts = sorted(random.randrange(len(sent) + 1) for _ in range(random.choice((0, 1, 3))))
    cuts = sorted({*cuts, *range(_MOST_AT_ONCE, len(sent), _MOST_AT_ONCE)})
    return [sent[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(sent)], strict=True) if end > begin]
