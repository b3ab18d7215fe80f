"""The built wheel, installed in a clean environment, serves the whole site."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--wheel-dir", folder, ".")
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def address(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the installed command serves the site."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    install = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*install, "--require-hashes", "-r", ROOT / "requirements.lock", cwd=folder)
    run(*install, "--no-deps", wheel, cwd=folder)
    server = subprocess.Popen(
        [str(folder / "venv/bin/patchyard"), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=folder
    )
    assert server.stdout is not None
    found = re.search(r"http://[\d.:]+", server.stdout.readline())
    assert found
    yield found[0]
    server.terminate()
    assert server.wait(timeout=10) == 0


def fetch(url: str, languages: str = "en") -> str:
    asked = urllib.request.Request(url, headers={"Accept-Language": languages})
    with urllib.request.urlopen(asked, timeout=30) as response:
        return str(response.read().decode())


def test_the_wheel_holds_what_is_needed_and_no_sources_of_the_bundle(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("web/templates/base.html", "web/static/vendor/editor.js", "web/static/vendor/htmx.min.js"):
        assert needed in names
    assert "web/static/vendor/LICENSES.txt" in names
    for folder in ("zh_Hant", "zh_Hans"):
        assert f"web/translations/{folder}/LC_MESSAGES/messages.mo" in names
    assert not any(name.endswith(".po") for name in names)
    assert any(name.startswith("engine/schema/data/") for name in names)
    assert any(name.startswith("web/data/examples/") for name in names)
    assert not any(name.startswith(("web/assets", "tests", "e2e", "node_modules")) for name in names)


def test_the_licence_of_everything_that_is_bundled_comes_along(wheel: Path) -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    bundled = [place.removeprefix("node_modules/") for place, told in packages.items() if place and "dev" not in told]
    assert {"@codemirror/view", "htmx.org"} < set(bundled)
    licences = zipfile.ZipFile(wheel).read("web/static/vendor/LICENSES.txt").decode()
    _, *parts = re.split(rf"^({'|'.join(map(re.escape, bundled))})$", licences, flags=re.MULTILINE)
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    for name in bundled:
        assert re.search("permission (is hereby granted|to use, copy)", texts[name], re.IGNORECASE), name


def test_the_page_and_every_file_that_it_names_are_served(address: str) -> None:
    page = fetch(address)
    assert "409" in page
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(files) >= 10
    for file in files:
        assert fetch(address + file)


def test_the_installed_page_speaks_three_languages(address: str) -> None:
    assert "Live object" in fetch(address)
    assert "現行物件" in fetch(address, "zh-TW")
    assert "现时对象" in fetch(address, "zh-CN,zh;q=0.9")
    assert "伺服器端套用" in fetch(address + "/cases", "zh-HK")


def test_the_installed_command_evaluates(address: str) -> None:
    body = urllib.request.Request(f"{address}/evaluate", data=b"kind=apply&manager=ci&body=apiVersion: v1%0Akind: Pod")
    with urllib.request.urlopen(body, timeout=30) as response:
        assert "outcome" in response.read().decode()
