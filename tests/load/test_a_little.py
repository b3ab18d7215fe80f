"""A few users for some seconds: the program that loads a server works. `python -m tests.load` is the whole class."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_few_users_are_served_without_errors() -> None:
    command = [sys.executable, "-m", "tests.load", "--users", "5", "--pause", "0.5", "--minutes", "0.05"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 errors" in done.stdout
    assert "evaluate: " in done.stdout
