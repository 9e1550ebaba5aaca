"""Make each fault of the list in a copy of the project, and say which test finds it: `make mutants`.

A test has found a fault if it fails with the fault and passes without it. Results go into results.tsv: the fault's
name, and the test that found it or nothing.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tools.mutants.faults import LIST, Copy, Fault, listed

RESULTS = LIST.with_name("results.tsv")
HANGS = 900  # seconds: tests that take longer have found a fault that makes them wait for ever
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


def found_by(fault: Fault, copy: Copy) -> str:
    """The test that finds the fault, or "" if none of its tests does."""
    for paths in _stages(fault.tests):
        copy.make(fault)
        try:
            failed = _first_failure(copy, paths)
        finally:
            copy.mend(fault)
        if failed and not _first_failure(copy, [failed]):
            return failed
    return ""


def _stages(tests: tuple[str, ...]) -> Iterator[list[str]]:
    """Those that need a browser come last, since they take long."""
    for stage in (
        [path for path in tests if not path.startswith("tests/browser")],
        [path for path in tests if path.startswith("tests/browser")],
    ):
        if stage:
            yield stage


def _first_failure(copy: Copy, paths: list[str]) -> str:
    """Run tests in the copy until one fails, and give its name; "" if none does."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *paths]
    # Many faults keep something from coming, which need not be waited for as long as on a slow machine.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "COLUMNS": "500", "HANGS": "60000"}
    # A module that was compiled with the fault would be taken for the mended one if both were written in one second.
    environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy.folder, env=environment, capture_output=True, check=False, timeout=HANGS, text=True
        )
    except subprocess.TimeoutExpired:
        return paths[0]
    if done.returncode in (0, 5):  # 5: no test of this name any more
        return ""
    named = _FAILED.findall(done.stdout)
    return named[0] if named else paths[0]


def main() -> int:
    """Try the faults whose names have one of the given texts; 1 if one of them is not found."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", default=[""], help="of the faults to try; all if they are left out")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    faults = [fault for fault in listed() if any(name in fault.name for name in asked.names)]
    results = _results()
    with tempfile.TemporaryDirectory(prefix="embedviz-mutants-") as folder, ThreadPoolExecutor(asked.at_once) as pool:
        copies: Queue[Copy] = Queue()
        for n in range(asked.at_once):
            copies.put(Copy(Path(folder) / str(n)))
        for n, (fault, test, seconds) in enumerate(pool.map(lambda fault: _tried(fault, copies), faults), 1):
            print(f"{n}/{len(faults)} {fault.name}: {test or 'NOT FOUND'} ({seconds:.0f} s)", flush=True)
            results[fault.name] = test
            _save(results)
    missed = [fault.name for fault in faults if not results[fault.name]]
    print(f"{len(faults) - len(missed)} of {len(faults)} faults are found" + "".join(f"\n  not: {n}" for n in missed))
    return 1 if missed else 0


def _tried(fault: Fault, copies: "Queue[Copy]") -> tuple[Fault, str, float]:
    copy, began = copies.get(), time.monotonic()
    try:
        return fault, found_by(fault, copy), time.monotonic() - began
    finally:
        copies.put(copy)


def _results() -> dict[str, str]:
    """What is known from earlier runs."""
    if not RESULTS.exists():
        return {}
    return dict(line.split("\t") for line in RESULTS.read_text(encoding="utf-8").splitlines())


def _save(results: dict[str, str]) -> None:
    order = [fault.name for fault in listed()]
    lines = [f"{name}\t{results[name]}\n" for name in order if name in results]
    RESULTS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
