"""The command helps people, and refuses in sentences."""

from __future__ import annotations

import socket

import pytest

from web.cli import main


def test_help_tells_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    for name in ("serve", "PATCHYARD_HOST", "PATCHYARD_PORT", "PATCHYARD_THREADS", "PATCHYARD_MAX_DOCUMENT_BYTES"):
        assert name in shown


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", f"--port={port}"])
    assert "expected a whole number from 0 to 65535" in capsys.readouterr().err


def test_a_taken_port_is_told_with_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    error = capsys.readouterr().err
    assert f"cannot listen on 127.0.0.1 port {port}" in error
    assert f"--port {port + 1}" in error


def test_a_bad_setting_ends_the_start(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATCHYARD_THREADS", "none")
    assert main(["serve"]) == 2
    assert "PATCHYARD_THREADS is 'none'" in capsys.readouterr().err
