"""Python scripts in processes of their own, which yield to everybody else's work and end with the server."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from embedviz.base.concurrency.jobs import Job, Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_

_TICK = 0.1  # seconds between two looks at a process
_NICE = 15  # the priority of a script in a folder is lower by this, of at most 19

# The process lowers its own priority and then becomes the script. The script's folder is not on its import path.
_START = """
import os, runpy, sys, threading, time
server = int(sys.argv[1]) if os.name == "posix" else os.getppid()  # on Windows, Python's launcher is in between
def end_with_the_server():
    while os.getppid() == server:
        time.sleep(1)
    os._exit(1)
threading.Thread(target=end_with_the_server, daemon=True).start()
getattr(os, "nice", lambda n: None)(int(sys.argv[2]))
sys.argv = sys.argv[3:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def start(script: Path, *arguments: str, nice: int = 0, **options: object) -> subprocess.Popen:
    """Start a script at a priority that is lower by `nice`, at most 19. The options are those of Popen."""
    command = [sys.executable, "-c", _START, str(os.getpid()), str(nice), str(script), *arguments]
    return subprocess.Popen(command, **options)  # noqa: S603 our own script


def run_in_folder(
    script: Path,
    prepare: Callable[[Path], None],
    finish: Callable[[Path], None],
    job: Job,
    is_wanted: Callable[[], bool],
) -> bool:
    """Carry out a job by a script that gets a folder, and writes into `progress.json` there how far it is.

    prepare: puts what the script needs into the folder. finish: takes the script's results from there.
    Returns False if the script was ended because nobody wanted the job. Raises EmbedvizError, with the script's last
    line, if the script failed.
    """
    with tempfile.TemporaryDirectory(prefix="embedviz-") as name:
        folder = Path(name)
        prepare(folder)
        if not _run(script, folder, job, is_wanted):
            return False
        finish(folder)
        return True


def _run(script: Path, folder: Path, job: Job, is_wanted: Callable[[], bool]) -> bool:
    said = folder / "log.txt"
    with said.open("wb") as output:
        job.process = process = start(
            script, str(folder), nice=_NICE, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        while process.poll() is None:
            if not is_wanted():
                return False
            job.progress = _progress(folder)
            time.sleep(_TICK)
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        *_others, line = ["", *said.read_text("utf-8", errors="replace").strip().splitlines()]
        raise EmbedvizError("it ended with {code}: {line}", code=process.returncode, line=line)
    return True


def _progress(folder: Path) -> Progress:
    try:
        return Progress(**json.loads((folder / "progress.json").read_text("utf-8")))
    except (OSError, ValueError):  # the file is not there yet, or half written
        return Progress(doing=N_("starting"))
