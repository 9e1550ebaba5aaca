"""Files of data/: what is damaged is named, and nothing starts on it."""

import shutil
from pathlib import Path

import pytest

from embedviz.base import data_files
from embedviz.base.errors import EmbedvizError

EXPLAIN = ("README.md", "SHA256SUMS")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch) -> Path:
    """The folder, to be damaged."""
    shutil.copytree(data_files.DATA, tmp_path / "data")
    monkeypatch.setattr(data_files, "DATA", tmp_path / "data")
    data_files.sums.cache_clear()
    yield tmp_path / "data"
    data_files.sums.cache_clear()


def test_every_file_is_on_the_list_and_whole():
    files = [path for path in data_files.DATA.rglob("*") if path.is_file() and path.name not in EXPLAIN]
    assert sorted(data_files.sums()) == sorted(path.relative_to(data_files.DATA).as_posix() for path in files)
    data_files.check()


@pytest.mark.parametrize("name", data_files.sums())
def test_a_damaged_file_is_named(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(EmbedvizError, match=f"data/{name} is damaged"):
        data_files.check()


def test_a_missing_file_is_named(copy):
    (copy / "pairs.json").unlink()
    with pytest.raises(EmbedvizError, match=r"data/pairs\.json cannot be read: No such file"):
        data_files.check()


def test_a_missing_list_is_named(copy):
    (copy / "SHA256SUMS").unlink()
    with pytest.raises(EmbedvizError, match="data/SHA256SUMS cannot be read"):
        data_files.check()


def test_a_change_on_purpose_is_sealed(copy):
    (copy / "pairs.json").write_text("[]")
    data_files.seal()
    assert data_files.read("pairs.json") == b"[]"
