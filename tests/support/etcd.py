"""A real etcd for tests: started on free ports, stopped and started again by them."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

MISSING = "there is no etcd on this machine; Debian's package is etcd-server"


def is_there() -> bool:
    """Return True if an etcd can be started."""
    return shutil.which("etcd") is not None


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Etcd:
    """One etcd process, whose data stays in a folder when it is stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port, self._peer = folder, free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def store(self) -> str:
        """Its name as a store."""
        return f"etcd://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        peer = f"http://127.0.0.1:{self._peer}"
        options = {
            "data-dir": str(self._folder),
            "listen-client-urls": self.address,
            "advertise-client-urls": self.address,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"default={peer}",
            "unsafe-no-fsync": "",
        }
        command = ["etcd", *(f"--{name}={value}" if value else f"--{name}" for name, value in options.items())]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=1) as answer:
                    if b"true" in answer.read():
                        return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("etcd did not start within 30 seconds")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None
