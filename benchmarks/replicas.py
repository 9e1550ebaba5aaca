"""Several servers as processes, and nginx in front of them with the configuration of deploy/."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from server import ROOT

sys.path[:0] = [str(ROOT), str(ROOT / "deploy")]
import write_replicas  # noqa: E402 the program that writes replicas.conf

from tests import valkey  # noqa: E402
from tests.browser.server import free_port  # noqa: E402

STOP_SECONDS = 12


class Replica:
    """One server, started as the Dockerfile starts it; `stop` lets it drain, `kill` does not ask."""

    def __init__(self, folder: Path, number: int, secret: str, votes: str) -> None:
        self.number, self.port = number, free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._folder, self._secret, self._votes = folder, secret, votes
        self.process = self._start()

    def _start(self) -> subprocess.Popen:
        home = self._folder / f"home-{self.number}"
        home.mkdir(exist_ok=True)
        settings = {
            "HOME": str(home),
            "STREAMLIT_SERVER_COOKIE_SECRET": self._secret,
            "EMBEDVIZ_STOP_SECONDS": str(STOP_SECONDS),
            "EMBEDVIZ_VOTES": self._votes,
        }
        with (self._folder / f"replica-{self.number}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "uvicorn", "app:app", "--port", str(self.port), "--no-access-log"],
                cwd=ROOT,
                env=os.environ | settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def start_again(self) -> None:
        """Another process at the same address, as a container that is restarted."""
        self.process = self._start()

    def wait_until_ready(self, timeout: float = 180) -> "Replica":
        deadline = time.monotonic() + timeout
        # One that has ended is not ready, whoever answers on its port.
        while self.process.poll() is not None or not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                log = (self._folder / f"replica-{self.number}.log").read_text()
                raise RuntimeError(f"replica {self.number} does not become ready:\n{log[-2000:]}")
            time.sleep(0.2)
        return self

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.address}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """At last, however it is."""
        if self.process.poll() is None:
            self.kill()


class Cluster:
    """Replicas behind nginx; leave the `with` block and all have ended. `url` is where visitors go."""

    def __init__(self, folder: Path, n_replicas: int) -> None:
        self._folder, self._secret = folder, secrets.token_hex(32)
        self._stack = ExitStack()
        self._votes = self._stack.enter_context(valkey.running(folder))
        self.replicas = [Replica(folder, n, self._secret, self._votes) for n in range(1, n_replicas + 1)]
        for replica in self.replicas:
            replica.wait_until_ready()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._write_list()
        text = (ROOT / "deploy/nginx.conf").read_text("utf-8")
        assert text.count("listen 8080;") == 1
        (folder / "nginx.conf").write_text(text.replace("listen 8080;", f"listen 127.0.0.1:{self.port};"), "utf-8")
        with (folder / "access.log").open("ab") as log:
            self._nginx = subprocess.Popen(
                [_nginx(), "-e", "stderr", "-p", f"{folder}/", "-c", folder / "nginx.conf"], stdout=log, stderr=log
            )
        self._wait_for_nginx()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        for replica in self.replicas:
            replica.end()
        self._nginx.terminate()
        self._nginx.wait(20)
        self._stack.close()

    def add(self) -> Replica:
        """Another replica, which nginx learns of without breaking a connection."""
        replica = Replica(self._folder, len(self.replicas) + 1, self._secret, self._votes).wait_until_ready()
        self.replicas.append(replica)
        self._write_list()
        self._nginx.send_signal(signal.SIGHUP)
        return replica

    def log(self) -> list[list[str]]:
        """What nginx wrote for each answer: time, method, path, status, seconds, who was asked, what they said."""
        lines = (self._folder / "access.log").read_text("utf-8").splitlines()
        return [line.split(" ", 5) for line in lines]

    def _write_list(self) -> None:
        text = write_replicas.configuration([replica.address for replica in self.replicas])
        (self._folder / "replicas.conf").write_text(text, "utf-8")

    def _wait_for_nginx(self) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self._nginx.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/nginx-health", timeout=2).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"nginx does not answer:\n{(self._folder / 'access.log').read_text()[-2000:]}")


def _nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if not found:
        raise SystemExit("This needs nginx: apt-get install nginx, or your system's own way.")
    return found
