"""Two processes that do the same at the same time, as two servers of one machine do."""

import os
import subprocess
import sys
from collections.abc import Mapping

from embedviz.base.settings import ROOT

_READY = "print(flush=True); input()\n"  # waits until the other one is as far


def at_once(prepare: str, program: str, variables: Mapping[str, str] | None = None) -> list[list[str]]:
    """The lines that each of two processes prints. Both have run `prepare` before either begins the program."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", prepare + "\n" + _READY + program],
            cwd=ROOT,
            env=os.environ | (variables or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout.readline() == "\n"
    for process in started:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate()[0].splitlines() for process in started]
    assert [process.returncode for process in started] == [0, 0]
    return said
