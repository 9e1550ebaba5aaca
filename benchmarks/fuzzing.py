"""Everything that parses, fuzzed: how often each was tried, and what was found.

Run from anywhere with the project's Python and atheris: `python benchmarks/fuzzing.py 600` takes ten minutes for each.
Shows what the fuzzer prints, writes `RESULTS.md`, and exits with 1 if something was found.
"""

import re
import subprocess
import sys

import results
from report import Row, as_table, is_passed
from server import ROOT

_BEGINS = re.compile(r"^=== test_(\w+), ", re.MULTILINE)
_DONE = re.compile(r"^Done (\d+) runs in \d+ second", re.MULTILINE)


def rows(printed: str) -> list[Row]:
    """Two for each thing that was fuzzed: tries, and failures, of which a fuzzer's first ends its run."""
    _, *parts = _BEGINS.split(printed)
    found = []
    for name, told in zip(parts[::2], parts[1::2], strict=True):
        done = _DONE.search(told)
        what = name.replace("_", " ")
        if done:
            found.append(Row(f"{what}: tries", int(done[1]), unit=""))
        found.append(Row(f"{what}: failures", 0 if done else 1, limit=0, unit=""))
    return found


def main() -> int:
    seconds = sys.argv[1]
    printed = []
    command = [sys.executable, "-m", "tests.fuzz", seconds]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as fuzzer:
        for line in fuzzer.stdout:
            print(line, end="", flush=True)
            printed.append(line)
    found = rows("".join(printed))
    print(as_table(found))
    results.write("fuzz", found, ("atheris",), seconds=seconds)
    return 0 if found and is_passed(found) and not fuzzer.returncode else 1


if __name__ == "__main__":
    sys.exit(main())
