"""How requests are read: slow ones hold few threads, many at once are all answered, doubtful ones are refused."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from web.serving.server import SiteServer, listen
from web.serving.tls import Encryption

THREADS = 4
HOST = b"Host: a\r\n"
GET = b"GET /ignore HTTP/1.1\r\n" + HOST + b"\r\n"
LARGE = HOST + b"Content-Length: 100000\r\n\r\n" + b"a" * 40_000
CHUNKED = b"POST /read HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n"


class Site:
    """A site that reads the whole body, or none of it, and says how much it read."""

    config = {"MAX_CONTENT_LENGTH": 200_000}
    large = 5_000_000

    def __init__(self) -> None:
        self.lost = threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            read = environ["wsgi.input"].read() if environ["PATH_INFO"] == "/read" else b""
        except OSError:
            self.lost.set()
            raise
        text = f"{len(read)} read".encode() if environ["PATH_INFO"] != "/large" else b"a" * self.large + b"-end"
        start_response("200 OK", [("Content-Length", str(len(text)))])
        return [text]


class Served:
    """A server in this process, and clients of it."""

    def __init__(self, encryption: Encryption | None = None, **settings: Any) -> None:
        self.site, self._listening, self._clients = Site(), listen("127.0.0.1", 0), list[socket.socket]()
        self.server = SiteServer(self._listening, self.site, THREADS, encryption, **settings)
        self.server.prepare()
        self._thread = threading.Thread(target=self.server.serve, daemon=True)
        self._thread.start()

    def client(self, sent: bytes = b"") -> socket.socket:
        client = socket.create_connection(self._listening.getsockname(), 10)
        self._clients.append(client)
        client.sendall(sent)
        return client

    def end(self) -> None:
        for client in self._clients:
            client.close()
        self.server.stop()
        self._thread.join(10)


@pytest.fixture
def served() -> Iterator[Served]:
    made = Served()
    yield made
    made.end()


def answers(client: socket.socket, count: int, mark: bytes = b" read") -> bytes:
    """What comes until a mark came so many times, or the connection ends."""
    got = b""
    while got.count(mark) < count and (part := client.recv(65_536)):
        got += part
    return got


def all_of(client: socket.socket) -> bytes:
    return answers(client, 1, b"never sent")


def test_a_body_that_is_too_large_is_not_waited_for(served: Served) -> None:
    slow = [served.client(b"POST /ignore HTTP/1.1\r\n" + LARGE.replace(b"1", b"3", 1)) for _ in range(3 * THREADS)]
    assert b"200 OK" in answers(served.client(GET), 1)
    for each in slow:
        got = all_of(each)
        assert got.startswith(b"HTTP/1.1 200 OK")
        assert b"\r\nConnection: close\r\n" in got


def test_a_client_that_sends_all_before_it_looks_is_answered_though_nobody_reads(served: Served) -> None:
    client = served.client(b"POST /ignore HTTP/1.1\r\n" + HOST + b"Content-Length: 3000000\r\n\r\n")
    for _ in range(30):
        client.sendall(b"a" * 100_000)
    assert all_of(client).endswith(b"0 read")


def test_a_body_that_is_there_but_not_read_keeps_the_connection(served: Served) -> None:
    client = served.client(b"POST /ignore HTTP/1.1\r\n" + HOST + b"Content-Length: 20000\r\n\r\n" + b"a" * 20_000)
    assert b"Connection" not in answers(client, 1)
    client.sendall(GET)
    assert b"200 OK" in answers(client, 1)


@pytest.mark.parametrize(
    "begun",
    [
        b"POST /read HTTP/1.1\r\n" + LARGE,
        CHUNKED + b"\r\n5\r\nab",
        b"GET /read HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 40_000,
    ],
    ids=["body", "chunks", "header"],
)
def test_requests_that_are_slow_from_the_start_leave_threads_to_others(served: Served, begun: bytes) -> None:
    slow = [served.client(begun) for _ in range(3 * THREADS)]
    for _ in range(3):
        assert b"200 OK" in answers(served.client(GET), 1)
    rest = b"a" * 60_000 if b"Length" in begun else b"cde\r\n0\r\n\r\n" if b"chunked" in begun else b"\r\n\r\n"
    for each in slow:
        each.sendall(rest)
    for each in slow:
        assert b"200 OK" in answers(each, 1)


def test_who_takes_too_long_is_told_so_and_the_site_is_not_asked() -> None:
    served = Served(read_seconds=0.3)
    slow = [served.client(b"POST /read HTTP/1.1\r\n" + LARGE) for _ in range(3 * THREADS)]
    for each in slow:
        assert all_of(each).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert not served.site.lost.is_set()
    served.end()


def test_who_goes_away_in_the_middle_of_a_body_is_not_taken_to_have_sent_it(served: Served) -> None:
    client = served.client(b"POST /read HTTP/1.1\r\n" + LARGE)
    client.shutdown(socket.SHUT_WR)
    assert b"200 OK" not in all_of(client)
    assert served.site.lost.wait(10), "half a body is not the body"


@pytest.mark.parametrize("head", [HOST + b"Content-Length: 5\r\n", HOST + b"Transfer-Encoding: chunked\r\n"])
def test_who_waits_to_be_told_to_go_on_is_told_once(served: Served, head: bytes) -> None:
    client = served.client(b"POST /read HTTP/1.1\r\n" + head + b"Expect: 100-continue\r\n\r\n")
    assert answers(client, 1, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.sendall(b"5\r\nhello\r\n0\r\n\r\n" if b"chunked" in head else b"hello")
    got = answers(client, 1)
    assert got.startswith(b"HTTP/1.1 200 OK\r\n")
    assert got.endswith(b"5 read")


def test_who_may_not_send_so_much_is_not_told_to_go_on(served: Served) -> None:
    head = HOST + b"Content-Length: 300000\r\nExpect: 100-continue\r\n\r\n"
    assert all_of(served.client(b"POST /read HTTP/1.1\r\n" + head)).startswith(b"HTTP/1.1 ")


def test_chunks_that_come_byte_by_byte_are_read(served: Served) -> None:
    client = served.client()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in CHUNKED + b"\r\n5;a=b\r\nhello\r\n0\r\nX-Trails: 1\r\n\r\n":
        client.sendall(bytes([byte]))
    assert b"5 read" in answers(client, 1)


@pytest.mark.parametrize(("count", "code"), [(10_000, b"200"), (40_000, b"400")])
def test_chunks_of_a_byte_are_read_as_long_as_they_are_few(served: Served, count: int, code: bytes) -> None:
    client = served.client(CHUNKED + b"\r\n" + b"1\r\na\r\n" * count + b"0\r\n\r\n")
    assert answers(client, 1, b"\r\n\r\n").split()[1] == code


def test_answers_that_nobody_takes_hold_no_thread(served: Served) -> None:
    slow = [served.client(GET.replace(b"ignore", b"large") * 2) for _ in range(3 * THREADS)]
    for _ in range(3):
        assert b"200 OK" in answers(served.client(GET), 1)
    for each in slow:
        assert len(answers(each, 2, b"-end")) > 2 * Site.large
        each.sendall(GET)
        assert b"200 OK" in answers(each, 1)


@pytest.mark.parametrize("count", [2, 3, 10, 51])
def test_requests_that_come_at_once_are_all_answered(served: Served, count: int) -> None:
    assert answers(served.client(GET * count), count).count(b"200 OK") == count


def test_half_a_request_after_a_whole_one_waits_without_a_thread(served: Served) -> None:
    halves = [served.client(GET + GET[:20]) for _ in range(3 * THREADS)]
    for each in halves:
        assert b"200 OK" in answers(each, 1)
    assert b"200 OK" in answers(served.client(GET), 1)
    for each in halves:
        each.sendall(GET[20:])
        assert b"200 OK" in answers(each, 1)


def test_over_tls_requests_that_come_at_once_are_all_answered(tmp_path: Path) -> None:
    authority, files = trustme.CA(), (tmp_path / "cert.pem", tmp_path / "key.pem")
    made = authority.issue_cert("127.0.0.1")
    made.cert_chain_pems[0].write_to_path(files[0])
    made.private_key_pem.write_to_path(files[1])
    context = ssl.create_default_context()
    authority.configure_trust(context)
    served = Served(Encryption(*map(str, files)))
    for sent, count in ((GET, 1), (GET * 51, 51), (GET[:-2] + b"X: " + b"a" * (8_192 - len(GET) - 5) + b"\r\n\r\n", 1)):
        with context.wrap_socket(served.client(), server_hostname="127.0.0.1") as client:
            client.sendall(sent + GET)
            assert answers(client, count + 1).count(b"200 OK") == count + 1
    served.end()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"GET /ignore HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 60_000 + b"\r\n\r\n", b"200"),
        (b"GET /ignore HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 70_000 + b"\r\n\r\n", b"431"),
        (b"GET /ignore HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 20_000 + b"\r\n", b"431"),
        (b"GET /ignore HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 3_000_000, b"431"),
        (b"GET /ignore?" + b"a" * 60_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"200"),
        (b"GET /ignore?" + b"a" * 70_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"414"),
    ],
    ids=["a large header", "one too large", "too many", "one without an end", "a long address", "one too long"],
)
def test_what_comes_before_the_body_is_bounded(served: Served, sent: bytes, code: bytes) -> None:
    client = served.client(sent)
    if code == b"200":
        assert b"HTTP/1.1 200 OK" in answers(client, 1)
    else:
        got = all_of(client)
        assert got.split()[1] == code
        assert b"more than 65,536 bytes" in got


POST = b"POST /read HTTP/1.1\r\n" + HOST


@pytest.mark.parametrize(
    "sent",
    [
        POST + b"Content-Length: -5\r\n\r\nhello",
        POST + b"Content-Length: +5\r\n\r\nhello",
        POST + b"Content-Length: 1_0\r\n\r\nhellohello",
        POST + b"Content-Length: \r\n\r\nhello",
        POST + b"Content-Length: 5, 5\r\n\r\nhello",
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        POST + b"Content-Length : 5\r\n\r\nhello",
        POST + b"Content-Length:\r\n 5\r\n\r\nhello",
        POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding:\r\n\r\n0\r\n\r\n",
        b"POST /read HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + HOST + b"\r\n",
        b"GET /read HTTP/1.1\r\n folded: first\r\n\r\n",
        *(
            CHUNKED + b"\r\n" + chunks
            for chunks in (
                b"zz\r\nhello\r\n0\r\n\r\n",
                b"-5\r\nhello\r\n0\r\n\r\n",
                b"0x5\r\nhello\r\n0\r\n\r\n",
                b"+5\r\nhello\r\n0\r\n\r\n",
                b"\r\nhello\r\n0\r\n\r\n",
                b"5\nhello\r\n0\r\n\r\n",
                b"5\r\nhelloXX0\r\n\r\n",
                b"5\r\nhello\r\n0\r\nno trailer\r\n\r\n",
                b"5;" + b"a" * 70_000,
            )
        ),
    ],
)
def test_a_request_whose_end_is_in_doubt_is_refused_and_nothing_after_it_is_read(served: Served, sent: bytes) -> None:
    got = all_of(served.client(sent + GET))
    assert got.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert got.count(b"HTTP/1.1") == 1
    assert b"\r\nConnection: close\r\n" in got


def test_a_header_that_only_looks_like_the_length_is_not_taken_for_it(served: Served) -> None:
    client = served.client(POST + b"Content_Length: 3\r\nContent-Length: 5\r\n\r\nhello" + GET)
    assert answers(client, 2).count(b"200 OK") == 2


@pytest.mark.parametrize("path", [b"read", b"ignore"])
def test_chunks_are_read_to_their_end_with_what_trails_them(served: Served, path: bytes) -> None:
    sent = CHUNKED.replace(b"read", path) + b"\r\n5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Trails: 1\r\n\r\n"
    got = answers(served.client(sent + GET), 2)
    assert got.count(b"200 OK") == 2
    assert (b"15 read" in got) is (path == b"read")


def test_of_chunks_that_are_too_many_no_more_is_read_than_tells_the_site_so(served: Served) -> None:
    got = all_of(served.client(CHUNKED + b"\r\n" + b"c350\r\n" + b"a" * 50_000 + (b"\r\nc350\r\n" + b"a" * 50_000) * 9))
    assert got.endswith(b"200001 read")
    assert b"\r\nConnection: close\r\n" in got
