"""A request that comes in pieces is taken up as soon as it is whole, and a slow one costs few looks."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cheroot.makefile import MakeFile

from web.serving import patience
from web.serving.patience import Patience


class Held:
    """As much of a connection as is looked at."""

    def __init__(self, held: socket.socket) -> None:
        self.socket = held
        self.rfile = MakeFile(held, "rb")


HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n"


@contextmanager
def half_a_request() -> Iterator[tuple[socket.socket, threading.Event]]:
    """A client that has sent the head of a request, and what is set once the request is taken up."""
    ours, theirs = socket.socketpair()
    admitted = threading.Event()
    waits = Patience(lambda _: admitted.set(), 1)
    waits.start()
    theirs.sendall(HEAD)
    waits.take(Held(ours))
    try:
        yield theirs, admitted
    finally:
        waits.stop()
        ours.close()
        theirs.close()


def test_a_request_is_taken_up_once_its_body_is_there() -> None:
    with half_a_request() as (client, admitted):
        assert not admitted.wait(0.1)
        client.sendall(b"{}")
        assert admitted.wait(5)


def test_half_a_request_is_taken_up_once_its_client_is_gone() -> None:
    with half_a_request() as (client, admitted):
        client.close()
        assert admitted.wait(5), "it is seen at once, not after READ_SECONDS"


@pytest.mark.parametrize(("waited", "pause"), [(0.0, 0.001), (0.1, 0.01), (3.0, 0.05)])
def test_who_waits_long_is_looked_at_seldom(monkeypatch: pytest.MonkeyPatch, waited: float, pause: float) -> None:
    now = 100.0
    monkeypatch.setattr(patience.time, "monotonic", lambda: now)
    waits = Patience(lambda _: None, 1)
    assert waits._pause() == 1.0
    ours, theirs = socket.socketpair()
    with ours, theirs:
        waits.take(Held(ours))
    now += waited
    assert waits._pause() == pause
