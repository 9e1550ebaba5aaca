"""What the tests say while they run: how many are done, of how many, and how long it has taken so far.

A plugin of pytest in the place of its dots, for `make test`, `make unit` and `make browser`.
"""

import sys
import time

import pytest

EVERY = 10.0  # seconds between two lines where a line cannot be written anew, as in a log
REDRAWN = 0.2  # seconds between two states of the line where it can


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds: 75 is "1:15"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


class Progress:
    """Counts the reports of tests, and says from time to time how far they are."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._began = time.monotonic()
        self._said = self._began
        self._of = self._done = self._failed = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._of = self._of or len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """A worker knows all tests, of which it runs a part."""
        self._of = len(ids)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dot for a test that has passed."""
        return ("passed", "", "") if report.passed and report.when == "call" else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._done += report.when == "call" or (report.when == "setup" and not report.passed)
        if report.failed:
            self._failed += 1
            self._reporter.write_line(f"\nFAILED {report.nodeid}")
        if time.monotonic() - self._said > (REDRAWN if sys.stdout.isatty() else EVERY):
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        line = f"{self._done:,} of {self._of:,} tests, {clock(self._said - self._began)} so far"
        line += f", {self._failed} failed" if self._failed else ""
        self._reporter.write(f"\r{line}" if sys.stdout.isatty() else f"{line}\n", flush=True)


@pytest.hookimpl(trylast=True)  # the reporter is there by then
def pytest_configure(config: pytest.Config) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(reporter))
