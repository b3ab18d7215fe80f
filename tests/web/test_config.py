"""Settings come from the environment, or the start is refused in a sentence."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from web.cli import EPILOG
from web.config import BadSetting, Config, config_from


def test_an_empty_environment_gives_the_defaults() -> None:
    assert config_from({}) == Config()


def test_every_setting_is_read() -> None:
    environ = {
        "PATCHYARD_HOST": "0.0.0.0",
        "PATCHYARD_PORT": "9000",
        "PATCHYARD_THREADS": "4",
        "PATCHYARD_STORE": "store.db",
        "PATCHYARD_MAX_DOCUMENT_BYTES": "2048",
        "PATCHYARD_MAX_LEVELS": "20",
        "PATCHYARD_MAX_VALUES": "2000",
        "PATCHYARD_MAX_ALIASED_VALUES": "21",
        "PATCHYARD_MAX_DOCUMENTS": "22",
        "PATCHYARD_MAX_OPERATIONS": "23",
        "PATCHYARD_MAX_COPIED_BYTES": "2024",
        "PATCHYARD_MAX_MANAGERS": "25",
        "PATCHYARD_MAX_SECONDS": "26",
        "PATCHYARD_RULE_SECONDS": "27",
        "PATCHYARD_RULE_MEBIBYTES": "128",
        "PATCHYARD_OPEN": "1",
        "PATCHYARD_WORKSPACES": "20",
        "PATCHYARD_WORKSPACE_OBJECTS": "30",
        "PATCHYARD_WORKSPACE_BYTES": "100000",
        "PATCHYARD_OBJECT_BYTES": "50000",
        "PATCHYARD_WORKSPACE_WATCHES": "5",
        "PATCHYARD_WORKSPACE_RATE": "6",
        "PATCHYARD_WORKSPACE_DAYS": "7",
        "PATCHYARD_PROCESSES": "2",
        "PATCHYARD_TLS_CERT": "c.pem",
        "PATCHYARD_TLS_KEY": "k.pem",
        "PATCHYARD_HOSTS": "a.example,b.example",
        "PATCHYARD_LOG": "none",
        "PATCHYARD_STORE_SYNC": "full",
    }
    assert config_from(environ) == Config(
        host="0.0.0.0",
        port=9000,
        threads=4,
        store="store.db",
        max_document_bytes=2048,
        max_levels=20,
        max_values=2000,
        max_aliased_values=21,
        max_documents=22,
        max_operations=23,
        max_copied_bytes=2024,
        max_managers=25,
        max_seconds=26,
        rule_seconds=27,
        rule_mebibytes=128,
        open=1,
        workspaces=20,
        workspace_objects=30,
        workspace_bytes=100_000,
        object_bytes=50_000,
        workspace_watches=5,
        workspace_rate=6,
        workspace_days=7,
        processes=2,
        tls_cert="c.pem",
        tls_key="k.pem",
        hosts="a.example,b.example",
        log="none",
        store_sync="full",
    )


def test_every_setting_is_told_by_help_and_readme_and_no_other() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    settings = readme[readme.index("## Settings") : readme.index("## Run it for others")]
    at_installation = {"PATCHYARD_NODE"}
    wanted = {f"PATCHYARD_{each.name.upper()}" for each in fields(Config)}
    assert set(re.findall("PATCHYARD_[A-Z_]+", EPILOG)) == wanted
    rows = " ".join(line.split("|")[1] for line in settings.splitlines() if line.startswith("| `"))
    assert set(re.findall("PATCHYARD_[A-Z_]+", rows)) == wanted | at_installation


@pytest.mark.parametrize("place", ["help", "readme"])
def test_the_defaults_that_are_told_are_those_that_hold(place: str) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    numbers = {each.name: each.default for each in fields(Config) if type(each.default) is int}
    for name, default in numbers.items():
        setting = f"PATCHYARD_{name.upper()}"
        if place == "readme":
            [told] = re.findall(rf"^\| `{setting}` \| (\S+) \|", readme, re.MULTILINE)
        else:
            line = EPILOG[EPILOG.index(f"  {setting} ") :].splitlines()[0]
            [told] = re.findall(r"\((\d+)\)$|\((\d+);", line)
            told = told[0] or told[1]
        assert int(told) == default, setting


def test_a_bad_word_is_told_with_those_that_are_expected() -> None:
    with pytest.raises(BadSetting) as caught:
        config_from({"PATCHYARD_STORE_SYNC": "sometimes"})
    told = "The environment variable PATCHYARD_STORE_SYNC is 'sometimes'; expected normal or full. "
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("host", "opens"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True)]
    + [("0.0.0.0", False), ("::", False), ("192.0.2.1", False), ("example.com", False), ("", False)],
)
def test_workspaces_are_open_where_only_this_machine_reaches_them(host: str, opens: bool) -> None:
    assert Config(host=host).opens is opens
    assert config_from({"PATCHYARD_HOST": host or "0.0.0.0", "PATCHYARD_OPEN": "1"}).opens is True
    assert config_from({"PATCHYARD_HOST": host, "PATCHYARD_OPEN": "0"}).opens is False


@pytest.mark.parametrize("text", ["x", "-1", "65536", "8080.5", "٣", "99999999999999999999"])
def test_a_bad_number_is_told_with_name_value_and_range(text: str) -> None:
    with pytest.raises(BadSetting) as caught:
        config_from({"PATCHYARD_PORT": text})
    assert str(caught.value).startswith(f"The environment variable PATCHYARD_PORT is {text!r}; expected a whole number")
    assert "from 0 to 65535" in str(caught.value)
