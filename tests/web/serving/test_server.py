"""The server process: clients that are slow, that hang up, that want encryption; processes that share a port."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml

from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow
MAPS = "/w/a/api/v1/namespaces/default/configmaps"


def ask(address: str, method: str = "GET", body: Any = None, context: ssl.SSLContext | None = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=5, context=context) as answer:
        return json.loads(answer.read())


def config_map(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": "v"}}


HALVES = (
    b"",
    b"GET /healthz HT",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    f"POST {MAPS} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode(),
)


def test_clients_that_say_half_a_request_take_no_thread() -> None:
    with ServerProcess(PATCHYARD_THREADS="4") as server:
        for sent in HALVES:
            slow = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(20)]
            for client in slow:
                client.sendall(sent)
            time.sleep(0.2)
            began = time.monotonic()
            assert ask(f"{server.address}/w/a/version")["major"] == "1"
            assert time.monotonic() - began < 2, sent
            for client in slow:
                client.close()


def test_a_client_that_takes_its_time_is_answered_all_the_same() -> None:
    with ServerProcess() as server, socket.create_connection(("127.0.0.1", server.port), 5) as client:
        for part in (b"GET /hea", b"lthz HTTP/1.1\r\nHost: ", b"localhost\r\nConnection: close\r\n", b"\r\n"):
            client.sendall(part)
            time.sleep(0.15)
        assert client.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_a_watch_whose_client_goes_away_makes_room_at_once() -> None:
    with ServerProcess(PATCHYARD_WORKSPACE_WATCHES="2") as server:
        paths = (f"{MAPS}?watch=1", "/w/a/events")
        for _ in range(3):
            clients = [HTTPConnection("127.0.0.1", server.port, timeout=5) for _ in paths]
            began = time.monotonic()
            for client, path in zip(clients, paths, strict=True):
                client.request("GET", path)
                assert client.getresponse().status == 200
            assert time.monotonic() - began < 2, "an answer without an end begins at once"
            with pytest.raises(urllib.error.HTTPError, match="429"):
                ask(f"{server.address}{MAPS}?watch=1&timeoutSeconds=1")
            for client in clients:
                assert client.sock is not None
                client.sock.shutdown(socket.SHUT_RDWR)
                client.close()
            time.sleep(0.5)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_server_ends_within_two_seconds_though_somebody_watches(tmp_path: Path, processes: str) -> None:
    with ServerProcess("--store", str(tmp_path / "s.db"), "--processes", processes) as server:
        listeners = [HTTPConnection("127.0.0.1", server.port, timeout=20) for _ in range(8)]
        for number, listener in enumerate(listeners):
            listener.request("GET", ("/w/a/events", "/w/a/api/v1/namespaces?watch=1")[number % 2])
            assert listener.getresponse().status == 200
        began = time.monotonic()
        assert server.end() == 0
        assert time.monotonic() - began < 2.5
        for listener in listeners:
            listener.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells what a process has used so far")
def test_a_write_that_runs_when_the_server_is_told_to_end_is_answered_and_kept(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "s.db"))
    large = {**config_map("large"), "data": {f"k{number}": "" for number in range(30_000)}}
    with ServerProcess(*store) as server:
        assert ask(f"{server.address}{MAPS}", "POST", config_map("first"))["metadata"]["name"] == "first"
        client = HTTPConnection("127.0.0.1", server.port, timeout=20)
        idle = processor_seconds(server.process.pid)
        client.request("POST", MAPS, json.dumps(large), {"Content-Type": "application/json"})
        while processor_seconds(server.process.pid) < idle + 0.05:
            time.sleep(0.005)
        server.process.send_signal(signal.SIGTERM)
        answer = client.getresponse()
        assert answer.status == 201
        assert len(json.loads(answer.read())["data"]) == 30_000
        client.close()
        assert server.end() == 0
    with ServerProcess(*store) as server:
        assert len(ask(f"{server.address}{MAPS}/large")["data"]) == 30_000


def processor_seconds(process: int) -> float:
    """How long a process has run on a processor so far."""
    parts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def children_of(process: int) -> list[int]:
    told = Path(f"/proc/{process}/task/{process}/children")
    return [int(each) for each in told.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux tells which processes there are")
def test_a_process_that_dies_is_started_again_and_nothing_is_lost(tmp_path: Path) -> None:
    with ServerProcess("--store", str(tmp_path / "s.db"), "--processes", "2") as server:
        deadline = time.monotonic() + 20
        while len(children_of(server.process.pid)) < 2:
            time.sleep(0.05)
        time.sleep(1.5)
        acknowledged = set()
        for number in range(60):
            if number in (20, 40):
                os.kill(children_of(server.process.pid)[number % 40 // 20], signal.SIGKILL)
            try:
                ask(f"{server.address}{MAPS}", "POST", config_map(f"m{number}"))
                acknowledged.add(f"m{number}")
            except (OSError, ValueError):
                continue
        while len(children_of(server.process.pid)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        found = {each["metadata"]["name"] for each in ask(f"{server.address}{MAPS}")["items"]}
        assert acknowledged <= found
        assert len(acknowledged) > 40


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are read from /proc")
def test_processes_end_though_one_of_them_is_stopped(tmp_path: Path) -> None:
    with ServerProcess("--processes", "2", "--store", str(tmp_path / "s.db")) as server:
        stopped = children(server.process.pid)[0]
        os.kill(stopped, signal.SIGSTOP)
        assert server.end(20) == 0


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are read from /proc")
def test_processes_end_with_the_one_that_looks_after_them(tmp_path: Path) -> None:
    with ServerProcess("--processes", "2", "--store", str(tmp_path / "s.db")) as server:
        left = children(server.process.pid)
        server.process.kill()
        server.process.wait()
        for _ in range(100):
            if not any(Path(f"/proc/{each}").exists() for each in left):
                return
            time.sleep(0.1)
    raise AssertionError("they go on")


def test_several_processes_want_a_store() -> None:
    with pytest.raises(AssertionError, match="several processes share no memory. Name a store with --store FILE"):
        ServerProcess("--processes", "2").__enter__()


@pytest.fixture
def certificates(tmp_path: Path) -> tuple[str, str, str]:
    """A certificate for this machine, its key, and the authority that signed it."""
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1", "localhost")
    for name, pem in (
        ("cert", made.cert_chain_pems[0]),
        ("key", made.private_key_pem),
        ("ca", authority.cert_pem),
    ):
        pem.write_to_path(tmp_path / f"{name}.pem")
    return str(tmp_path / "cert.pem"), str(tmp_path / "key.pem"), str(tmp_path / "ca.pem")


def test_over_tls_the_kubeconfig_carries_the_certificate_and_kubectl_its_token(
    certificates: tuple[str, str, str], tmp_path: Path
) -> None:
    cert, key, authority = certificates
    with ServerProcess("--tls-cert", cert, "--tls-key", key, "--no-open") as server:
        assert server.address.startswith("https://")
        context = ssl.create_default_context(cafile=authority)
        made = ask(f"{server.address}/w/", "POST", {"token": True}, context)
        request = urllib.request.Request(made["kubeconfig"], headers={"Authorization": f"Bearer {made['token']}"})
        with urllib.request.urlopen(request, timeout=5, context=context) as answer:
            text = answer.read().decode()
        cluster = yaml.safe_load(text)["clusters"][0]["cluster"]
        assert cluster["server"] == made["server"]
        assert cluster["server"].startswith("https://")
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(f"{made['server']}/version", context=context)
        kubectl = shutil.which("kubectl")
        if kubectl is None:
            pytest.skip("there is no kubectl on this machine")
        config = tmp_path / "kubeconfig"
        config.write_text(text)

        def run(*words: str) -> subprocess.CompletedProcess[str]:
            command = [kubectl, "--kubeconfig", str(config), *words]
            environ = {**os.environ, "HOME": str(tmp_path)}
            return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)

        assert run("create", "configmap", "a", "--from-literal=k=v").stdout == "configmap/a created\n"
        assert run("get", "configmap", "a", "-o", "jsonpath={.data.k}").stdout == "v"
        config.write_text(text.replace(made["token"], "wrong"))
        assert "must be logged in" in run("get", "configmaps").stderr


def test_plain_http_is_told_that_this_is_https_and_a_slow_handshake_holds_nobody_up(
    certificates: tuple[str, str, str],
) -> None:
    cert, key, authority = certificates
    with ServerProcess("--tls-cert", cert, "--tls-key", key, PATCHYARD_THREADS="4") as server:
        silent = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(10)]
        plain = HTTPConnection("127.0.0.1", server.port, timeout=5)
        plain.request("GET", "/")
        answer = plain.getresponse()
        assert (answer.status, answer.read()) == (
            400,
            b"This server speaks https only: use an address that begins with https://.\n",
        )
        plain.close()
        context = ssl.create_default_context(cafile=authority)
        assert ask(f"{server.address}/w/a/version", context=context)["major"] == "1"
        for each in silent:
            each.close()


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_certificate_that_cannot_be_used_is_told(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "cert.pem"
    if content:
        file.write_text(content)
    with pytest.raises(AssertionError, match=r"patchyard: the certificate .* cannot be used: .* Name a file with the"):
        ServerProcess("--tls-cert", str(file)).__enter__()
