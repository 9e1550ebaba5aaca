"""Files of data/: what is damaged is named, and nothing starts on it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from embedviz import datafiles
from embedviz.errors import EmbedvizError

EXPLAIN = ("README.md", "SHA256SUMS")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch) -> Path:
    """The folder, to be damaged."""
    shutil.copytree(datafiles.DATA, tmp_path / "data")
    monkeypatch.setattr(datafiles, "DATA", tmp_path / "data")
    datafiles.sums.cache_clear()
    yield tmp_path / "data"
    datafiles.sums.cache_clear()


def test_every_file_is_on_the_list_and_whole():
    files = [path for path in datafiles.DATA.rglob("*") if path.is_file() and path.name not in EXPLAIN]
    assert sorted(datafiles.sums()) == sorted(path.relative_to(datafiles.DATA).as_posix() for path in files)
    datafiles.check()


@pytest.mark.parametrize("name", datafiles.sums())
def test_a_damaged_file_is_named(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(EmbedvizError, match=f"data/{name} is damaged"):
        datafiles.check()


def test_a_missing_file_is_named(copy):
    (copy / "pairs.json").unlink()
    with pytest.raises(EmbedvizError, match=r"data/pairs\.json cannot be read: No such file"):
        datafiles.check()


def test_a_missing_list_is_named(copy):
    (copy / "SHA256SUMS").unlink()
    with pytest.raises(EmbedvizError, match="data/SHA256SUMS cannot be read"):
        datafiles.check()


def test_a_change_on_purpose_is_sealed(copy):
    (copy / "pairs.json").write_text("[]")
    datafiles.seal()
    assert datafiles.read("pairs.json") == b"[]"


def test_a_server_does_not_start_on_a_damaged_file_and_says_which(tmp_path):
    root = datafiles.DATA.parent
    shutil.copy(root / "app.py", tmp_path)
    for name in ("embedviz", "pages", "data", ".streamlit"):
        shutil.copytree(root / name, tmp_path / name)
    (tmp_path / "data/texts/the_mat.txt").write_text("something else")
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", "0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "data/texts/the_mat.txt is damaged" in done.stderr
