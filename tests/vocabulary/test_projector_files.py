"""The exported files, read by the rules of TensorFlow's Embedding Projector."""

import csv
import io

import numpy as np
import pytest

from embedviz.vocabulary.projector_files import HEADER, metadata_tsv, vectors_tsv

ROWS = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
HOSTILE = ["a\tb", "c\nd", "e\rf", "", '"q']


def opened(vectors: bytes, metadata: bytes) -> tuple[np.ndarray, list[dict[str, str]]]:
    """As the projector does: tensors are lines of tabs; metadata of several columns has a header line."""
    tensors = [[float(cell) for cell in line.split("\t")] for line in vectors.decode().rstrip("\n").split("\n")]
    header, *lines = metadata.decode().rstrip("\n").split("\n")
    names = header.split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines]
    assert len(tensors) == len(rows)
    return np.array(tensors), rows


def test_the_projector_reads_the_same_numbers():
    rows = [(text, n, "number", len(text)) for n, text in enumerate(HOSTILE)]
    tensors, metadata = opened(vectors_tsv(ROWS), metadata_tsv(rows))
    assert np.array_equal(tensors.astype(np.float32), ROWS)
    assert [row["token"] for row in metadata] == ["a b", "c d", "e f", "", '"q']
    assert [row["id"] for row in metadata] == ["0", "1", "2", "3", "4"]
    assert tuple(metadata[0]) == HEADER


def test_extreme_numbers_come_back():
    extreme = np.array([[1e-45, 3.4028235e38, -0.0, 1 / 3, 1e22, 16777216.0]], np.float32)
    found = np.array([float(cell) for cell in vectors_tsv(extreme).decode().split("\t")])
    assert found.astype(np.float32).tobytes() == extreme.tobytes()


def test_every_line_ends_and_no_rows_are_no_lines():
    assert vectors_tsv(ROWS).count(b"\n") == 5
    assert vectors_tsv(ROWS[:0]) == b""
    assert vectors_tsv(ROWS[:1, :1]) == f"{float(np.format_float_positional(ROWS[0, 0]))}\n".encode()
    assert metadata_tsv([]).decode() == "\t".join(HEADER) + "\n"


def test_pythons_csv_reads_it_too():
    lines = list(csv.reader(io.StringIO(vectors_tsv(ROWS).decode()), delimiter="\t"))
    assert np.array_equal(np.array(lines, np.float64).astype(np.float32), ROWS)


def test_no_file_loses_a_character():
    tokens = ["\0", "a\0", "\0b", "\ufeff", "\ud800"]
    _numbers, metadata = opened(vectors_tsv(ROWS), metadata_tsv((text, 0, "word", 1) for text in tokens))
    assert [row["token"] for row in metadata] == ["\0", "a\0", "\0b", "\ufeff", r"\ud800"]


@pytest.mark.parametrize("n_rows", [0, 1, 3])
def test_one_dimension(n_rows):
    assert vectors_tsv(ROWS[:n_rows, :1]).decode().split() == [
        np.format_float_positional(value) for value in ROWS[:n_rows, 0]
    ]
