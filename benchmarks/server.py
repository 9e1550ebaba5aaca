"""Start an app in a process of its own, wait until it answers, stop it again."""

import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import process

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = {
    "STREAMLIT_SERVER_HEADLESS": "true",
    "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    # Otherwise a headless start asks outside for this machine's address, for up to two seconds.
    "STREAMLIT_BROWSER_SERVER_ADDRESS": "localhost",
}
# As `make run` starts it: compressing each message would take a quarter of the server's time, and `streamlit run` does
# not do so either.
UNCOMPRESSED = ("--ws-per-message-deflate", "false")
_PORTS = itertools.count(8710)
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy would look for its own 127.0.0.1


@dataclass(frozen=True)
class App:
    """What is started: a script, the directory to start it in, and settings beside those of every app.

    needs_enter: whether its text field is read only after Enter.
    """

    name: str
    script: Path
    directory: Path
    needs_enter: bool = True
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        """Whether it is this app, or an older state of it, which `make run` starts in a way of its own."""
        return self.script.name == "app.py"

    def command(self, port: int) -> list[str]:
        if self.is_ours:
            start = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port)]
            return [*start, "--no-access-log", *UNCOMPRESSED]
        return [sys.executable, "-m", "streamlit", "run", str(self.script)]


def apps(temporary: Path) -> tuple[App, App, App]:
    """The floor, ours, and the floor without Streamlit's garbage collection after each run.

    The floor is copied away from the project: Streamlit looks for a config.toml in the working directory
    and beside the script, and the floor has Streamlit's own defaults.
    """
    script = Path(shutil.copy(Path(__file__).with_name("floor.py"), temporary))
    floor = App("floor", script, temporary)
    ours = App("ours", ROOT / "app.py", ROOT, needs_enter=False)
    uncollected = App("uncollected", script, temporary, settings={"STREAMLIT_RUNNER_POST_SCRIPT_GC": "false"})
    return floor, ours, uncollected


class Server:
    """A running app; leave the `with` block and it has ended."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._home = tempfile.TemporaryDirectory()  # so that no ~/.streamlit/config.toml takes part
        self._log = Path(self._home.name, "log")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                app.command(self.port),
                cwd=app.directory,
                env=_environment(self.port, self._home.name) | app.settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()

    def wait_until_healthy(self, timeout: float = 60) -> "Server":
        deadline = time.monotonic() + timeout
        while not (self.has_started() and self._is_healthy()):
            self.check(deadline)
            time.sleep(0.1)
        return self

    def has_started(self) -> bool:
        """Whether this server listens; an answer alone could be another's that took the port meanwhile."""
        return ('"ready"' if self.app.is_ours else "You can now view") in self._log.read_text()

    def check(self, deadline: float) -> None:
        """Raise with what the server printed if it has ended, or if the deadline is over."""
        if self._process.poll() is None and time.monotonic() < deadline:
            return
        raise RuntimeError(f"{self.app.name} does not answer:\n{self._log.read_text()[-2000:]}")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def pids(self) -> list[int]:
        return [self.pid]

    def processor_seconds(self) -> float:
        """Processor time of the server so far, all threads, in steps of a clock tick (10 ms)."""
        return process.processor_seconds(self.pid)

    def _is_healthy(self) -> bool:
        try:
            with _DIRECT.open(f"{self.url}/_stcore/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False


def _environment(port: int, home: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    return inherited | SETTINGS | {"STREAMLIT_SERVER_PORT": str(port), "HOME": home}


def free_port() -> int:
    """A port that nobody listens on, never the same one twice: servers that start together must not meet."""
    return next(port for port in _PORTS if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
