"""What the server does before its first visitor, and what it says if it cannot start: one process shows all of it."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from embedviz.base import data_files
from tests.browser import server

pytestmark = pytest.mark.xdist_group("warm up")  # in one worker, which starts their server once


@dataclass
class Start:
    """found: what was so in the process. port: of the metrics, which was taken. log: its lines."""

    found: dict
    port: int
    log: list[dict]

    def lines(self, event: str) -> list[dict]:
        return [line for line in self.log if line["event"] == event]


@pytest.fixture(scope="module")
def start(tmp_path_factory) -> Iterator[Start]:
    data = tmp_path_factory.mktemp("start") / "data"
    shutil.copytree(data_files.DATA, data)
    (data / "texts/the_mat.txt").write_text("something else")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "tests.server.starting", str(data)],
            cwd=server.ROOT,
            env=os.environ | {"EMBEDVIZ_METRICS_PORT": str(port)},
            capture_output=True,
            text=True,
            check=True,
        )
    return Start(json.loads(done.stdout), port, [json.loads(line) for line in done.stderr.splitlines()])


def test_it_does_without_packages_that_would_take_a_tenth_of_a_small_host(start):
    assert {"sklearn", "scipy.stats", "pandas"}.isdisjoint(start.found["loaded"])
    assert "transformers" not in start.found["loaded then"]


def test_it_does_not_start_on_a_damaged_file_and_says_which(start):
    assert "data/texts/the_mat.txt is damaged" in start.found["said of the data"]
    (said,) = start.lines("cannot start")
    assert (said["level"], said["reason"]) == ("ERROR", start.found["said of the data"])


def test_a_port_of_the_metrics_that_is_taken_is_named(start):
    assert start.found["code"] != 0
    (said,) = start.lines("EMBEDVIZ_METRICS_PORT cannot be used")
    assert (said["level"], said["port"], said["reason"]) == ("ERROR", start.port, "Address already in use")
    assert not any("\n" in line["event"] for line in start.log)
    assert not any(line["event"].startswith("Traceback") for line in start.log)
    assert start.lines("ready") == []


def test_the_first_edit_and_the_first_pca_load_nothing(start):
    ours = ("pages", "embedviz")  # a page is read when somebody comes, which takes no time
    assert [name for name in start.found["first edit"] if name.split(".")[0] not in ours] == []
    assert start.found["first PCA"] == []


# As in tests/server/starting.py, without the server: what the C library does by itself.
USUAL = "from tests.server.starting import mib_kept, n_heaps; print(n_heaps(), mib_kept())"


def test_threads_share_heaps_and_large_blocks_are_given_back(start):
    done = subprocess.run([sys.executable, "-c", USUAL], cwd=server.ROOT, capture_output=True, text=True, check=True)
    usual_heaps, usually_kept = map(int, done.stdout.split())
    assert start.found["heaps"] <= 2 < usual_heaps
    assert start.found["kept"] < 10  # MiB
    assert usually_kept > 100


def test_a_process_opens_as_many_files_as_it_needs_or_may_and_says_if_those_are_few(start):
    """It needs 6,336: four for each of 600 + 128 sessions, and 256, and as many for clients that it waits for."""
    assert start.found["files"] == 6336  # was 256, might be 8,000
    assert start.found["files for one session"] == 4096  # a quarter of them is for a hall of 500 that presses twice
    assert start.found["files of 7000"] == 7000
    assert start.found["files of 256"] == 1000  # the most that it might be
    assert [line["may_open"] for line in start.lines("few files")] == [1000]
