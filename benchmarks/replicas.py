"""Several servers as processes, and nginx in front of them, as `deploy/serve.py` starts them."""

import secrets
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from server import ROOT

sys.path[:0] = [str(ROOT), str(ROOT / "deploy")]
import serve  # noqa: E402 deploy/serve.py

from tests import valkey  # noqa: E402
from tests.browser.server import free_port  # noqa: E402

STOP_SECONDS = 12


class Replica(serve.Server):
    """One server with a log; `stop` lets it drain, `kill` does not ask."""

    def __init__(self, folder: Path, number: int, secret: str, home: Path, votes: str) -> None:
        self.number = number
        home.mkdir(exist_ok=True)
        settings = {
            "HOME": str(home),
            "STREAMLIT_SERVER_COOKIE_SECRET": secret,
            "EMBEDVIZ_VOTES": votes,
            "EMBEDVIZ_STOP_SECONDS": str(STOP_SECONDS),
        }
        super().__init__(free_port(), settings, folder / f"replica-{number}.log")

    def wait_until_ready(self, timeout: float = 180) -> "Replica":
        deadline = time.monotonic() + timeout
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"replica {self.number} does not become ready:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.2)
        return self

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
    """Replicas behind nginx; leave the `with` block and all have ended. `url` is where visitors go.

    share_disk: whether they are processes of one machine, with one home folder; containers have one each.
    """

    def __init__(self, folder: Path, n_replicas: int, *, share_disk: bool = False) -> None:
        self._folder, self._secret, self._share_disk = folder, secrets.token_hex(32), share_disk
        self._stack = ExitStack()
        self._votes = self._stack.enter_context(valkey.running(folder))
        self.replicas: list[Replica] = []
        for _ in range(n_replicas):
            self.replicas.append(self._replica())
        for replica in self.replicas:
            replica.wait_until_ready()
        with (folder / "access.log").open("ab") as log:
            self._front = serve.Front(folder, free_port(), self._addresses(), host="127.0.0.1", stdout=log, stderr=log)
        self.url = self._front.url
        self._wait_for_nginx()

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        for replica in self.replicas:
            replica.end()
        self._front.process.terminate()
        self._front.process.wait(20)
        self._stack.close()

    @property
    def pids(self) -> list[int]:
        """The servers' processes and nginx's."""
        return [each.process.pid for each in (*self.replicas, self._front)]

    def add(self) -> Replica:
        """Another replica, which nginx learns of without breaking a connection."""
        self.replicas.append(self._replica().wait_until_ready())
        self._front.lead_to(self._addresses())
        return self.replicas[-1]

    def log(self) -> list[list[str]]:
        """What nginx wrote for each answer: time, method, path, status, seconds, who was asked, what they said."""
        lines = (self._folder / "access.log").read_text("utf-8").splitlines()
        return [line.split(" ", 5) for line in lines]

    def _replica(self) -> Replica:
        number = len(self.replicas) + 1
        home = self._folder / ("home" if self._share_disk else f"home-{number}")
        return Replica(self._folder, number, self._secret, home, self._votes)

    def _addresses(self) -> list[str]:
        return [replica.address for replica in self.replicas]

    def _wait_for_nginx(self) -> None:
        deadline = time.monotonic() + 20
        while not self._front.is_ready():
            if time.monotonic() > deadline or self._front.process.poll() is not None:
                raise RuntimeError(f"nginx does not answer:\n{(self._folder / 'access.log').read_text()[-2000:]}")
            time.sleep(0.1)
