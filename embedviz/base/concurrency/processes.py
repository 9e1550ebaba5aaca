"""Python scripts in processes of their own, which yield to everybody else's work and end with the server."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def start(script: Path, *arguments: str, nice: int = 0, **options: Any) -> subprocess.Popen:
    """Start a script at a priority that is lower by `nice`, at most 19. The options are those of Popen."""
    command = [sys.executable, "-c", _START, str(os.getpid()), str(nice), str(script), *arguments]
    return subprocess.Popen(command, **options)  # noqa: S603 our own script
