"""The attacks of tests/faults, and what somebody else on the site noticed of them.

Run from anywhere with the project's Python: `python benchmarks/faults.py`. Runs the tests, writes
`RESULTS.md`, and exits with 1 if one fails.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import figures
import results
from report import Row, as_table, is_passed
from server import ROOT


def rows(report: Path) -> list[Row]:
    """From what pytest wrote: the tests record each edit of the witness, and the memory that did not come back.

    Whether those are too much, the tests decide.
    """
    cases = ElementTree.parse(report).findall(".//testcase")  # noqa: S314 our own file
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    told = [(each.get("name"), float(each.get("value"))) for case in cases for each in case.iter("property")]
    edits = [value for name, value in told if name == "edit"]
    kept = [value for name, value in told if name == "memory"]
    alive = [value for name, value in told if name == "alive"]
    return [
        Row("attacks", len(cases), unit=""),
        Row("attacks after which the server was not as before", len(failed), limit=0, unit=""),
        Row("answer of /healthz meanwhile, the slowest", max(alive), limit=1.0),
        Row("changes of somebody else meanwhile", len(edits), unit=""),
        Row("such a change, median", figures.percentile(edits, 50)),
        Row("such a change, 95th percentile", figures.percentile(edits, 95)),
        Row("such a change, the slowest", max(edits)),
        Row("memory that an attack left behind, at most", max(kept) / 2**20, unit="MiB"),
    ]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        # xunit1 is the form of a report that may say what tests have recorded.
        form = ["-o", "junit_family=xunit1", f"--junitxml={report}"]
        command = [sys.executable, "-m", "pytest", "tests/faults", *form]
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        found = rows(report)
    print(as_table(found))
    results.write("faults", found)
    return 0 if is_passed(found) and not code else 1


if __name__ == "__main__":
    sys.exit(main())
