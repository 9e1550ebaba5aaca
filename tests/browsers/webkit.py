"""Debian's own WebKitGTK through its driver, on a screen of its own that nobody sees.

The driver speaks WebDriver, which is JSON over HTTP; the few commands that the tests need are sent as they are.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import glob
from http.client import HTTPConnection
from pathlib import Path

from tests.browser import server

NAME = "WebKit"
OLDEST = (2, 48)
NEEDED = "make browsers needs WebKitGTK 2.48 or newer and Xvfb: apt-get install webkit2gtk-driver xvfb"
_WAIT = 60  # seconds, which only a browser that hangs reaches
_START = 20  # seconds for one try to start, which takes one
_TAKE_NOTES = """() => {
  const note = (text) => window.complaints.push(String(text))
  if (!window.complaints) {
    addEventListener("error", ({ message, error }) => note(`${message} ${error?.stack}`))
    addEventListener("unhandledrejection", ({ reason }) => note(`${reason} ${reason?.stack}`))
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => note(violatedDirective))
    console.error = (...parts) => note(parts.join(" "))
    window.complaints = []
  }
  return JSON.stringify(window.complaints.splice(0))
}"""
_REQUESTS = "() => JSON.stringify(performance.getEntriesByType('resource').map(({ name }) => name))"
_PLACES = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


def _program() -> str | None:
    return next(iter(sorted(glob(_PLACES), reverse=True)), None)


def is_there() -> bool:
    """Whether the browser, its driver and a screen are installed; how old it is, it tells when it runs."""
    return bool(_program() and shutil.which("WebKitWebDriver") and shutil.which("Xvfb"))


class WebKit:
    """One running browser with one window, and with a screen; the same face as Firefox."""

    def __init__(self, folder: Path, is_dark: bool = False) -> None:
        self.downloads = folder  # its home
        self._complaints: list[str] = []
        theme = "Adwaita:dark" if is_dark else "Adwaita"
        session = self._begin({"GTK_THEME": theme, "HOME": str(folder)})
        self.version = session["capabilities"]["browserVersion"]
        assert tuple(map(int, self.version.split(".")[:2])) >= OLDEST, NEEDED
        self._session = f"/session/{session['sessionId']}"

    def _begin(self, variables: dict[str, str], tries: int = 3) -> dict:
        """Start a screen, the driver and the browser. Now and then the driver and the browser miss each other."""
        with ExitStack() as ends:
            display = ends.enter_context(_screen())
            self._port = ends.enter_context(_driver(variables | {"DISPLAY": display}))
            with suppress(TimeoutError):
                asked = {"capabilities": {"alwaysMatch": _capabilities()}}
                session = _send(self._port, "POST", "/session", asked, _START)
                self._ends = ends.pop_all()
                return session
        assert tries > 1, "WebKit does not start."
        return self._begin(variables, tries - 1)

    def _send(self, method: str, path: str, **params) -> object:
        return _send(self._port, method, self._session + path, params)

    @property
    def complaints(self) -> list[str]:
        """Errors of the pages, which note them themselves once opened: the driver tells nothing of the console."""
        self._complaints += json.loads(self.call(_TAKE_NOTES, ""))
        return self._complaints

    @property
    def requests(self) -> list[str]:
        """Every address that the page has asked for since it was opened."""
        return json.loads(self.call(_REQUESTS, ""))

    def goto(self, address: str) -> None:
        """Open an address."""
        self._complaints = self.complaints
        self._send("POST", "/url", url=address)
        self.call(_TAKE_NOTES, "")

    def travel(self, steps: int) -> None:
        """Go back (-1) or forward (1) as its buttons do."""
        self._send("POST", "/back" if steps < 0 else "/forward")

    def call(self, function: str, text: str) -> str:
        """What a function of the page gives for a text: a text."""
        return self._send("POST", "/execute/sync", script=f"return ({function})(arguments[0])", args=[text])

    def perform(self, actions: list[dict]) -> None:
        """What hands do, as WebDriver writes it down."""
        self._send("POST", "/actions", actions=actions)

    def resize(self, width: int, height: int) -> None:
        """Make the page that large, by the window around it, whose bar takes some of its height."""
        self._send("POST", "/window/rect", width=width, height=height)
        bar = height - json.loads(self.call("() => String(innerHeight)", ""))
        self._send("POST", "/window/rect", width=width, height=height + bar)

    def picture(self) -> bytes:
        """What it shows, as PNG."""
        return b64decode(self._send("GET", "/screenshot"))

    def close(self) -> None:
        """End it, its driver and its screen."""
        with self._ends:
            self._send("DELETE", "")


@contextmanager
def _screen() -> Iterator[str]:
    """A screen that nobody sees, by its name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
    with _ended(subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)), open(read) as says:
        os.close(write)
        yield f":{says.readline().strip()}"


@contextmanager
def _driver(variables: dict[str, str]) -> Iterator[int]:
    """The driver, by the port on which it listens."""
    port = server.free_port()
    command = ["WebKitWebDriver", f"--port={port}"]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, env=os.environ | variables, stdout=nowhere, stderr=nowhere)
    with _ended(process):
        until = time.monotonic() + _WAIT
        while not _listens(port) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        yield port


@contextmanager
def _ended(process: subprocess.Popen) -> Iterator[None]:
    """Whatever happens, the process does not outlive its use."""
    try:
        yield
    finally:
        process.terminate()
        process.wait(_WAIT)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _capabilities() -> dict:
    """Which program to drive, and a proxy that is not there for all but the server under test."""
    nowhere = {"proxyType": "manual", "httpProxy": "127.0.0.1:9", "sslProxy": "127.0.0.1:9", "noProxy": ["127.0.0.1"]}
    return {"webkitgtk:browserOptions": {"binary": _program(), "args": ["--automation"]}, "proxy": nowhere}


def _send(port: int, method: str, path: str, params: dict, patience: float = _WAIT) -> object:
    """A command to the driver, and its answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=patience)
    body = json.dumps(params) if method == "POST" else None
    connection.request(method, path, body, {"Content-Type": "application/json"})
    value = json.load(connection.getresponse())["value"]
    connection.close()
    if isinstance(value, dict) and "error" in value:
        raise RuntimeError(f"{path}: {value['message']}")
    return value
