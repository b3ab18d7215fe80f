"""A server process and a real browser for every story; nothing of the site is imported here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from e2e.playground import Playground

SYSTEM_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = (
    "No Chromium was found: the browser tests did NOT run. Install Debian's package chromium, "
    "or run .venv/bin/playwright install chromium, and run them again with make browser."
)
WATCH_POLICY = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
"""
BY_THE_BROWSER = "style-src-attr inline"
"""Chromium itself tries an inline style when typing replaces a selection in an editor; the text is right."""


PATIENCE = 20_000
"""Milliseconds that a story waits for what it expects: two browsers may share one busy core."""


def _browser() -> str | None:
    """Return the path of a Chromium, or None."""
    for name in SYSTEM_BROWSERS:
        found = shutil.which(name)
        if found:
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def pytest_configure(config: pytest.Config) -> None:
    """Find the browser once."""
    config.stash[BROWSER] = _browser()
    expect.set_options(timeout=PATIENCE)


BROWSER = pytest.StashKey[str | None]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser: skip the stories, or under CI fail at once."""
    stories = [item for item in items if Path(__file__).parent in item.path.parents]
    if config.stash[BROWSER] is not None or not stories:
        return
    if os.environ.get("CI") == "true":
        pytest.exit(f"{MISSING} Under CI=true that is a failure.", returncode=1)
    for item in stories:
        item.add_marker(pytest.mark.skip(reason=MISSING))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say loudly that nothing was tried in a browser."""
    if config.stash[BROWSER] is None:
        terminalreporter.section("BROWSER TESTS DID NOT RUN", red=True)
        terminalreporter.line(MISSING)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], pytestconfig: pytest.Config) -> dict[str, Any]:
    """Start the browser that was found, quietly."""
    return {
        **browser_type_launch_args,
        "executable_path": pytestconfig.stash[BROWSER],
        "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    }


@pytest.fixture(scope="session")
def base_url() -> Iterator[str]:
    """Serve the site on a free port for as long as the stories run."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PATCHYARD_")}
    command = [sys.executable, "-m", "web.cli", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ, cwd=Path(__file__).parent.parent)
    assert server.stdout is not None
    address = re.search(r"http://[\d.:]+", server.stdout.readline())
    assert address, "the server did not print its address"
    yield address[0]
    server.terminate()
    assert server.wait(timeout=10) == 0


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """Watch every page for script errors and for breaches of the content security policy."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(WATCH_POLICY)
    yield page
    violations = page.evaluate("window.violations ?? []")
    assert [violation for violation in violations if violation != BY_THE_BROWSER] == []
    assert errors == []


@pytest.fixture
def playground(page: Page) -> Playground:
    """The playground at its first visit."""
    page.goto("/")
    return Playground(page)


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker's source text."""
    return (Path(__file__).parent.parent / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
