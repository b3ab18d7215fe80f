"""`patchyard migrate` and `patchyard last-applied`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.meta.last_applied import LAST_APPLIED
from web.cli import main

MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: '1'}}"


def live(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the file of an object that kubectl applied on the client's side."""
    (tmp_path / "map.yaml").write_text(MAP)
    main(["apply", str(tmp_path / "map.yaml"), "--client-side", "--show-managed-fields", "-o", "yaml"])
    path = tmp_path / "live.yaml"
    path.write_text(capsys.readouterr().out)
    return str(path)


def test_client_side_fields_are_taken_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", live(tmp_path, capsys), "--manager", "ci"]) == 1
    told = capsys.readouterr()
    entries = json.loads(told.out)[0]["value"]
    assert [(each["manager"], each["operation"]) for each in entries] == [("ci", "Apply")]
    assert told.err == "note: kubectl-client-side-apply: taken over by ci\n"


def test_the_patch_is_taken_and_leaves_nothing_to_take_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = live(tmp_path, capsys)
    main(["migrate", path])
    (tmp_path / "patch.json").write_text(capsys.readouterr().out)
    main(["patch", path, str(tmp_path / "patch.json")])
    (tmp_path / "after.yaml").write_text(capsys.readouterr().out)
    assert main(["migrate", str(tmp_path / "after.yaml")]) == 0
    assert "nothing to take over" in capsys.readouterr().err


def test_what_was_applied_last_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["last-applied", live(tmp_path, capsys)]) == 0
    assert "data:\n  a: '1'\n" in capsys.readouterr().out.replace('"', "'")


def test_another_configuration_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = live(tmp_path, capsys)
    assert main(["last-applied", path, "--set", str(tmp_path / "map.yaml")]) in (0, 1)
    capsys.readouterr()
    (tmp_path / "map.yaml").write_text(MAP.replace("'1'", "'2'"))
    assert main(["last-applied", path, "--set", str(tmp_path / "map.yaml")]) == 1
    patch = json.loads(capsys.readouterr().out)
    assert json.loads(patch["metadata"]["annotations"][LAST_APPLIED])["data"] == {"a": "2"}


@pytest.mark.parametrize("options", [[], ["--set", "map.yaml"]])
def test_an_object_that_was_never_applied_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "map.yaml").write_text(MAP)
    assert main(["last-applied", "map.yaml", *options]) == 2
    assert "the object has no annotation" in capsys.readouterr().err
    if options:
        assert main(["last-applied", "map.yaml", *options, "--create-annotation"]) == 1


def test_fields_that_cannot_be_read_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = "[{manager: a, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'k:{': {}}}]"
    (tmp_path / "map.yaml").write_text(MAP.replace("{name: c}", "{name: c, managedFields: " + broken + "}"))
    assert main(["migrate", str(tmp_path / "map.yaml")]) == 2
    assert "managedFields of the live object cannot be read" in capsys.readouterr().err
