"""Clients are shared out evenly among the processes that listen on one socket."""

from __future__ import annotations

import errno
import os
import socket
import time
from pathlib import Path

import pytest

from tests.support.server import ServerProcess
from web.serving.shares import Share, SharedSocket, Shares


class Client:
    """Stands for a connection."""


def test_whoever_has_more_clients_lets_another_go_first_for_a_while() -> None:
    shares = Shares(2)
    one, other = Share(shares, 0), Share(shares, 1)
    clients = [Client(), Client()]
    assert one.is_next()
    one.add(clients[0])
    assert not one.is_next()
    assert other.is_next()
    assert any(one.is_next() for _ in range(100))  # the other one may be busy, or gone
    other.add(clients[1])
    assert one.is_next()
    assert other.is_next()


def test_a_client_that_is_gone_counts_no_more() -> None:
    shares = Shares(2)
    one, other = Share(shares, 0), Share(shares, 1)
    clients = [Client(), Client()]
    one.add(clients[0])
    one.remove(clients[0])
    one.remove(clients[0])
    assert one.is_next()
    other.add(clients.pop())
    one.add(clients.pop())
    assert one.is_next()


def test_a_process_that_begins_anew_has_no_clients() -> None:
    shares, client = Shares(2), Client()
    Share(shares, 0).add(client)
    assert Share(shares, 0).is_next()


def test_a_socket_that_nobody_shares_takes_whoever_comes() -> None:
    with SharedSocket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            accepted.close()


def test_without_room_for_another_client_the_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: socket.socket) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with SharedSocket() as listening:
        monkeypatch.setattr(socket.socket, "accept", refuse)
        with pytest.raises(BlockingIOError):
            listening.accept()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="what a process has open is read from /proc")
def test_each_process_gets_as_many_clients(tmp_path: Path) -> None:
    with ServerProcess("--processes", "2", "--store", str(tmp_path / "store.db")) as server:
        _wait_for_all(server.process.pid)
        before = _sockets(server.process.pid)
        clients = [_client(server.port) for _ in range(12)]
        after = _sockets(server.process.pid)
        for each in clients:
            each.close()
    shares = [after[process] - before[process] for process in before]
    assert sum(shares) == 12
    assert min(shares) >= 4  # where a processor is busy one process may miss its turn


def _client(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), 10)
    made.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert made.recv(1000).startswith(b"HTTP/1.1 200")
    return made


def _wait_for_all(parent: int) -> None:
    """Return once each child looks for clients."""
    for _ in range(200):
        if all(any("eventpoll" in link for link in links) for links in _links(parent).values()):
            return
        time.sleep(0.1)
    raise AssertionError("a process does not serve")


def _sockets(parent: int) -> dict[int, int]:
    """How many sockets each child of a process has."""
    return {child: sum(each.startswith("socket:") for each in links) for child, links in _links(parent).items()}


def _links(parent: int) -> dict[int, list[str]]:
    """What each child of a process has open."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
    return {int(child): list(filter(None, map(_link, Path(f"/proc/{child}/fd").iterdir()))) for child in children}


def _link(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except OSError:
        return ""  # it was closed meanwhile
