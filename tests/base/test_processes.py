"""Scripts in processes of their own: their priority, what they tell and leave, how they fail and end."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.base.concurrency import processes
from embedviz.base.concurrency.jobs import Job, Progress
from embedviz.base.settings import ROOT

SCRIPT = """
import json, os, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
wish = (folder / "wish").read_text()
(folder / "progress.json").write_text(json.dumps({"share": 0.5, "doing": "half"}))
if wish == "fail":
    raise SystemExit("no luck")
if wish == "wait":
    time.sleep(60)
(folder / "output").write_text(f"{os.nice(0)} {os.getpid()} {sys.path[0]}")
"""


class Desk:
    """A script whose results come into a list."""

    def __init__(self, folder: Path) -> None:
        self.script = folder / "script.py"
        self.script.write_text(SCRIPT)
        self.results: list[str] = []
        self.folders: list[Path] = []
        self.told: list[Progress] = []

    def run(self, wish: str, is_wanted: Callable[[], bool] = lambda: True) -> bool:
        def prepare(folder: Path) -> None:
            self.folders.append(folder)
            (folder / "wish").write_text(wish)

        def finish(folder: Path) -> None:
            self.results.append((folder / "output").read_text())

        carry_out = partial(processes.run_in_folder, self.script, prepare, finish)
        self.job = Job(carry_out)
        return carry_out(self.job, is_wanted)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_script_runs_with_low_priority_and_its_result_is_taken(desk):
    assert desk.run("go")
    priority, process, path = desk.results[0].split(" ")
    assert int(priority) == min(os.nice(0) + 15, 19)
    assert int(process) == desk.job.process.pid != os.getpid()
    assert path != str(desk.script.parent)  # else its neighbours would stand in for what it imports
    assert not desk.folders[0].exists()


def test_progress_is_told_and_who_is_not_wanted_ends(desk):
    assert not desk.run("wait", lambda: desk.job.progress.share != 0.5)
    assert desk.job.progress == Progress(share=0.5, doing="half")
    assert desk.job.process.poll() is not None
    assert desk.results == []
    assert not desk.folders[0].exists()


def test_a_failure_is_said_by_its_last_line(desk):
    with pytest.raises(ev.EmbedvizError, match=r"^it ended with 1: no luck$"):
        desk.run("fail")
    assert desk.results == []


def test_an_error_while_preparing_starts_nothing(desk):
    def prepare(folder: Path) -> None:
        raise MemoryError("too large")

    job = Job(lambda *_: True)
    with pytest.raises(MemoryError):
        processes.run_in_folder(desk.script, prepare, prepare, job, lambda: True)
    assert job.process is None


@pytest.mark.parametrize("lives", [90, 0])
def test_a_script_ends_with_its_server_even_if_it_is_gone_before_the_script_begins(tmp_path, lives):
    script = tmp_path / "long.py"
    script.write_text("import time; print('up', flush=True); time.sleep(90); print('its own end')")
    program = f"""
import os, time
from pathlib import Path
from embedviz.base import processes
processes.start(Path({str(script)!r}), nice=1)
time.sleep({lives})
os._exit(0)
"""
    server = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if lives:
        assert server.stdout.readline() == "up\n"
        server.kill()
    said, _errors = server.communicate(timeout=300)  # until nobody can write any more, the script neither
    assert "its own end" not in said
