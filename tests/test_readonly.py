"""The server as another user without a home, who can write to nothing but a cache folder and a folder for a moment."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import server
from tests.session import visiting

NOBODY = 65534
FOLDERS = ("cache", "tmp")


@pytest.mark.parametrize("command", [server.uvicorn, server.streamlit])
def test_it_runs_and_writes_nowhere_else(command, tmp_path):
    if os.getuid() != 0:  # then this user has no other: its own folders are what it must leave alone
        user = {}
    else:
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        for each in (tmp_path, *tmp_path.parents):
            each.chmod(each.stat().st_mode | 0o055)
    for name in FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o777)
    port = server.free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "TMPDIR": str(tmp_path / "tmp"),
        "EMBEDVIZ_CACHE": str(tmp_path / "cache"),
        "TIKTOKEN_CACHE_DIR": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    before = _files(server.ROOT)
    with (tmp_path / "log.txt").open("wb") as output:
        process = subprocess.Popen(
            command(port), cwd=server.ROOT, env=environment, stdout=output, stderr=output, **user
        )
    try:
        server.wait_for(port, process)
        with visiting(port) as session:
            session.run("seed=5")
            assert "sum" in session.shown
        written = _written(process.pid)
    finally:
        process.terminate()
        assert process.wait(30) == 0
    assert [
        path for path in written if not path.startswith((str(tmp_path), "/dev/", "pipe:", "socket:", "anon_"))
    ] == []
    assert _files(server.ROOT) == before
    lines = [json.loads(line) for line in (tmp_path / "log.txt").read_text().splitlines() if line.startswith("{")]
    assert [line for line in lines if line["level"] in ("WARNING", "ERROR")] == []


def _files(folder: Path) -> set[tuple[str, float]]:
    """All files of the project and when they were changed; not those that git or tools keep beside it."""
    found = [path for name in ("embedviz", "pages", "data", ".streamlit") for path in (folder / name).rglob("*")]
    return {(str(path), path.stat().st_mtime) for path in found if "__pycache__" not in path.parts}


def _written(pid: int) -> list[str]:
    """Files that the process holds open for writing."""
    if sys.platform != "linux":
        return []
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        flags = Path(f"/proc/{pid}/fdinfo/{link.name}").read_text().split("flags:")[1].split()[0]
        if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
            found.append(os.readlink(link))
    return found
