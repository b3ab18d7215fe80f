"""Settings of all tests, and the table of recordings after them, also when they ran in several processes."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.conformance.comparison import Row, table

settings.register_profile("patchyard", deadline=None)  # a busy machine is no fault of what is tested
settings.load_profile("patchyard")


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
