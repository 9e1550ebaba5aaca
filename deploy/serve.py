"""All cores of this machine: several servers behind nginx, at one port.

`python deploy/serve.py --processes 2 --port 8501` starts them, and Ctrl+C ends them all. nginx runs with nginx.conf of
this folder, whose cookie keeps each visitor with one server. For a machine that others rely on, docs/hosting.md says
how systemd does the same.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import write_replicas

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from embedviz.base.errors import SetupError  # noqa: E402 the folder above has to be found first
from embedviz.base.settings import PREFIX, read  # noqa: E402

_TICK = 0.2
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy would look for its own 127.0.0.1
_SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"  # noqa: S105 its name
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SECOND = 128  # with the signal's number: the exit code of those whom a second signal ended


class Server:
    """One server at a port of its own, which this machine alone reaches. log: a file; without it, the terminal."""

    def __init__(self, port: int, variables: Mapping[str, str], log: Path | None = None) -> None:
        self.address = f"127.0.0.1:{port}"
        self._variables, self._log = variables, log
        self.start()

    def start(self) -> None:
        """Start the server, as `make run` does; also after it has ended."""
        host, port = self.address.split(":")
        command = [sys.executable, "-m", "uvicorn", "app:app", "--host", host, "--port", port, "--no-access-log"]
        with self._log.open("ab") if self._log else nullcontext() as log:
            self.process = subprocess.Popen(  # noqa: S603 our own server
                [*command, "--ws-per-message-deflate", "false"],
                cwd=ROOT,
                env=os.environ | self._variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # or Ctrl+C would reach it twice, and the second time ends it at once
            )

    def is_ready(self) -> bool:
        """Whether it answers that it is ready. One that has ended is not, whoever answers at its port."""
        return self.process.poll() is None and _answers(f"http://{self.address}/readyz")


class Front:
    """nginx in front of servers, with the configuration of this folder; `port` is where visitors go."""

    def __init__(self, folder: Path, port: int, addresses: Sequence[str], *, host: str = "", **options: object) -> None:
        self.url, self._folder = f"http://127.0.0.1:{port}", folder
        folder.chmod(0o711)  # where root starts nginx, another user works for it
        self._list(addresses)
        text = (ROOT / "deploy/nginx.conf").read_text("utf-8")
        everywhere = f"listen {port};" + (f" listen [::]:{port};" if is_free(0, "::") else "")
        listen = f"listen {host}:{port};" if host else everywhere
        (folder / "nginx.conf").write_text(text.replace("listen 8080;", listen), "utf-8")
        command = [nginx(), "-e", "stderr", "-p", f"{folder}/", "-c", folder / "nginx.conf"]
        self.process = subprocess.Popen(command, start_new_session=True, **options)  # noqa: S603

    def is_ready(self) -> bool:
        """Whether it answers."""
        return self.process.poll() is None and _answers(f"{self.url}/nginx-health")

    def lead_to(self, addresses: Sequence[str]) -> None:
        """Lead visitors to these servers from now on, without breaking a connection."""
        self._list(addresses)
        self.process.send_signal(signal.SIGHUP)

    def _list(self, addresses: Sequence[str]) -> None:
        (self._folder / "replicas.conf").write_text(write_replicas.configuration(addresses), "utf-8")


def nginx() -> str:
    """The path of nginx. Ends the program with a sentence if there is none."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if not found:
        raise SystemExit("This needs nginx: `apt-get install nginx`, or your system's own way.")
    return found


class Machine:
    """All servers, and nginx in front of them."""

    def __init__(self, folder: Path, n: int, port: int) -> None:
        ports, variables = free_ports(n, port + 1), variables_of(n)
        self._asked_to_stop = 0
        for each in _SIGNALS:
            signal.signal(each, self._stop)
        self.servers = [Server(*about) for about in zip(ports, variables, strict=True)]
        self._front = Front(folder, port, [server.address for server in self.servers], stdout=subprocess.DEVNULL)

    def run(self) -> int:
        """Go on until a signal comes; the second one ends everything at once. Returns the exit code."""
        code = self._watch()
        for server in self.servers:
            server.process.terminate()
        while any(server.process.poll() is None for server in self.servers):
            time.sleep(_TICK)
        self._front.process.send_signal(signal.SIGQUIT)  # lets open requests end
        self._front.process.wait()
        return code

    def _watch(self) -> int:
        """Wait for the signal, and start a server again that has ended, unless it ends before it is ready."""
        waited_for, said = list(self.servers), False
        while not self._asked_to_stop:
            if self._front.process.poll() is not None:
                print(f"nginx has ended with {self._front.process.returncode}.", file=sys.stderr)
                return 1
            waited_for = [server for server in waited_for if not server.is_ready()]
            for server in [server for server in self.servers if server.process.poll() is not None]:
                if server in waited_for:
                    print(f"The server at {server.address} does not start.", file=sys.stderr)
                    return 1
                print(f"The server at {server.address} has ended, and starts again.", file=sys.stderr)
                server.start()
                waited_for.append(server)
            if not said and not waited_for and self._front.is_ready():
                said = True
                where = self._front.url.replace("127.0.0.1", "localhost")
                print(f"{len(self.servers)} servers are ready: {where}", flush=True)
            time.sleep(_TICK)
        return 0

    def _stop(self, number: int, _frame: object) -> None:
        self._asked_to_stop += 1
        if self._asked_to_stop > 1:
            for each in (*self.servers, self._front):
                each.process.kill()
            os._exit(_SECOND + number)


def variables_of(n: int) -> list[dict[str, str]]:
    """What each of n servers is told. Ends the program with a sentence if a setting is wrong."""
    try:
        found = read()
    except SetupError as error:
        raise SystemExit(str(error)) from error
    # It signs cookies. It is the same for all servers, so that each can read what another has written.
    shared = {_SECRET: os.environ.get(_SECRET) or secrets.token_hex(32)}
    if not found.hosts:  # nginx passes any name on, but browsers must call a known one, as with `make run`
        shared[f"{PREFIX}HOSTS"] = "localhost"
    if not found.metrics_port:
        return [shared] * n
    return [shared | {f"{PREFIX}METRICS_PORT": str(found.metrics_port + k)} for k in range(n)]


def free_ports(n: int, first: int) -> list[int]:
    """The first n ports from `first` on at which nobody listens. Ends the program with a sentence if there are none."""
    found = [port for port in range(first, min(first + 1000, 2**16)) if is_free(port)][:n]
    if len(found) < n:
        raise SystemExit(f"From port {first} on there are no {n} free ports.")
    return found


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """True if nothing listens on the port, and if this machine has such addresses."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError:  # it is taken, or this machine has no such addresses
        return False
    return True


def _answers(url: str) -> bool:
    try:
        with _DIRECT.open(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def main() -> int:
    """Start everything, and wait."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many servers; one for each core")
    parser.add_argument("--port", type=int, default=8501, help="where visitors go")
    asked = parser.parse_args()
    if asked.processes < 1:
        parser.error("--processes must be 1 or more.")
    nginx()
    if not is_free(asked.port):
        raise SystemExit(f"Port {asked.port} is taken. Choose another one, as in `make serve PORT={asked.port + 100}`.")
    with tempfile.TemporaryDirectory(prefix="embedviz-") as folder:
        return Machine(Path(folder), asked.processes, asked.port).run()


if __name__ == "__main__":
    sys.exit(main())
