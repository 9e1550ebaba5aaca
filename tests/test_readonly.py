"""The server on a read-only file system, as nobody and without a home: it writes to its cache folder and to /tmp alone.

Where this process may make a name space of its own (as root of a machine or of a container that allows it), everything
else is mounted read-only and the server's user is 65534; elsewhere what it writes is looked up.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import server
from tests.session import visiting

# All that is mounted becomes read-only, the two folders are memory, and then nobody runs the command.
_WALLS = """
mount --make-rprivate /
for place in $(awk '{print $2}' /proc/mounts | grep -v -E '^/(proc|sys|dev)'); do
  mount -o remount,bind,ro "$place" || exit 9
done
mount -t tmpfs -o mode=1777 tmpfs "$TMPDIR" && mount -t tmpfs -o mode=1777 tmpfs "$EMBEDVIZ_CACHE" || exit 9
! touch "$PWD/written" 2>/dev/null || exit 9
exec unshare --user --map-user=65534 --map-group=65534 "$@"
"""


def walled(variables: dict[str, str], *command: str) -> list[str]:
    """The command between these walls, if they can be put up here."""
    walls = ["unshare", "--mount", "sh", "-c", _WALLS, "sh"]
    trial = subprocess.run([*walls, "id", "-u"], env=variables, cwd=server.ROOT, capture_output=True, check=False)
    return [*walls, *command] if trial.stdout == b"65534\n" else list(command)


@pytest.mark.parametrize("command", [server.uvicorn, server.streamlit])
def test_it_runs_and_writes_nowhere_else(command, tmp_path):
    (tmp_path / "tmp").mkdir()
    (tmp_path / "cache").mkdir()
    port = server.free_port()
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "TMPDIR": str(tmp_path / "tmp"),
        "EMBEDVIZ_CACHE": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    before = _files(server.ROOT)
    with (tmp_path / "log.txt").open("wb") as output:
        process = subprocess.Popen(
            walled(variables, *command(port)), cwd=server.ROOT, env=variables, stdout=output, stderr=output
        )
    try:
        server.wait_for(port, process)
        with visiting(port) as session:
            session.run("seed=5")
            assert "script_finished" in session.shown
        written = _written(process.pid)
    finally:
        process.terminate()
        assert process.wait(30) == 0
    allowed = (str(tmp_path), "/dev/", "/memfd:", "pipe:", "socket:", "anon_")
    assert [path for path in written if not path.startswith(allowed)] == []
    assert _files(server.ROOT) == before
    lines = [json.loads(line) for line in (tmp_path / "log.txt").read_text().splitlines() if line.startswith("{")]
    assert "ready" in {line["event"] for line in lines}
    assert [line for line in lines if line["level"] in ("WARNING", "ERROR")] == []


def _files(folder: Path) -> set[tuple[str, float]]:
    """The files of the project and when they were changed; not those that Python keeps beside them."""
    found = [path for name in ("embedviz", "pages", "data", ".streamlit") for path in (folder / name).rglob("*")]
    return {(str(path), path.stat().st_mtime) for path in found if path.is_file() and path.suffix != ".pyc"}


def _written(pid: int) -> list[str]:
    """Files that the process holds open for writing; Linux alone tells."""
    if sys.platform != "linux":
        return []
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        flags = Path(f"/proc/{pid}/fdinfo/{link.name}").read_text().split("flags:")[1].split()[0]
        if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
            found.append(os.readlink(link))
    return found
