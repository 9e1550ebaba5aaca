"""All that `make test` runs, side by side, and one line at the end that says how it went.

Tests in a browser often wait for it, so the others run meanwhile. They are given less of the cores' time, since a
training's process, for which a browser waits, has the lowest priority of all.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import BinaryIO
from xml.etree import ElementTree as ET

from embedviz.base.settings import ROOT
from tests.progress import clock

REPORTS = ROOT / ".make"
LAST_LINES = 10  # seconds for a step's last lines, since a process that a test left behind may hold the pipe for ever
STEPS = {
    "lint": "the style of the code, who imports whom, and the types of the scripts",
    "unit": "functions, servers and pages, without a browser",
    "browser": "pages in a browser",
}


def main() -> int:
    """Run all steps to their ends; 1 if one of them fails."""
    began = time.monotonic()
    print("".join(f"make {step}: {about}\n" for step, about in STEPS.items()), flush=True)
    with ThreadPoolExecutor(len(STEPS)) as pool:
        codes = dict(zip(STEPS, pool.map(run, STEPS), strict=True))
    numbers = {step: counted(report_of(step)) for step in STEPS}
    took = clock(time.monotonic() - began)
    if any(codes.values()):
        wrong = ", and ".join(of_step(step, *numbers[step]) for step, code in codes.items() if code)
        print(f"\nAfter {took} {wrong}: the reason stands above.")
        print("".join(f"  {test}\n" for _tests, failed in numbers.values() for test in failed), end="")
        return 1
    print(f"\nAll {sum(tests for tests, _failed in numbers.values()):,} tests passed, in {took}.")
    return 0


def run(step: str) -> int:
    """Run a step, print each of its lines behind its name, and give its exit code."""
    report_of(step).unlink(missing_ok=True)
    command = [*(["nice", "-n", "5"] if step == "unit" else []), "make", "--no-print-directory", step]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printer = Thread(target=_print_lines, args=(step, process.stdout), daemon=True)
    printer.start()
    process.wait()
    printer.join(LAST_LINES)
    if printer.is_alive():
        print(f"{step:7} | A process that a test has started is still there.", flush=True)
    return process.returncode


def _print_lines(step: str, output: BinaryIO) -> None:
    for line in output:
        print(f"{step:7} | {line.decode(errors='replace').rstrip()}", flush=True)


def report_of(step: str) -> Path:
    """Where pytest writes what became of a step's tests."""
    return REPORTS / f"{step}.xml"


def counted(report: Path) -> tuple[int, list[str]]:
    """How many tests ran, and the names of those that failed, by pytest's report."""
    if not report.exists():
        return 0, []
    suite = ET.parse(report).getroot().find("testsuite")  # noqa: S314 pytest wrote it
    failed = [case for case in suite if case.find("failure") is not None or case.find("error") is not None]
    return int(suite.get("tests")), [f"{case.get('classname')}: {case.get('name')}" for case in failed]


def of_step(step: str, tests: int, failed: list[str]) -> str:
    """What went wrong."""
    return f"{len(failed)} of the {tests:,} tests of `make {step}` failed" if failed else f"`make {step}` failed"


if __name__ == "__main__":
    sys.exit(main())
