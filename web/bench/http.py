"""How quickly a server answers applies: `python -m web.bench.http`, or `--json` for programs.

A server with several processes and a SQLite file is started on a free port, as `patchyard serve` does it; a client in
this process sends it applies over connections that stay open, first one at a time, then eight at a time, for so many
seconds each. Every apply changes the object: one replica more or less of the recorded Deployment, with force. Each
connection has a Deployment of its own, so that none waits for another's object. One more run applies what is there
already. Validation and defaults are on; every answer is looked at, and any but 200 ends the run.

A client of one thread that waits for all sockets at once takes some 30 µs for a request, of the same two cores that
the server has.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from web.bench.documents import recording
from web.bench.measure import unit_of_time

SECONDS = 5.0
WARM_UP = 50
"""Requests over each connection that are not counted: every thread and process has met every type by then."""
_WAIT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: an answer's time in milliseconds at the median and for 95 of 100, and answers a second.

    unit_us is the unit's time beside it, median_units the median in units.
    """

    operation: str
    clients: int
    median_ms: float
    p95_ms: float
    requests_per_second: float
    median_units: float
    unit_us: float


class UnexpectedAnswer(Exception):
    """An answer that is no success; its text is the answer's beginning."""


def measure_all(seconds: float = SECONDS, processes: int = 2) -> Iterator[Figures]:
    """Yield the figures for one client and for eight, of applies that change something and of such that do not."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "store.db", processes) as port:
        for operation, clients in (("apply-change", 1), ("apply-change", 8), ("apply-noop", 1), ("apply-noop", 8)):
            yield measure(port, operation, clients, seconds)


@contextmanager
def served(store: Path, processes: int) -> Iterator[int]:
    """Serve from a SQLite file until the end of the block; gives the port."""
    command = [sys.executable, "-m", "web.cli", "serve", "--port", "0", "--store", str(store)]
    environment = {**os.environ, "PATCHYARD_WORKSPACE_RATE": "0", "PATCHYARD_STORE_SYNC": "normal"}
    server = subprocess.Popen(  # noqa: S603
        [*command, "--processes", str(processes)], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert server.stdout is not None
        greeting = server.stdout.readline()
        yield int(greeting.partition(" (stop")[0].rpartition(":")[2])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(_WAIT_SECONDS)
        if server.stdout is not None:
            server.stdout.close()


def measure(port: int, operation: str, clients: int, seconds: float) -> Figures:
    """Return the figures of so many clients that apply to a server at 127.0.0.1 for so long.

    Raises:
        UnexpectedAnswer: an apply was not answered with 200, or 201 the first time.
    """
    connections = [_Connection(port, number, changes=operation == "apply-change") for number in range(clients)]
    try:
        _run(connections, WARM_UP * clients, float("inf"))
        unit, started = unit_of_time(), time.perf_counter()
        taken = _run(connections, sys.maxsize, started + seconds)
        elapsed, unit = time.perf_counter() - started, min(unit, unit_of_time())
    finally:
        for each in connections:
            each.close()
    median = statistics.median(taken)
    return Figures(
        operation,
        clients,
        round(median * 1e3, 2),
        round(sorted(taken)[int(len(taken) * 0.95)] * 1e3, 2),
        round(len(taken) / elapsed, 1),
        round(median / unit, 1),
        round(unit * 1e6, 1),
    )


class _Connection:
    """One client: a connection that stays open, and the requests that it sends in turn."""

    def __init__(self, port: int, number: int, *, changes: bool) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), _WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = [_request(number, replicas) for replicas in ((2, 3) if changes else (2,))]
        self._sent, self._begun = 0, 0.0
        self._answer = b""

    def send(self) -> None:
        """Send the next request."""
        self._begun, self._answer = time.perf_counter(), b""
        self.socket.sendall(self._requests[self._sent % len(self._requests)])
        self._sent += 1

    def receive(self) -> float | None:
        """Take what is there of the answer; once it is whole, return how many seconds it took.

        Raises:
            UnexpectedAnswer: it is no success.
        """
        piece = self.socket.recv(65536)
        self._answer += piece
        head, end, body = self._answer.partition(b"\r\n\r\n")
        if not piece:
            raise UnexpectedAnswer("the server closed the connection")
        if not end or len(body) < _length(head):
            return None
        if head[9:12] not in (b"200", b"201"):
            raise UnexpectedAnswer(self._answer[:500].decode("utf-8", "replace"))
        return time.perf_counter() - self._begun

    def close(self) -> None:
        """End."""
        self.socket.close()


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


def _request(number: int, replicas: int) -> bytes:
    """An apply of the recorded intent to the Deployment of a client."""
    intent = recording()["apply_force"]["intent"]
    name = f"{intent['metadata']['name']}-{number}"
    metadata = {**intent["metadata"], "name": name, "namespace": "default"}
    body = json.dumps({**intent, "metadata": metadata, "spec": {**intent["spec"], "replicas": replicas}}).encode()
    path = f"/w/bench/apis/apps/v1/namespaces/default/deployments/{name}?fieldManager=bench&force=true"
    head = (
        f"PATCH {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\n"
        f"Content-Type: application/apply-patch+yaml\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _run(connections: list[_Connection], most: int, until: float) -> list[float]:
    """Send over all connections, each again once it is answered, and return how long each answer took."""
    taken: list[float] = []
    with selectors.DefaultSelector() as selector:
        for each in connections:
            selector.register(each.socket, selectors.EVENT_READ, each)
            each.send()
        waiting = len(connections)
        while waiting:
            for key, _ in selector.select(_WAIT_SECONDS):
                seconds = key.data.receive()
                if seconds is None:
                    continue
                taken.append(seconds)
                if len(taken) + waiting - 1 < most and time.perf_counter() < until:
                    key.data.send()
                else:
                    waiting -= 1
    return taken


def main(arguments: list[str] | None = None) -> int:
    """Print the figures, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m web.bench.http", description="Measure applies over HTTP.")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each run lasts")
    parser.add_argument("--processes", type=int, default=2, help="server processes")
    options = parser.parse_args(arguments)
    found = list(measure_all(options.seconds, options.processes))
    if options.json:
        print(json.dumps({"http": [asdict(each) for each in found]}, indent=1))
        return 0
    print("\n".join(table(found)))
    return 0


def table(found: list[Figures]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{'over HTTP':<16}{'clients':>8}{'median ms':>11}{'p95 ms':>9}{'requests/s':>12}{'median units':>14}"
    for each in found:
        yield (
            f"{each.operation:<16}{each.clients:>8}{each.median_ms:>11.2f}{each.p95_ms:>9.2f}"
            f"{each.requests_per_second:>12.1f}{each.median_units:>14.1f}"
        )


if __name__ == "__main__":
    sys.exit(main())
