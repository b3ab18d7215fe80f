"""A thousand watches that are told nothing: what they cost, that they are told all the same, and that they go."""

from __future__ import annotations

import json
import resource
import select
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.server import ServerProcess

WATCHES = 1_000
MOST_MEGABYTES = 150
MAPS = "/w/a/api/v1/namespaces/default/configmaps"


@contextmanager
def many_files() -> Iterator[None]:
    """Let this process open as many sockets as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WATCHES + 500
    if hard not in (resource.RLIM_INFINITY,) and hard < wanted:
        pytest.skip(f"a process may open only {hard} files on this machine")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def megabytes_of(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def processor_seconds_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def watches_now(address: str) -> int:
    with urllib.request.urlopen(f"{address}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return int(float(next(line for line in lines if line.startswith("patchyard_watches")).split()[1]))


def begun(port: int) -> socket.socket:
    watch = socket.create_connection(("127.0.0.1", port), 20)
    watch.sendall(f"GET {MAPS}?watch=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return watch


def told(watches: list[socket.socket], seconds: float) -> int:
    """How many of the watches are sent something within so many seconds."""
    waiting, end = {each.fileno(): each for each in watches}, time.monotonic() + seconds
    poll = select.poll()
    for number in waiting:
        poll.register(number, select.POLLIN)
    while waiting and time.monotonic() < end:
        for number, _ in poll.poll(200):
            waiting.pop(number).recv(65_536)
            poll.unregister(number)
    return len(watches) - len(waiting)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells what a process takes")
def test_a_thousand_idle_watches_cost_little_and_are_told_and_let_go(tmp_path: Path) -> None:
    settings = {"PATCHYARD_THREADS": "1024", "PATCHYARD_WORKSPACE_WATCHES": str(WATCHES)}
    with many_files(), ServerProcess("--store", str(tmp_path / "s.db"), **settings) as server:
        watches = [begun(server.port) for _ in range(WATCHES)]
        assert told(watches, 60) == WATCHES, "each begins at once with the headers"
        assert watches_now(server.address) == WATCHES
        assert megabytes_of(server.process.pid) < MOST_MEGABYTES

        time.sleep(1)  # what they began with is written down by now
        before = processor_seconds_of(server.process.pid)
        time.sleep(2)
        assert processor_seconds_of(server.process.pid) - before < 0.5, "who waits asks the store nothing"

        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{server.address}{MAPS}", json.dumps(body).encode(), headers)
        urllib.request.urlopen(request, timeout=10).close()
        assert told(watches, 20) == WATCHES

        for watch in watches:
            watch.close()
        end = time.monotonic() + 15
        while watches_now(server.address) and time.monotonic() < end:
            time.sleep(0.1)
        assert watches_now(server.address) == 0
