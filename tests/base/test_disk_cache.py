"""Results on disk: what cannot be read is not there, and the folder stays small."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from embedviz.base import disk_cache
from tests.two import at_once

BYTES = bytes(range(160))  # 192 with their SHA-256


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_bytes_come_back(folder):
    disk_cache.save_bytes("a.run", BYTES)
    assert disk_cache.load_bytes("a.run") == BYTES
    assert disk_cache.load_bytes("b.run") is None


@pytest.mark.parametrize("content", [b"", b"no checksum at its end", b"\x80\x04]."])
def test_a_broken_file_is_none(folder, content):
    disk_cache.save_bytes("a.run", BYTES)
    (folder / "a.run").write_bytes(content)
    assert disk_cache.load_bytes("a.run") is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # the folder serves all examples
@given(st.integers(0, 191), st.integers(1, 255))
def test_one_wrong_byte_is_found(place, change):
    disk_cache.save_bytes("a.run", BYTES)
    path = disk_cache.folder() / "a.run"
    content = bytearray(path.read_bytes())
    assert len(content) == 192
    content[place] ^= change
    path.write_bytes(content)
    assert disk_cache.load_bytes("a.run") is None


def test_what_was_damaged_is_written_again(folder):
    disk_cache.save_bytes("a.run", BYTES)
    (folder / "a.run").write_bytes(b"damaged")
    disk_cache.save_bytes("a.run", BYTES)
    assert disk_cache.load_bytes("a.run") == BYTES


FULL = """
import resource
from embedviz.base import disk_cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # what a full disk does, for files that are larger
disk_cache.save_bytes("large.run", bytes(8000))
print(sorted(path.name for path in disk_cache.folder().iterdir()), disk_cache.load_bytes("large.run"))
disk_cache.save_bytes("small.run", bytes(30))
print(len(disk_cache.load_bytes("small.run")))
"""


def test_on_a_full_disk_nothing_is_kept_and_nothing_left_over():
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[] None", "30"]


def test_the_one_used_longest_ago_goes_first(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "max_bytes", lambda: 600)  # three files of 192 bytes
    for n, name in enumerate("abcd"):
        disk_cache.save_bytes(f"{name}.run", BYTES)
        os.utime(folder / f"{name}.run", (n, n)) if name != "d" else None
    assert sorted(path.stem for path in folder.iterdir()) == ["b", "c", "d"]
    disk_cache.load_bytes("b.run")
    disk_cache.save_bytes("e.run", BYTES)
    assert sorted(path.stem for path in folder.iterdir()) == ["b", "d", "e"]


def test_what_a_crash_left_goes(folder):
    disk_cache.save_bytes("a.run", BYTES)
    for name, age in (("old", 7200), ("new", 0)):
        (folder / f"{name}.part").write_bytes(b"half")
        now = (folder / "a.run").stat().st_mtime
        os.utime(folder / f"{name}.part", (now - age, now - age))
    disk_cache.save_bytes("b.run", BYTES)
    assert sorted(path.name for path in folder.iterdir()) == ["a.run", "b.run", "new.part"]


def test_two_processes_write_and_forget_and_nobody_reads_half_of_anything(folder):
    """Each writes files of its own and one that both write, of which only three fit; what is read is whole or gone."""
    prepare = """
import os
from embedviz.base import disk_cache
disk_cache.max_bytes = lambda: 3 * 80_032
"""
    program = """
content = bytes(range(250)) * 320
for n in range(100):
    disk_cache.save_bytes("both.run", content)
    disk_cache.save_bytes(f"{os.getpid()}-{n % 5}.run", content)
    assert disk_cache.load_bytes("both.run") in (None, content)
print("whole")
"""
    assert at_once(prepare, program) == [["whole"]] * 2
    disk_cache.save_bytes("both.run", BYTES)
    assert disk_cache.load_bytes("both.run") == BYTES
    assert [path for path in folder.iterdir() if path.suffix != ".run"] == []
    assert all(disk_cache.load_bytes(path.name) for path in folder.iterdir())


def test_maps_of_earlier_versions_are_forgotten_first(folder, monkeypatch):
    disk_cache.save_bytes("map.npy", BYTES)
    os.utime(folder / "map.npy", (0, 0))
    monkeypatch.setattr(disk_cache, "max_bytes", lambda: 200)
    disk_cache.save_bytes("a.run", BYTES)
    assert [path.name for path in folder.iterdir()] == ["a.run"]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path / "file"))
    disk_cache.save_bytes("a.run", BYTES)
    assert disk_cache.load_bytes("a.run") is None


def test_the_folder_is_the_users_cache_unless_named(monkeypatch):
    monkeypatch.delenv("EMBEDVIZ_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert disk_cache.folder() == Path("/somewhere/embedviz")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert disk_cache.folder() == Path.home() / ".cache/embedviz"
