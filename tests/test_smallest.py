"""Files made as small as possible once, and kept for later starts."""

import os
import time
from pathlib import Path

import brotli
import pytest

from embedviz.web import Smallest

TEXT = "".join(f"const n{n} = {n * n}\n" for n in range(4000)).encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.js"
    path.write_bytes(TEXT)
    return path


def small(maker: Smallest, file: Path) -> bytes:
    """The file at its smallest, as soon as the thread has made it."""
    deadline = time.monotonic() + 20
    while (body := maker.get(file)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return body


def test_quick_at_first_and_smaller_later(file, tmp_path):
    maker = Smallest(tmp_path / "kept", later=0)
    quick = maker.quick(file)
    best = small(maker, file)
    assert brotli.decompress(quick) == brotli.decompress(best) == TEXT
    assert len(best) < len(quick) < len(TEXT)


def test_the_next_start_has_it_at_once(file, tmp_path):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    best = small(first, file)
    second = Smallest(tmp_path / "kept", later=3600)
    assert second.quick(file) == second.get(file) == best


def test_a_changed_file_is_made_anew(file, tmp_path):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    small(first, file)
    file.write_bytes(TEXT[::-1])
    second = Smallest(tmp_path / "kept", later=3600)
    assert brotli.decompress(second.quick(file)) == TEXT[::-1]
    assert second.get(file) is None


@pytest.mark.parametrize("damaged", [b"", b"rubbish", brotli.compress(b"another file")])
def test_a_damaged_file_is_not_believed(file, tmp_path, damaged):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    best = small(first, file)
    (kept,) = (tmp_path / "kept").glob("*.br")
    kept.write_bytes(damaged)
    second = Smallest(tmp_path / "kept", later=0)
    assert brotli.decompress(second.quick(file)) == TEXT
    assert small(second, file) == kept.read_bytes() == best


def test_where_nothing_can_be_written_it_is_made_all_the_same(file, tmp_path):
    (tmp_path / "in the way").write_text("a file")
    maker = Smallest(tmp_path / "in the way", later=0)
    maker.quick(file)
    assert brotli.decompress(small(maker, file)) == TEXT


def test_what_was_not_used_for_a_month_goes(file, tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    for name, days in (("old", 31), ("new", 29)):
        (folder / f"{name}.br").write_bytes(b"x")
        used = time.time() - days * 24 * 3600
        os.utime(folder / f"{name}.br", (used, used))
    maker = Smallest(folder, later=0)
    maker.quick(file)
    small(maker, file)
    assert {path.stem for path in folder.iterdir()} >= {"new"}
    assert not (folder / "old.br").exists()
