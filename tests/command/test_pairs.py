"""Pairs of sentences by the hundred: against `ev.trace` called for each, and what is said of wrong lines."""

import base64
import csv
import json
import os
import re
import threading
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.command.main import command
from embedviz.command.pairs import PairResult, Summary, pairs
from embedviz.ui.components.component import facts

A, B = "the cat sat on the mat", "the mat sat on the cat"
OTHER = "the dog stood on the hat"
SMALL = "trained"


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "pairs.csv", encoding: str = "utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_each_result_is_what_trace_says_of_the_pair(file):
    found = [*ev.pairs(file(f"a,b\n{A},{B}\n{A},{OTHER}\n{A},{A}\n"), [SMALL])]
    assert [(each.line, each.a, each.b, each.model) for each in found] == [
        (2, A, B, SMALL), (3, A, OTHER, SMALL), (4, A, A, SMALL),
    ]  # fmt: skip
    for each in found:
        on, off = (ev.trace(each.a, each.b, ev.Spec(source=SMALL), share) for share in (1.0, 0.0))
        assert each.same_tokens == (Counter(on.a.tokens.ids) == Counter(on.b.tokens.ids))
        assert (each.alike, each.alike_without) == (on.alike, off.alike)
        assert each.told_apart == (not on.is_one_answer)
        assert (each.first_layer is None) == (on.order_enters is None)
    assert [each.same_tokens for each in found] == [True, False, True]
    assert found[0].first_layer == 0  # learned positions are added at the input
    assert (found[2].first_layer, found[2].told_apart) == (None, False)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{A},{B}\n", "pairs.csv"),
        (f"\ufeffid,sentence1,sentence2,score\n7,{A},{B},0.5\n", "pairs.csv"),
        (f'b,a\n"{B}","{A}"\n', "pairs.CSV"),
        (f"text1\ttext2\n{A}\t{B}\n", "pairs.tsv"),
        (f"\n\nsentence_a,sentence_b\r\n{A} , {B}\r\n\r\n", "pairs.csv"),
    ],
)
def test_columns_are_found_by_their_names_or_are_the_first_two(file, text, name):
    ((_line, a, b, _model, *_found, fault),) = pairs(file(text, name), [SMALL])
    assert (a, b, fault) == (A, B, "")


def test_a_wrong_line_is_named_and_the_others_are_read(file):
    found = [*pairs(file(f"a,b\n{A},{B}\nalone\n{A},\n{A},quantum foam\n{B},{A}\n"), [SMALL])]
    assert [bool(each.fault) for each in found] == [False, True, True, True, False]
    assert "Line 3 " in found[1].fault
    assert "Line 4 " in found[2].fault
    assert "quantum" in found[3].fault
    assert all(each.alike is None for each in found[1:4])


def test_a_file_without_an_end_is_read_as_it_comes(tmp_path):
    path = tmp_path / "pairs.csv"
    os.mkfifo(path)

    def write() -> None:
        try:
            with path.open("w") as end:
                while True:
                    end.write(f"{A},{B}\n")
        except BrokenPipeError:
            return

    writer = threading.Thread(target=write)
    writer.start()
    results = pairs(path, [SMALL])
    assert [each.line for each in islice(results, 3)] == [1, 2, 3]
    results.close()
    writer.join(60)
    assert not writer.is_alive()


@pytest.mark.parametrize(
    ("text", "encoding", "said"), [(f"{A},{B}é\n", "latin-1", "UTF-8"), ("a" * 200_000 + f",{B}\n", "utf-8", "Line 1")]
)
def test_a_file_that_cannot_be_read_is_said(file, text, encoding, said):
    with pytest.raises(ev.EmbedvizError, match=said):
        list(pairs(file(text, encoding=encoding), [SMALL]))


def test_what_is_missing_is_said(file, tmp_path, models_folder):
    with pytest.raises(ev.EmbedvizError, match=r"none\.csv cannot be read"):
        next(pairs(tmp_path / "none.csv", [SMALL]))
    with pytest.raises(ev.EmbedvizError, match="no model"):
        next(pairs(file(f"{A},{B}\n")))
    assert "own/model" in next(pairs(file(f"{A},{B}\n"), ["own/model"])).fault


