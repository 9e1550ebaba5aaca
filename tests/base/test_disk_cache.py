"""Arrays on disk: what cannot be read is not there, and the folder stays small."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from embedviz.base import disk_cache
from tests.two import at_once

ROWS = np.arange(8, dtype=np.float32).reshape(4, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_an_array_comes_back_read_only():
    disk_cache.save("a", ROWS)
    found = disk_cache.load("a", 4)
    assert np.array_equal(found, ROWS)
    assert not found.flags.writeable
    assert disk_cache.load("b", 4) is None
    assert disk_cache.load("a", 5) is None


def write(folder: Path, array: np.ndarray) -> None:
    """A file that is whole, whatever is in it."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    folder.mkdir()
    (folder / "a.npy").write_bytes(file.getvalue() + hashlib.sha256(file.getvalue()).digest())


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not an array", b"\x80\x04]."])
def test_a_broken_file_is_none(folder, content):
    disk_cache.save("a", ROWS)
    (folder / "a.npy").write_bytes(content)
    assert disk_cache.load("a", 4) is None


def test_a_pickle_is_never_opened(folder):
    write(folder, np.array([[object()]] * 4))
    assert disk_cache.load("a", 4) is None


@pytest.mark.parametrize("wrong", [ROWS.astype(np.float64), ROWS[:, 0].copy(), np.full((4, 2), np.nan, np.float32)])
def test_an_array_of_another_kind_is_none(folder, wrong):
    write(folder, wrong)
    assert disk_cache.load("a", 4) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # the folder serves all examples
@given(st.integers(0, 191), st.integers(1, 255))
def test_one_wrong_byte_is_found(place, change):
    disk_cache.save("a", ROWS)
    path = disk_cache.folder() / "a.npy"
    content = bytearray(path.read_bytes())
    assert len(content) == 192
    content[place] ^= change
    path.write_bytes(content)
    assert disk_cache.load("a", 4) is None


def test_what_was_damaged_is_written_again(folder):
    disk_cache.save("a", ROWS)
    (folder / "a.npy").write_bytes(b"damaged")
    disk_cache.save("a", ROWS)
    assert np.array_equal(disk_cache.load("a", 4), ROWS)


FULL = """
import resource
import numpy as np
from embedviz.base import disk_cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # what a full disk does, for files that are larger
disk_cache.save("large", np.zeros((1000, 2)))
print(sorted(path.name for path in disk_cache.folder().iterdir()), disk_cache.load("large", 1000))
disk_cache.save("small", np.zeros((4, 2)))
print(disk_cache.load("small", 4).shape)
"""


def test_on_a_full_disk_nothing_is_kept_and_nothing_left_over():
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[] None", "(4, 2)"]


def test_the_one_used_longest_ago_goes_first(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "max_bytes", lambda: 600)  # three files of 192 bytes
    for n, name in enumerate("abcd"):
        disk_cache.save(name, ROWS)
        os.utime(folder / f"{name}.npy", (n, n)) if name != "d" else None
    assert sorted(path.stem for path in folder.iterdir()) == ["b", "c", "d"]
    disk_cache.load("b", 4)
    disk_cache.save("e", ROWS)
    assert sorted(path.stem for path in folder.iterdir()) == ["b", "d", "e"]


def test_what_a_crash_left_goes(folder):
    disk_cache.save("a", ROWS)
    for name, age in (("old", 7200), ("new", 0)):
        (folder / f"{name}.part").write_bytes(b"half")
        now = (folder / "a.npy").stat().st_mtime
        os.utime(folder / f"{name}.part", (now - age, now - age))
    disk_cache.save("b", ROWS)
    assert sorted(path.name for path in folder.iterdir()) == ["a.npy", "b.npy", "new.part"]


def test_two_processes_write_and_forget_and_nobody_reads_half_of_anything(folder):
    """Each writes files of its own and one that both write, of which only three fit; what is read is whole or gone."""
    prepare = """
import os
import numpy as np
from embedviz.base import disk_cache
disk_cache.max_bytes = lambda: 3 * 80_160
"""
    program = """
rows = np.arange(20_000, dtype=np.float32).reshape(-1, 2)
for n in range(100):
    disk_cache.save("both", rows)
    disk_cache.save(f"{os.getpid()}-{n % 5}", rows)
    found = disk_cache.load("both", len(rows))
    assert found is None or np.array_equal(found, rows)
print("whole")
"""
    assert at_once(prepare, program) == [["whole"]] * 2
    disk_cache.save("both", ROWS)
    assert np.array_equal(disk_cache.load("both", 4), ROWS)
    assert [path for path in folder.iterdir() if path.suffix != ".npy"] == []
    assert all(disk_cache.load_bytes(path.name) for path in folder.iterdir())


def test_bytes_of_any_kind_are_kept_and_forgotten_as_arrays_are(folder, monkeypatch):
    disk_cache.save_bytes("a.run", b"any bytes")
    assert disk_cache.load_bytes("a.run") == b"any bytes"
    (folder / "a.run").write_bytes(b"any bytes, damaged")
    assert disk_cache.load_bytes("a.run") is None
    monkeypatch.setattr(disk_cache, "max_bytes", lambda: 0)
    disk_cache.save("b", ROWS)
    assert [*folder.iterdir()] == []


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path / "file"))
    disk_cache.save("a", ROWS)
    assert disk_cache.load("a", 4) is None


def test_the_folder_is_the_users_cache_unless_named(monkeypatch):
    monkeypatch.delenv("EMBEDVIZ_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert disk_cache.folder() == Path("/somewhere/embedviz")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert disk_cache.folder() == Path.home() / ".cache/embedviz"
