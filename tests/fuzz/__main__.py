"""`python -m tests.fuzz SECONDS`: every property for that long, led by what of the code it has reached (atheris).

What is found is printed, fails the run, and stays in Hypothesis's database, so that `make test` finds it at once; from
there it becomes an `@example`.
"""

import subprocess
import sys

import atheris

with atheris.instrument_imports(include=["embedviz"], enable_loader_override=False):
    from tests.fuzz import test_fuzz

TARGETS = sorted(name for name in vars(test_fuzz) if name.startswith("test_"))


def fuzz(name: str, seconds: str) -> None:
    """Never returns: the fuzzer ends the process."""
    act = getattr(test_fuzz, name).hypothesis.fuzz_one_input
    atheris.Setup([name, f"-max_total_time={seconds}", "-max_len=8192", "-timeout=60", "-rss_limit_mb=8192"], act)
    atheris.Fuzz()


def main() -> None:
    """A process for each target, one after the other; all of them, even if one fails."""
    seconds, *names = sys.argv[1:]
    if len(names) == 1:
        fuzz(names[0], seconds)
    failed = []
    for name in names or TARGETS:
        print(f"=== {name}, {seconds} s", flush=True)
        if subprocess.run([sys.executable, "-m", "tests.fuzz", seconds, name], check=False).returncode:
            failed.append(name)
    sys.exit(f"Failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
