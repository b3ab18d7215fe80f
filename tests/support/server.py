"""A server process for tests: started with some options, and told to end when it is done."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from types import TracebackType


class ServerProcess:
    """`patchyard serve` on a free port, for as long as a `with` lasts."""

    def __init__(self, *options: str, **environment: str) -> None:
        self._command = [sys.executable, "-m", "web.cli", "serve", "--port", "0", *options]
        clean = {name: text for name, text in os.environ.items() if not name.startswith("PATCHYARD_")}
        self._environment = {**clean, **environment}

    def __enter__(self) -> ServerProcess:
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self._environment
        )
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline() + self.process.stdout.readline()
        found = re.search(r"(https?)://[\d.:]+", self.greeting)
        if found is None:
            self.process.wait(10)
            assert self.process.stderr is not None
            raise AssertionError(f"the server did not start: {self.process.stderr.read()}")
        self.address = found[0]
        self.port = int(self.address.rpartition(":")[2])
        return self

    def end(self, seconds: float = 10) -> int:
        """Tell it to end, and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.end()
        finally:
            self.process.kill()
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
