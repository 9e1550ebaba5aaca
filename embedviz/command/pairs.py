"""Pairs of sentences by the hundred: what each model on this machine makes of the order of their words."""

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TextIO

import click
import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.command.saved import of_figure, write
from embedviz.figures.model.likeness import Counted, likeness_figure
from embedviz.layers.runnable import runnable
from embedviz.layers.trace import Trace, traces
from embedviz.vectors.spec import Spec

_LONGEST = 2**16  # characters of a line
_LOOK = "How alike the two sentences of a pair are, if they have the same tokens: with positions, and without them."
_BINS = 100  # of cosines, each 0.02 wide
# What the two columns may be called; in a file without a header they are the first two.
_HEADERS = (("a", "b"), ("sentence1", "sentence2"), ("sentence_a", "sentence_b"), ("text1", "text2"))


class PairResult(NamedTuple):
    """What one model makes of sentences a and b.

    line: of the file, from 1. same_tokens: whether both have the same tokens, each as often, so that nothing but order
    parts them. alike, alike_without: the cosine of the two sentence vectors, with positions and without. first_layer:
    the layer after which copies of tokens differ first, 0 for the input; None if they never do. told_apart: whether
    the model ends in another sentence vector, or in other probabilities of the next word. fault: why there is none of
    all this, or nothing.
    """

    line: int
    a: str
    b: str
    model: str
    same_tokens: bool | None = None
    alike: float | None = None
    alike_without: float | None = None
    first_layer: int | None = None
    told_apart: bool | None = None
    fault: str = ""


@dataclass
class Summary:
    """What one model makes of all pairs. n: how many it has read; same: how many of them have the same tokens.

    told_apart: how many of those it tells apart. faults: how many it has not read. with_positions, without: how many of
    those with the same tokens are how alike, int (N,), in bins of the same width from -1 to 1.
    """

    n: int = 0
    same: int = 0
    told_apart: int = 0
    faults: int = 0
    with_positions: np.ndarray = field(default_factory=lambda: np.zeros(_BINS, np.int64))
    without: np.ndarray = field(default_factory=lambda: np.zeros(_BINS, np.int64))
    _alike: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def add(self, result: PairResult) -> None:
        """Count one more."""
        if result.alike is None or result.alike_without is None:
            self.faults += 1
            return
        self.n += 1
        if result.same_tokens:
            self.same += 1
            self.told_apart += bool(result.told_apart)
            self._alike = [self._alike[0] + result.alike, self._alike[1] + result.alike_without]
            for counts, cosine in ((self.with_positions, result.alike), (self.without, result.alike_without)):
                counts[min(max(int((cosine + 1) / 2 * _BINS), 0), _BINS - 1)] += 1

    @property
    def ceiling(self) -> float:
        """The share of pairs that a model could tell apart at most if it were blind to order.

        Of two sentences with the same tokens it can only guess which is which, and is right once in two.
        """
        return 1 - self.same / (2 * self.n) if self.n else float("nan")

    @property
    def alike(self) -> tuple[float, float]:
        """How alike sentences of the same tokens are on average, with positions and without."""
        with_positions, without = (each / self.same if self.same else float("nan") for each in self._alike)
        return with_positions, without


def pairs(path: str | Path, models: Sequence[str] = ()) -> Iterator[PairResult]:
    """Let models read the pairs of a CSV or TSV file, one after the other: a result for each pair and model.

    The file is UTF-8, with the columns a and b, sentence1 and sentence2, sentence_a and sentence_b or text1 and text2;
    without such a header the first two columns count. It may be longer than the memory. models: as `Spec` names
    sources; all that can be run on this machine if none is given. Raises EmbedvizError if the file cannot be read, or
    there is no model. What is wrong with one pair is said in its result.
    """
    names = tuple(models) or tuple(runnable())
    if not names:
        raise EmbedvizError("There is no model on this machine that reads sentences. make minilm brings one.")
    for line, a, b, fault in _lines(Path(path)):
        for name in names:
            yield PairResult(line, a, b, name, fault=fault) if fault else _read(line, a, b, name)


def report(path: Path, table: Path | None, models: Sequence[str], picture: Path | None = None) -> None:
    """Write the results as CSV into a file, or on the screen, and say on stderr how far it is and what it comes to.

    picture: where the page with the picture of all pairs is written, if anywhere.
    """
    by_model: dict[str, Summary] = {}
    with nullcontext(sys.stdout) if table is None else _opened(table) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(PairResult._fields)
        for result in pairs(path, models):
            writer.writerow(result)
            by_model.setdefault(result.model, Summary()).add(result)
            if table and sys.stderr.isatty():
                click.echo(f"\r{path.name}, line {result.line:,}", err=True, nl=False)
    click.echo("\r" if table and sys.stderr.isatty() else "", err=True, nl=False)
    for model, each in by_model.items():
        click.echo(_in_words(model, each), err=True)
    if picture:
        _write_picture(picture, path.name, by_model)


