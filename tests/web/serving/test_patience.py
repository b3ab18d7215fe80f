"""A request that comes in pieces is taken up as soon as it is whole; who is slow is let go, and holds no thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from web.serving import patience
from web.serving.incoming import Incoming
from web.serving.outgoing import Keep, Outgoing
from web.serving.patience import Patience

HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n"
LARGE = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + b"a" * 100_000


class Held:
    """As much of a connection as is looked at."""

    has_rest = False

    def __init__(self, held: socket.socket, keep: Keep | None = None) -> None:
        held.setblocking(False)
        self.socket, keep = held, keep or Keep(10**9)
        self.rfile, self.wfile = Incoming(held, 10**6, keep), Outgoing(held, keep, 10)

    def is_ready(self) -> bool:
        return self.rfile.is_whole()

    def close(self) -> None:
        self.rfile.close()
        self.socket.close()


@contextmanager
def waiting(
    most: int = 10**9, **settings: Any
) -> Iterator[tuple[Patience, threading.Event, Callable[[bytes], socket.socket]]]:
    """A Patience, what is set once a request is taken up, and what makes clients that have sent something."""
    admitted, sockets = threading.Event(), list[socket.socket]()
    waits = Patience(lambda _: admitted.set(), **settings)
    keep = Keep(most, waits.let_go_of_a_request)
    waits.start()

    def client(sent: bytes) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 400_000)
        theirs.settimeout(5)
        sockets.extend((ours, theirs))
        theirs.sendall(sent)
        waits.take(Held(ours, keep))
        return theirs

    try:
        yield waits, admitted, client
    finally:
        waits.stop()
        for each in sockets:
            each.close()


def test_a_request_is_taken_up_once_its_body_is_there() -> None:
    with waiting() as (_, admitted, client):
        sender = client(HEAD)
        assert not admitted.wait(0.1)
        sender.sendall(b"{}")
        assert admitted.wait(5)


def test_half_a_request_is_taken_up_once_its_client_is_gone() -> None:
    with waiting() as (_, admitted, client):
        client(HEAD).close()
        assert admitted.wait(5), "it is seen at once, not after READ_SECONDS"


@pytest.mark.parametrize("sent", [HEAD, b"GET / HT", LARGE])
def test_who_says_half_a_request_and_no_more_is_told_that_it_is_late(sent: bytes) -> None:
    with waiting(seconds=0.2) as (_, admitted, client):
        slow = client(sent)
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert slow.recv(1000) == b""
        assert not admitted.is_set()


def test_who_says_nothing_is_let_go_without_a_word() -> None:
    with waiting(seconds=0.2) as (_, _, client):
        assert client(b"").recv(1000) == b""


def test_of_requests_that_take_too_much_room_the_one_that_stopped_first_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "STALLED_SECONDS", 0.05)
    with waiting(most=300_000) as (_, admitted, client):
        small = client(HEAD)
        slow = [client(LARGE) for _ in range(2)]
        time.sleep(0.1)
        late = client(LARGE)
        late.sendall(b"a" * 50_000)
        assert slow[0].recv(1000).startswith(b"HTTP/1.1 503 ")
        late.sendall(b"a" * 50_000)
        assert admitted.wait(5)
        admitted.clear()
        small.sendall(b"{}")
        assert admitted.wait(5), "small ones do not give way"


def test_where_there_is_no_room_for_a_request_its_client_is_told() -> None:
    with waiting(most=50_000) as (_, admitted, client):
        assert client(LARGE).recv(1000).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        small = client(HEAD)
        small.sendall(b"{}")
        assert admitted.wait(5)


def test_room_is_given_back_once_a_request_was_read() -> None:
    keep = Keep(300_000)
    ours, theirs = socket.socketpair()
    held = Held(ours, keep)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 400_000)
    for _ in range(3):
        theirs.sendall(LARGE)
        assert not held.is_ready()
        theirs.sendall(b"a" * 100_000)
        assert held.is_ready()
        assert not keep.take(150_000)
        held.rfile.read()
        held.rfile.begin()
    assert keep.take(300_000)
    ours.close()
    theirs.close()


def test_what_a_client_does_not_take_yet_is_sent_when_it_does() -> None:
    with waiting() as (waits, _, _):
        ours, theirs = socket.socketpair()
        theirs.settimeout(5)
        held, sent = Held(ours), threading.Event()
        held.wfile.write(b"a" * 3_000_000)
        assert not held.wfile.is_empty
        waits.send(held, lambda _: sent.set())
        assert not sent.wait(0.1)
        got = 0
        while got < 3_000_000:
            got += len(theirs.recv(100_000))
        assert sent.wait(5)
        assert held.wfile.is_empty
        ours.close()
        theirs.close()


def test_who_takes_nothing_is_let_go() -> None:
    keep = Keep(4_000_000)
    with waiting(seconds=0.2) as (waits, _, _):
        ours, theirs = socket.socketpair()
        held = Held(ours, keep)
        held.wfile.write(b"a" * 3_000_000)
        waits.send(held, lambda _: None)
        for _ in range(100):
            if ours.fileno() < 0:
                break
            time.sleep(0.05)
        assert ours.fileno() < 0
        assert keep.take(4_000_000), "what was kept for it is not counted any more"
        theirs.close()


def test_who_goes_on_is_not_let_go_for_others() -> None:
    with waiting(most=150_000) as (_, admitted, client):
        steady = client(LARGE)
        assert client(LARGE).recv(1000).startswith(b"HTTP/1.1 503 ")
        steady.sendall(b"a" * 30_000)
        assert not admitted.wait(0.1)


def test_who_goes_on_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PROGRESS", 20_000)
    with waiting(seconds=0.9) as (_, admitted, client):
        steady = client(LARGE)
        for _ in range(4):
            time.sleep(0.4)
            steady.sendall(b"a" * 25_000)
        assert admitted.wait(5)


def test_where_too_much_is_kept_the_one_that_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "STALLED_SECONDS", 0.0)
    with waiting() as (waits, _, _):
        keep, pairs = Keep(5_000_000, waits.let_go_of_an_answer), [socket.socketpair() for _ in range(3)]
        for ours, _ in pairs:
            held = Held(ours, keep)
            held.wfile.write(b"a" * 3_000_000)
            waits.send(held, lambda _: None)
        assert [ours.fileno() < 0 for ours, _ in pairs] == [True, True, False]
        for pair in pairs:
            for each in pair:
                each.close()


def test_who_waits_for_a_client_gives_up_when_the_server_ends() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    way = Outgoing(ours, Keep(0), 60, lambda: True)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        way.write(b"a" * 3_000_000)
    assert time.monotonic() - began < 5
    ours.close()
    theirs.close()


def test_beyond_what_is_kept_for_all_a_thread_waits_for_its_client() -> None:
    ours, theirs = socket.socketpair()
    held = Held(ours, Keep(0))
    writes = threading.Thread(target=lambda: held.wfile.write(b"a" * 1_000_000))
    writes.start()
    got = 0
    while got < 1_000_000:
        got += len(theirs.recv(100_000))
    writes.join(5)
    assert not writes.is_alive()
    ours.close()
    theirs.close()
