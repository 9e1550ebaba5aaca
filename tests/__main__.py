"""All that `make test` runs, one after the other, and one line at the end that says how it went."""

import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

from embedviz.base.settings import ROOT
from tests.progress import clock

REPORTS = ROOT / ".make"
STEPS = {
    "lint": "the style of the code, and who imports whom",
    "unit": "functions, servers and pages, without a browser",
    "browser": "pages in a browser",
}


def main() -> int:
    """Run all steps until one fails; 1 if one does."""
    began = time.monotonic()
    passed = 0
    for n, (step, about) in enumerate(STEPS.items(), 1):
        print(f"\n{n} of {len(STEPS)}: {about} (make {step})", flush=True)
        report = REPORTS / f"{step}.xml"
        report.unlink(missing_ok=True)
        code = subprocess.run(["make", "--no-print-directory", step], cwd=ROOT, check=False).returncode
        tests, failed = counted(report)
        passed += tests - failed
        if code:
            print(f"\nAfter {clock(time.monotonic() - began)} {of_step(step, tests, failed)}: the reason stands above.")
            return 1
    print(f"\nAll {passed:,} tests passed, in {clock(time.monotonic() - began)}.")
    return 0


def counted(report: Path) -> tuple[int, int]:
    """How many tests ran, and how many of them failed, by pytest's report."""
    if not report.exists():
        return 0, 0
    numbers = ET.parse(report).getroot().find("testsuite").attrib  # noqa: S314 pytest wrote it
    return int(numbers["tests"]), int(numbers["failures"]) + int(numbers["errors"])


def of_step(step: str, tests: int, failed: int) -> str:
    """What went wrong."""
    return f"{failed} of the {tests:,} tests of `make {step}` failed" if failed else f"`make {step}` failed"


if __name__ == "__main__":
    sys.exit(main())
