"""The command helps people, and refuses in sentences."""

from __future__ import annotations

import io
import json
import os
import pty
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from web.cli import main
from web.config import Config

COMMANDS = ("apply", "patch", "diff", "replay", "serve")
LIVE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: conf
data:
  a: "1"
  b: "2"
"""
WANTED = LIVE.replace('"2"', '"5"')
Write = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> Write:
    """Writes a file, and returns its name."""

    def write(text: Any, name: str = "") -> str:
        path = tmp_path / (name or f"{len(list(tmp_path.iterdir()))}.yaml")
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "example:\n  " in shown
    assert f"patchyard {command}" in shown.partition("example:")[2]


def test_diff_prints_a_patch_and_says_by_its_status_whether_there_is_one(
    file: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", file(LIVE), file(WANTED)]) == 1
    assert json.loads(capsys.readouterr().out) == [{"op": "replace", "path": "/data/b", "value": "5"}]
    assert main(["diff", file(LIVE), file(LIVE)]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize("wanted", ["merge-patch", "strategic"])
def test_diff_prints_the_other_formats(wanted: str, file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file(LIVE), file(WANTED), "--format", wanted, "-o", "yaml"]) == 1
    assert yaml.safe_load(capsys.readouterr().out) == {"data": {"b": "5"}}


def test_diff_prints_an_intent_and_what_it_takes(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file(LIVE), file(WANTED), "--format", "apply", "--manager", "ci"]) == 1
    shown = capsys.readouterr()
    assert yaml.safe_load(shown.out)["data"] == {"b": "5"}
    assert "note: It needs --force-conflicts" in shown.err


def test_diff_takes_the_options_of_a_patch(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = (
        file({"l": [{"id": 1, "v": 1}, {"id": 2, "v": 1}]}),
        file({"l": [{"id": 2, "v": 2}, {"id": 1, "v": 1}]}),
    )
    assert main(["diff", before, after, "--key", "id", "--guard", "keys"]) == 1
    patch = json.loads(capsys.readouterr().out)
    assert [each["op"] for each in patch] == ["test", "replace", "test", "move"]
    assert main(["diff", before, after, "--no-moves", "--no-copies", "--fewest", "bytes"]) == 1
    assert {each["op"] for each in json.loads(capsys.readouterr().out)} <= {"add", "remove", "replace"}
    assert main(["diff", before, after, "--reverse", "--format", "merge-patch"]) == 1
    assert json.loads(capsys.readouterr().out) == {"l": [{"id": 1, "v": 1}, {"id": 2, "v": 1}]}


def test_what_a_format_cannot_say_is_wrong_use(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file("a: 1"), file("a: null"), "--format", "merge-patch"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "cannot put the null at .a" in shown.err


def test_a_readable_diff_has_no_colour_in_a_file(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file(LIVE), file(WANTED), "--format", "text"]) == 1
    shown = capsys.readouterr().out
    assert '-   b: "2"\n+   b: "5"\n' in shown
    assert "\x1b" not in shown
    assert main(["diff", file(LIVE), file(LIVE), "--format", "text"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_a_readable_diff_has_colour_on_a_terminal(no_colour: str, file: Write) -> None:
    command = [sys.executable, "-m", "web.cli", "diff", file(LIVE), file(WANTED), "--format", "text"]
    ours, theirs = pty.openpty()
    environ = {**os.environ, "NO_COLOR": no_colour, "TERM": "xterm"}
    process = subprocess.Popen(command, stdout=theirs, env=environ, cwd=Path(__file__).parents[2])
    assert process.wait(timeout=60) == 1
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert ("\x1b[32m+" in shown) == (not no_colour)


def test_a_document_may_come_from_standard_input(
    file: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(LIVE))
    assert main(["diff", "-", file(WANTED)]) == 1
    assert json.loads(capsys.readouterr().out)
    monkeypatch.setattr(sys, "stdin", io.StringIO(LIVE))
    assert main(["diff", "-", "-"]) == 2
    assert "both the first document and the second document" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1", "cannot be used: line 2"),
        ("a: 1\na: 2\n", 'the key "a"'),
        ("", "the document is empty"),
        ("a: 1\n---\nb: 1\n", "holds 2 documents"),
        ("a" * 2_000_000, "at most"),
    ],
)
def test_a_document_that_cannot_be_read_is_told(
    text: str, said: str, file: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", file(text), file(LIVE)]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_told(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file(LIVE), "not-there.yaml"]) == 2
    assert "'not-there.yaml' cannot be read" in capsys.readouterr().err


def test_patch_prints_the_patched_document(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    patch = [{"op": "replace", "path": "/data/b", "value": "5"}]
    assert main(["patch", file(LIVE), file(patch)]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == yaml.safe_load(WANTED)
    assert main(["patch", file(LIVE), file({"data": {"b": "5"}})]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == yaml.safe_load(WANTED)
    assert main(["patch", file({"a": 1}), file({"a": None, "b": 2})]) == 0
    assert json.loads(capsys.readouterr().out) == {"b": 2}
    assert main(["patch", file(LIVE), file(patch), "-o", "diff"]) == 1
    assert "+" in capsys.readouterr().out


def test_patch_tells_where_the_dialects_part(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    patch = file([{"op": "replace", "path": "/data/z", "value": "9"}])
    assert main(["patch", file(LIVE), patch]) == 0
    assert "note: RFC 6902 refuses operation 0" in capsys.readouterr().err
    assert main(["patch", file(LIVE), patch, "--dialect", "strict"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert 'the document has it as far as "/data"' in shown.err


def test_patch_traces_each_operation(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    patch = file(
        [{"op": "add", "path": "/n", "value": 1}, {"op": "remove", "path": "/n"}, {"op": "remove", "path": "/n"}]
    )
    assert main(["patch", file({"a": 1}), patch, "--trace"]) == 1
    shown = capsys.readouterr()
    assert [line[:13] for line in shown.out.splitlines() if line.startswith("#")] == [
        "# operation 0", "# operation 1", "# operation 2",
    ]  # fmt: skip
    assert '"n": 1' in shown.out
    assert "operation 2" in shown.err
    assert main(["patch", file({"a": 1}), file({"a": 2}), "--trace"]) == 2


def test_a_strategic_patch_wants_a_built_in_kind(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patch", file("a: 1"), file("a: 2"), "--type", "strategic"]) == 2
    assert "use --type merge" in capsys.readouterr().err


def test_apply_prints_the_object_or_the_conflicts(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", file(LIVE), "--manager", "ci", "--show-managed-fields"]) == 0
    created = capsys.readouterr().out
    assert yaml.safe_load(created)["metadata"]["managedFields"][0]["manager"] == "ci"
    live = file(created)
    assert main(["apply", file(WANTED), "--live", live, "--manager", "other"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert '.data.b: yours "5", live "2", of ci (Apply)' in shown.err
    assert main(["apply", file(WANTED), "--live", live, "--manager", "other", "--force-conflicts"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["data"]["b"] == "5"
    assert main(["apply", file(WANTED), "--live", live, "--manager", "ci", "-o", "json-patch"]) == 0
    operations = json.loads(capsys.readouterr().out)
    assert {"op": "replace", "path": "/data/b", "value": "5"} in operations


def test_apply_tells_a_refusal(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", file(LIVE.replace("data", "dato"))]) == 1
    assert "refused with" in capsys.readouterr().err
    assert main(["apply", file("[1]")]) == 2
    assert "the intent is no map" in capsys.readouterr().err


def test_replay_answers_line_by_line(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    line = {"id": "x", "generate": {"before": {"a": 1}, "after": {"a": 1.0}, "format": "json-patch"}}
    assert main(["replay", file(json.dumps(line) + "\n")]) == 0
    assert capsys.readouterr().out.strip() == ('{"id":"x","got":{"patch":[{"op":"replace","path":"/a","value":1.0}]}}')
    assert main(["replay", file("no scenario\n")]) == 2
    assert "no scenario" in capsys.readouterr().err


def test_help_tells_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    for field in fields(Config):
        assert f"PATCHYARD_{field.name.upper()} " in shown


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


def test_a_store_that_cannot_be_opened_is_told_with_a_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATCHYARD_STORE", str(tmp_path / "absent" / "store.db"))
    assert main(["serve", "--port", "0"]) == 1
    error = capsys.readouterr().err
    assert "the store cannot be read" in error
    assert "without --store and PATCHYARD_STORE workspaces are kept in memory" in error


def _command(*arguments: str, shell: str = "", **settings: str) -> subprocess.CompletedProcess[bytes]:
    line = f'exec "$0" -m web.cli "$@" {shell}'
    environment = os.environ | settings
    return subprocess.run(["sh", "-c", line, sys.executable, *arguments], capture_output=True, env=environment)


@pytest.mark.parametrize(
    ("shell", "told"),
    [
        (">&-", b"standard output cannot be written: it is closed"),
        (">/dev/full", b"standard output cannot be written: No space left on device"),
        ("<&-", b"standard input, which is closed; name a file"),
    ],
)
def test_streams_that_fail_are_told(shell: str, told: bytes, file: Write) -> None:
    first = "-" if shell.startswith("<") else file(LIVE)
    done = _command("diff", first, file(WANTED), shell=shell)
    assert done.returncode == 2
    assert told in done.stderr
    assert b"Traceback" not in done.stderr


def test_text_is_utf_8_whatever_the_locale(file: Write) -> None:
    done = _command("diff", file("é: 1"), file("é: 2"), PYTHONIOENCODING="ascii")
    assert done.stdout.decode() == '[{"op": "replace", "path": "/é", "value": 2}]\n'


def test_a_line_that_is_no_scenario_is_named(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file('{"id": 1}\n{"id": 2, "generate": {}}')]) == 2
    told = capsys.readouterr().err
    assert "line 2 of" in told
    assert "it has no 'before'" in told


def test_a_number_that_json_cannot_hold_stays_out_of_the_patch(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file('{"a": 1}'), file('{"a": NaN, "b": 1e400}')]) == 1
    values = [each["value"] for each in json.loads(capsys.readouterr().out)]
    assert values == ["NaN", "1e400"]  # as YAML, and so Kubernetes, reads them


def test_an_integer_is_kept_to_the_letter_or_refused(file: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", file("[]"), file(f"[-{'9' * 4299}]")]) == 1
    assert "9" * 4299 in capsys.readouterr().out
    assert main(["diff", file("[]"), file(f"[{'9' * 4301}]")]) == 2
    assert "4,301 digits in one number; at most 4,300 are allowed" in capsys.readouterr().err


def test_client_side_apply_can_refuse_to_overwrite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: n}\nspec: {externalName: a.b}\n"
    (tmp_path / "new.yaml").write_text(manifest.replace("a.b", "c.d"))
    applied = json.dumps({"apiVersion": "v1", "kind": "Service", "metadata": {}, "spec": {"externalName": "a.b"}})
    note = f"annotations: {{kubectl.kubernetes.io/last-applied-configuration: '{applied}'}}"
    live = manifest.replace("a.b", "e.f").replace("{name: s, namespace: n}", f"{{name: s, namespace: n, {note}}}")
    (tmp_path / "live.yaml").write_text(live)
    asked = ["apply", str(tmp_path / "new.yaml"), "--live", str(tmp_path / "live.yaml"), "--client-side"]
    assert main([*asked, "--overwrite=false"]) == 1
    assert "conflicts with changes made from original to current" in capsys.readouterr().err


def test_a_diff_loads_neither_the_web_server_nor_server_side_apply(file: Write) -> None:
    script = (
        "import sys; from web.cli import main; main(sys.argv[1:]); "
        "loaded = {'flask', 'web.contexts', 'engine.managedfields', 'engine.apiserver'} & set(sys.modules); "
        "sys.exit(f'loaded: {loaded}' if loaded else 0)"
    )
    arguments = [sys.executable, "-c", script, "diff", file(LIVE), file(WANTED)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
