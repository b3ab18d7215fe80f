"""`patchyard explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from web.cli import main

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '1', b.c: '2'}\n"


def live(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the file of an object that `ci` applied."""
    (tmp_path / "map.yaml").write_text(MAP)
    main(["apply", str(tmp_path / "map.yaml"), "--manager", "ci", "--show-managed-fields"])
    path = tmp_path / "live.yaml"
    path.write_text(capsys.readouterr().out)
    return path


def explained(tmp_path: Path, live: Path, body: str, *options: str) -> int:
    (tmp_path / "body.yaml").write_text(body)
    return main(["explain", str(tmp_path / "body.yaml"), "--live", str(live), *options])


def test_each_field_has_its_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = live(tmp_path, capsys)
    body = MAP.replace("a: '1'", "a: '3'").replace(", b.c: '2'", "")
    assert explained(tmp_path, there, body, "--manager", "ci") == 0
    assert capsys.readouterr().out.splitlines() == [
        "data.a: Set by this write.",
        'data["b.c"]: Removed: this write dropped it, and nobody else owned it.',
    ]


def test_rules_have_their_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = live(tmp_path, capsys)
    assert explained(tmp_path, there, MAP, "--manager", "other", "--rules") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "data.a: Shared: this write says the same as ci (Apply), and they own it together."
    assert lines[1].strip().endswith("(Kubernetes documentation, Server-Side Apply: Conflicts)")


def test_a_conflict_is_explained_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = live(tmp_path, capsys)
    assert explained(tmp_path, there, MAP.replace("'1'", "'9'"), "--manager", "other") == 1
    told = capsys.readouterr()
    assert "data.a: Not changed: owned by ci (Apply), so this write was refused." in told.out
    assert "refused with 409" in told.err


def test_a_patch_takes_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = live(tmp_path, capsys)
    assert explained(tmp_path, there, "data: {a: null}", "--type", "merge", "-o", "json") == 0
    told = {tuple(each["path"]): each for each in json.loads(capsys.readouterr().out)}
    gone = told["data", "a"]
    assert (gone["reason"], gone["owners"]) == (
        "taken",
        [{"manager": "ci", "operation": "Apply", "subresource": ""}],
    )


def test_all_tells_of_the_name_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = live(tmp_path, capsys)
    assert explained(tmp_path, there, MAP, "--manager", "ci", "--all") == 0
    assert "metadata.name: Tells which object this is" in capsys.readouterr().out


def test_a_live_object_that_is_none_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.yaml").write_text("[1, 2]")
    assert explained(tmp_path, tmp_path / "list.yaml", MAP) == 2
    assert "the live object is no map" in capsys.readouterr().err
