"""Each program of web/kubeapi/README.md, as it stands there, against a server."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import ServerProcess

README = Path(__file__).resolve().parents[2] / "web/kubeapi/README.md"
PROGRAM = re.compile(r"^### (?P<name>\w+)\n\n```python\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = {found["name"]: found["text"] for found in PROGRAM.finditer(README.read_text(encoding="utf-8"))}
PRINTED = {
    "kubernetes": """\
conflict: 409
ADDED settings {'retries': '5'}
""",
    "kr8s": """\
grey green
4 ['web']
ADDED colours
""",
}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ServerProcess() as server:
        yield server.address


def test_every_library_has_its_program() -> None:
    assert set(PROGRAMS) == set(PRINTED)


@pytest.mark.parametrize("library", PRINTED)
def test_the_program_does_what_it_says(address: str, library: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"SERVER = {f'{address}/w/{library}'!r}\n{PROGRAMS[library]}", encoding="utf-8")
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == (PRINTED[library], 0), done.stderr
