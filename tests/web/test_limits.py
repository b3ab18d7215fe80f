"""Each limit is a setting, and whoever meets it is told so: on the page, by both APIs, on the command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from web.cli import main
from web.config import Config

MAPS = "/w/a/api/v1/namespaces/default/configmaps"
SETTINGS = {
    "max_document_bytes": 1024,
    "max_levels": 10,
    "max_values": 1000,
    "max_aliased_values": 5,
    "max_documents": 2,
    "max_operations": 3,
    "max_copied_bytes": 1024,
    "max_managers": 10,
}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def object_with(**members: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, **members}


ENTRY = {"operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {}}}
ENTRIES = [{"manager": f"m{number}", **ENTRY} for number in range(11)]
COPIES = [{"op": "copy", "from": "/data/a", "path": f"/data/b{number}"} for number in range(3)]
OPERATIONS = [{"op": "add", "path": f"/data/{number}", "value": "x"} for number in range(4)]
BODIES: dict[str, Any] = {
    "max_document_bytes": json.dumps(object_with(data={"a": "x" * 2000})),
    "max_levels": json.dumps(object_with(spec=deep(12))),
    "max_values": json.dumps(object_with(data=dict.fromkeys(map(str, range(1100)), ""))),
    "max_aliased_values": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &a {a: b, c: d}\nx: *a\ny: *a\n",
    "max_managers": json.dumps(object_with(metadata={"name": "a", "managedFields": ENTRIES})),
}
PATCHES: dict[str, Any] = {"max_operations": OPERATIONS, "max_copied_bytes": COPIES}
LIVE = object_with(data={"a": "x" * 600})


def client_with(setting: str) -> FlaskClient:
    config = Config(**{setting: SETTINGS[setting]})
    return create_app(config, lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


def named(setting: str) -> tuple[str, str]:
    """What a sentence about a limit holds: the setting and its number."""
    return f"PATCHYARD_{setting.upper()}", f"{SETTINGS[setting]:,}"


@pytest.mark.parametrize("setting", BODIES)
def test_the_page_tells_of_each_limit_at_the_editor(setting: str) -> None:
    text = client_with(setting).post("/", data={"kind": "update", "live": BODIES[setting], "body": "a: 1"}).text
    at = text.index('id="problems-live"')
    told = text[at : text.index("</ul>", at)]
    assert all(word in told for word in named(setting))


@pytest.mark.parametrize("setting", BODIES)
def test_both_apis_tell_of_each_limit(setting: str) -> None:
    client = client_with(setting)
    answer = client.post("/api/evaluate", json={"kind": "update", "body": "a: 1", "live": BODIES[setting]})
    assert answer.status_code == 413
    assert all(word in answer.get_json()["error"] for word in named(setting))
    put = client.post(MAPS, data=BODIES[setting], content_type="application/yaml")
    assert (put.status_code, put.get_json()["reason"]) == (413, "RequestEntityTooLarge")
    assert all(word in put.get_json()["message"] for word in named(setting))


@pytest.mark.parametrize("setting", [each for each in BODIES if each != "max_managers"])
def test_the_command_line_tells_of_each_limit(
    setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"PATCHYARD_{setting.upper()}", str(SETTINGS[setting]))
    (tmp_path / "live.yaml").write_text(BODIES[setting])
    (tmp_path / "patch.json").write_text("{}")
    assert main(["patch", str(tmp_path / "live.yaml"), str(tmp_path / "patch.json"), "--type", "merge"]) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in named(setting))


def test_documents_are_counted_where_several_are_taken() -> None:
    crds = "\n---\n".join(["kind: CustomResourceDefinition"] * 3)
    text = client_with("max_documents").post("/", data={"kind": "apply", "crds": crds, "body": "a: 1"}).text
    assert "PATCHYARD_MAX_DOCUMENTS" in text


def test_documents_are_counted_by_the_json_api_too() -> None:
    asked = {"kind": "update", "body": "a: 1", "crds": [{}] * 3}
    answer = client_with("max_documents").post("/api/evaluate", json=asked)
    assert (answer.status_code, "PATCHYARD_MAX_DOCUMENTS" in answer.get_json()["error"]) == (413, True)


@pytest.mark.parametrize("setting", PATCHES)
def test_a_patch_that_makes_too_much_is_refused_everywhere(
    setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    client, patch = client_with(setting), PATCHES[setting]
    assert client.post(MAPS, json=LIVE).status_code == 201
    told = client.patch(f"{MAPS}/a", data=json.dumps(patch), content_type="application/json-patch+json")
    if setting == "max_operations":  # the reference's own words
        assert told.status_code == 413
        assert told.get_json()["message"] == "The allowed maximum operations in a JSON patch is 3, got 4"
        page = client.post("/", data={"kind": "json-patch", "live": json.dumps(LIVE), "body": json.dumps(patch)}).text
        assert "PATCHYARD_MAX_OPERATIONS" in page[page.index('id="problems-body"') :]
        answer = client.post("/api/evaluate", json={"kind": "json-patch", "live": LIVE, "body": patch})
        assert (answer.status_code, "PATCHYARD_MAX_OPERATIONS" in answer.get_json()["error"]) == (413, True)
    else:
        assert told.status_code == 422
        assert "PATCHYARD_MAX_COPIED_BYTES" in told.get_json()["message"]
    assert client.get(f"{MAPS}/a").get_json()["data"] == LIVE["data"]
    monkeypatch.setenv(f"PATCHYARD_{setting.upper()}", str(SETTINGS[setting]))
    (tmp_path / "live.json").write_text(json.dumps(LIVE))
    (tmp_path / "patch.json").write_text(json.dumps(patch))
    for more in ([], ["--trace"]):
        assert main(["patch", str(tmp_path / "live.json"), str(tmp_path / "patch.json"), *more]) == 1
        assert f"PATCHYARD_{setting.upper()}" in capsys.readouterr().err


def test_ten_thousand_copies_that_double_a_document_are_not_computed() -> None:
    client = create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()
    patch = [{"op": "add", "path": "/spec", "value": {"a": list(range(50))}}]
    patch += [{"op": "copy", "from": "/spec", "path": f"/spec/{number}"} for number in range(9_999)]
    form = {"kind": "json-patch", "live": json.dumps(object_with()), "body": json.dumps(patch), "view": "patch"}
    assert "the copies of this patch take more than" in client.post("/", data=form).text
    assert client.post("/evaluate", data=form).status_code == 200