def test_the_ceiling_of_a_model_that_is_blind_to_order_is_the_published_one():
    """Of 7,511 pairs 572 have the same words: 0.9619, as embeddings-benchmark/mteb#5314 counts it."""
    found = Summary()
    for n in range(7511):
        found.add(PairResult(n, A, B, SMALL, n < 572, 0.5, 1.0, 0, told_apart=True))
    assert round(found.ceiling, 4) == 0.9619
    assert (found.n, found.same, found.told_apart, found.faults) == (7511, 572, 572, 0)
    assert found.alike == (0.5, 1.0)


def test_the_command_writes_a_table_and_says_what_it_comes_to(file, tmp_path):
    path, out = file(f"a,b\n{A},{B}\n{B},{A}\n{A},{OTHER}\nalone\n"), tmp_path / "out.csv"
    done = CliRunner().invoke(command, [str(path), "--csv", str(out), "--model", SMALL], catch_exceptions=False)
    assert (done.exit_code, done.stdout) == (0, "")
    with out.open(encoding="utf-8", newline="") as written:
        rows = [*csv.DictReader(written)]
    assert [row["line"] for row in rows] == ["2", "3", "4", "5"]
    assert float(rows[0]["alike"]) == ev.trace(A, B, ev.Spec(source=SMALL)).alike
    assert "trained has read 3 pairs, 2 of them with the same tokens" in done.stderr
    assert "about 0.6667 of all pairs" in done.stderr
    assert "1 pair could not be read" in done.stderr
    wrong = CliRunner().invoke(command, [A, B, "--model", SMALL])
    assert wrong.exit_code == 2
    assert "for a file of pairs" in wrong.stderr
    shown = CliRunner().invoke(command, [str(path), "--model", SMALL], catch_exceptions=False)
    assert shown.stdout == out.read_text("utf-8")


def test_the_picture_counts_each_pair_and_stands_in_a_page_that_says_it_in_words(file, tmp_path):
    path, table, out = file(f"a,b\n{A},{B}\n{B},{A}\n{A},{OTHER}\n"), tmp_path / "out.csv", tmp_path / "out.html"
    asked = [str(path), "--csv", str(table), "--html", str(out), "--model", SMALL]
    assert CliRunner().invoke(command, asked, catch_exceptions=False).exit_code == 0
    page = out.read_text("utf-8")
    assert "<h1>trained tells 2 of 2 pairs with the same tokens apart</h1>" in page
    assert "trained has read 3 pairs, 2 of them with the same tokens." in page
    (instance,) = json.loads(re.search(r'id="page">(.+?)</script>', page)[1])["instances"]
    assert "{" not in instance["html"]
    off, on = facts(base64.b64decode(instance["data"]))["data"]
    assert [trace["name"] for trace in (off, on)] == ["Positions off", "Positions on"]
    alone = CliRunner().invoke(command, [*asked[:3], "--html", str(tmp_path), "--model", SMALL])
    assert alone.exit_code != 0
    only_others = file(f"a,b\n{A},{OTHER}\n", "others.csv")
    with pytest.raises(ev.EmbedvizError, match="No pair has the same tokens"):
        CliRunner().invoke(command, [str(only_others), *asked[1:]], catch_exceptions=False, standalone_mode=False)


@given(cosine=st.floats(-1.0001, 1.0001))
def test_a_cosine_is_counted_where_it_lies_also_if_rounding_puts_it_beyond_the_ends(cosine):
    summary = Summary()
    summary.add(PairResult(1, A, B, SMALL, True, cosine, 1.0, 0, told_apart=True))
    (at,) = np.flatnonzero(summary.with_positions)
    low, high = np.linspace(-1, 1, len(summary.without) + 1)[[at, at + 1]]
    assert low - 1e-9 <= min(max(cosine, -1), 1) <= high + 1e-9
    assert summary.without[-1] == 1
