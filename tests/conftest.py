"""Settings of all tests, and the table of recordings after them, also when they ran in several processes."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.conformance.comparison import Row, table

settings.register_profile("patchyard", deadline=None)  # a busy machine is no fault of what is tested
settings.load_profile("patchyard")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """On a machine that checks for others nothing may be left out because something is missing there."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and "on this machine" in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"left out, and CI=true: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [each for outcome in ("passed", "failed") for each in terminalreporter.stats.get(outcome, [])]
    told = [value for each in reports for name, value in each.user_properties if name == "recordings"]
    if told:
        terminalreporter.section("Recordings of a real API server")
        for line in table(Row(*each) for each in told):
            terminalreporter.write_line(line)
    skipped = {str(each.longrepr[2]) for each in terminalreporter.stats.get("skipped", []) if each.longrepr}
    for missing in sorted(each for each in skipped if "on this machine" in each):
        terminalreporter.write_line(f"NOT TESTED: {missing.removeprefix('Skipped: ')}.", red=True, bold=True)
