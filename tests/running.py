"""Programs run as processes of their own, without the seconds that it takes to load PyTorch.

Run as a script, this file is a process that has loaded PyTorch and tokenizers, and forks itself for each program.
It computes nothing before, so a fork computes the same bits as a new process. It knows nothing of the project, and
what it has imported is no name in a program, which must import for itself all that it uses.
"""

import json
import os
import runpy
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

HANGS = 600  # seconds that no program takes, even on a machine that does much else


class Forks:
    """The process whose forks run programs."""

    def __init__(self, tokenizers: Sequence[str], environment: Mapping[str, str]) -> None:
        command = [sys.executable, __file__, *tokenizers]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, env=environment, text=True, **pipes)

    def run(self, folder: Path, environment: Mapping[str, str]) -> int:
        """Run `program.py` in its folder and give its exit code; the files `stdout` and `stderr` have what it says."""
        print(json.dumps([str(folder), dict(environment)]), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def run_anew(folder: Path, environment: Mapping[str, str]) -> int:
    """The same in a new process."""
    command = [sys.executable, "program.py"]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            check=False, timeout=HANGS,
        )  # fmt: skip
    return done.returncode


def _serve(tokenizers: Sequence[str]) -> None:
    """Fork for each program that is asked for, and answer with its exit code."""
    import tiktoken  # noqa: PLC0415 only the script needs the two
    import torch._dynamo  # noqa: F401, PLC0415 an optimizer loads it, in a second

    for name in tokenizers:
        tiktoken.get_encoding(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(folder: str, environment: dict[str, str]) -> None:
    """Be a process that was started for the folder's program, and end with it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv, sys.path[0] = ["program.py"], folder
    for n, name in enumerate((os.devnull, "stdout", "stderr")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), n)
    signal.alarm(HANGS)
    code = 1
    try:
        runpy.run_path("program.py", run_name="__main__")
        code = 0
    except BaseException:  # noqa: BLE001 as Python does at the end of a process
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(code)  # at once: to clean up takes half a second


if __name__ == "__main__":
    _serve(sys.argv[1:])
