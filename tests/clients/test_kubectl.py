"""Every line of the tables in web/kubeapi/README.md, run by every kubectl of this machine."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
import trustme

from tests.support.kubectl import MISSING, kubectls
from web.app import create_app
from web.config import Config
from web.serving.server import SiteServer, listen

FOLDER = Path(__file__).resolve().parent / "files"
README = Path(__file__).resolve().parents[2] / "web/kubeapi/README.md"
ROW = re.compile(r"^\| `kubectl (?P<line>.*)` \|(?: (?P<prints>.*) )?\s*\|$", re.MULTILINE)
LINES = [(row["line"], row["prints"] or "") for row in ROW.finditer(README.read_text(encoding="utf-8"))]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """The address of a server."""
    listening = listen("127.0.0.1", 0)
    server = SiteServer(listening, create_app(Config(), lambda: datetime.now(UTC)), 16, None)
    server.prepare()
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.stop()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the lines name, with a certificate made for them."""
    folder = tmp_path_factory.mktemp("clients") / "files"
    shutil.copytree(FOLDER, folder)
    certificate = trustme.CA().issue_cert("lab.example")
    certificate.cert_chain_pems[0].write_to_path(folder / "tls.crt")
    certificate.private_key_pem.write_to_path(folder / "tls.key")
    return folder


def words(line: str, files: Path) -> list[str]:
    """The words of a command line; what follows -p is JSON, and one word as it stands."""
    line, _, patch = line.partition(" -p ")
    return [*shlex.split(line.replace("FILES/", f"{files}/")), *(["-p", patch] if patch else [])]


def test_the_tables_hold_every_generator() -> None:
    assert len(LINES) > 50
    made = {line.split()[1] for line, _ in LINES if line.startswith("create ") and not line.split()[1].startswith("-")}
    every = "clusterrole clusterrolebinding configmap cronjob deployment ingress job namespace poddisruptionbudget"
    more = "priorityclass quota role rolebinding secret service serviceaccount"
    assert made == {*every.split(), *more.split()}


@pytest.mark.parametrize(
    "kubectl", kubectls() or [pytest.param("", marks=pytest.mark.skip(reason=MISSING))], ids=os.path.basename
)
def test_every_line_prints_what_the_tables_say(base: str, files: Path, kubectl: str, tmp_path: Path) -> None:
    workspace = Path(kubectl).name.replace("_", "-")
    environ = {**os.environ, "HOME": str(tmp_path), "KUBECONFIG": "", "KUBECTL_EXTERNAL_DIFF": "diff -u"}
    wrong = []
    for line, prints in LINES:
        command = [kubectl, "--server", f"{base}/w/{workspace}", *words(line, files)]
        done = subprocess.run(
            command, env=environ, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL
        )
        told = (each for each in (done.stderr + done.stdout).splitlines() if not each.startswith("Flag --"))
        first = next(told, "")  # that a flag is going to be another one is no answer
        if not first.startswith(prints) or (not prints and first):
            wrong.append(f"kubectl {line}\n  printed  {first}\n  expected {prints}")
    assert not wrong, "\n".join(wrong)
