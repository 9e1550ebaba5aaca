"""Programs that load vectors of one's own by the file's name print the page's numbers."""

import contextlib
import io

import numpy as np
import pytest
from safetensors.numpy import save

import embedviz as ev
from embedviz.programs import rows
from embedviz.programs.compare import pytorch_compare
from embedviz.vectors.own.vector_files import read, read_texts, source_from
from embedviz.vocabulary.projector_files import metadata_tsv, vectors_tsv

A, B = "the cat sat on the mat", "on the mat the cat sat"
SPEC = ev.Spec(output_dim=16)
SAVED = rows.of_comparison(ev.compare(ev.embed(A, SPEC), ev.embed(B, SPEC)))
WORDS = ["the", "cat", "sat", "on", "mat"]
TABLE = np.random.default_rng(0).standard_normal((5, 16)).astype(np.float32)
METADATA = metadata_tsv([(word, n, "word", 3) for n, word in enumerate(WORDS)])


def npy() -> bytes:
    file = io.BytesIO()
    np.save(file, TABLE)
    return file.getvalue()


def shared() -> bytes:
    file = io.BytesIO()
    np.savez(file, embeddings=TABLE, mapping=np.array([3, 1, 4, 0, 2]))
    return file.getvalue()


FILES = {
    "a b's.npz": rows.npz(SAVED),
    "mine.csv": rows.csv(SAVED),
    "words.csv": b"word,0,1\nthe,1,2\ncat,3,4\nsat,5,6\non,7,8\nmat,9,0.25\n",
    "vectors.tsv": vectors_tsv(TABLE),
    "utf16.tsv": vectors_tsv(TABLE).decode().encode("utf-16"),
    "mine.npy": npy(),
    "mine.safetensors": save({"wte": TABLE, "wpe": np.vstack([TABLE, TABLE])}),
    "shared.safetensors": save({"embeddings": TABLE, "mapping": np.array([3, 1, 4, 0, 2])}),
    "shared.npz": shared(),
}


@pytest.mark.parametrize("name", FILES)
def test_the_program_prints_the_numbers_of_the_page(name, tmp_path, monkeypatch):
    file = read(name, FILES[name])
    token, position = file.likely
    texts = None if token in file.texts else read_texts("metadata.tsv", METADATA)
    spec = ev.Spec(source=source_from(file, token, position, texts))
    found = ev.compare(ev.embed(A, spec), ev.embed(B, spec))
    (tmp_path / name).write_bytes(FILES[name])
    (tmp_path / "metadata.tsv").write_bytes(METADATA)
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(pytorch_compare(found.a, found.b), name, "exec"), {})  # noqa: S102 what a reader would run
    lines = [line.split() for line in printed.getvalue().splitlines()]
    before = [("before", p.i, p.j, p.id, p.same_before, p.distance_before) for p in found.pairs]
    after = [("after", p.i, p.j, p.id, p.same_after, p.distance_after) for p in found.pairs]
    assert [line[:5] for line in lines] == [[*map(str, each[:5])] for each in before + after]
    assert np.allclose([float(line[5]) for line in lines], [each[5] for each in before + after], atol=1e-4)