def _write_picture(path: Path, name: str, by_model: Mapping[str, Summary]) -> None:
    """Write a page that opens anywhere, with bars of how alike each model finds sentences of the same tokens."""
    same = {model: each for model, each in by_model.items() if each.same}
    if not same:
        raise EmbedvizError("No pair has the same tokens, so there is no picture of what order does to them.")
    titles = {
        model: f"{model.rpartition('/')[2]} tells {each.told_apart:,} of {_pairs(each.same)} with the same tokens apart"
        for model, each in same.items()
    }
    drawn = likeness_figure([Counted(titles[model], each.with_positions, each.without) for model, each in same.items()])
    alt = " ".join(_in_words(model, each) for model, each in same.items())
    title = next(iter(titles.values())) if len(titles) == 1 else f"{len(titles)} models read the pairs of {name}"
    text = of_figure(drawn, title=title, look=_LOOK, alt=alt)
    write(path, text)


def _in_words(model: str, summary: Summary) -> str:
    """What one model makes of all pairs, in a line."""
    said = [f"{model} has read {_pairs(summary.n)}, {summary.same:,} of them with the same tokens."]
    if summary.same:
        with_positions, without = summary.alike
        said += [
            f"A model that is blind to order can be right about {summary.ceiling:.4f} of all pairs at most.",
            f"{model} tells {summary.told_apart:,} of the {summary.same:,} apart.",
            f"Their mean likeness is {with_positions:.3f} with positions, and {without:.3f} without.",
        ]
    if summary.faults:
        said.append(f"{_pairs(summary.faults)} could not be read: the column fault says why.")
    return " ".join(said)


def _pairs(n: int) -> str:
    return f"{n:,} pair" if n == 1 else f"{n:,} pairs"


def _opened(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise EmbedvizError("{path} cannot be written: {why}.", path=path, why=error.strerror) from error


def _read(line: int, a: str, b: str, model: str) -> PairResult:
    try:
        without, found = traces(a, b, Spec(source=model), (0.0, 1.0))
    except EmbedvizError as error:
        return PairResult(line, a, b, model, fault=str(error))
    same = Counter(found.a.tokens.ids) == Counter(found.b.tokens.ids)
    return PairResult(
        line, a, b, model, same, found.alike, without.alike, _first_layer(found), not found.is_one_answer
    )  # fmt: skip


def _first_layer(trace: Trace) -> int | None:
    differs = np.flatnonzero(trace.copies_differ.any(axis=0))
    return int(differs[0]) if len(differs) else None


def _lines(path: Path) -> Iterator[tuple[int, str, str, str]]:
    """The number of each line with a pair, both sentences, and what is wrong with it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _cells(_bounded(file), "\t" if path.suffix.lower() == ".tsv" else ",")
    except UnicodeDecodeError as error:
        raise EmbedvizError("{path} is not UTF-8. Save it as UTF-8 and try again.", path=path) from error
    except OSError as error:
        raise EmbedvizError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error


def _bounded(file: TextIO) -> Iterator[str]:
    """The lines of a file, none of which takes more memory than any pair needs."""
    for line, text in enumerate(iter(partial(file.readline, _LONGEST), ""), 1):
        if len(text) == _LONGEST and text[-1] != "\n":
            raise EmbedvizError("Line {line:,} has more than {most:,} characters.", line=line, most=_LONGEST)
        yield text


def _cells(lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, str, str, str]]:
    rows = csv.reader(lines, delimiter=delimiter)
    left, right, is_first = 0, 1, True
    try:
        for cells in rows:
            if not cells:
                continue
            if is_first:
                is_first, names = False, [cell.strip().lower() for cell in cells]
                header = next((header for header in _HEADERS if {*header} <= {*names}), None)
                if header:
                    left, right = map(names.index, header)
                    continue
            if max(left, right) >= len(cells):
                yield rows.line_num, cells[0], "", f"Line {rows.line_num:,} has one sentence, and a pair has two."
                continue
            a, b = cells[left].strip(), cells[right].strip()
            fault = "" if a and b else f"Line {rows.line_num:,} has an empty sentence."
            yield rows.line_num, a, b, fault
    except csv.Error as error:
        line = rows.line_num
        raise EmbedvizError("Line {line:,} cannot be read: {why}.", line=line, why=str(error)) from error
