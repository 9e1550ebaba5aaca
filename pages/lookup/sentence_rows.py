"""Both sentences looked up in the table of the model that reads them: which rows they pick, and in which order."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.checks import MAX_SEED
from embedviz.base.i18n import _, first_and_more, label_value, listed, ngettext, paragraph
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import Matrix, matrices
from embedviz.programs.inputs import pytorch_rows
from embedviz.programs.rows import of_comparison
from embedviz.text.tokens import Tokens
from embedviz.text.visible import in_figure, quoted
from embedviz.ui import Card, Picture, Program, stop_at_error, turns, whole_number
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.source_field import source_that_fits, spec_for
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.embedding import with_vocabulary
from embedviz.vectors.sources import RANDOM, Source
from embedviz.vectors.spec import Spec
from pages.lookup.settings import HEIGHT

_MOST = 16  # tokens of each sentence
_N_NUMBERS = 8  # of each row


class Settings(NamedTuple):
    """The source of the vectors of both sentences, None for the one that fits; and the seed of a random one."""

    source: Source | None
    seed: int = Spec.seed


class Sentences(NamedTuple):
    """The tokens of both sentences, of which one has any, and whose table it is."""

    tokens: list[Tokens]
    spec: Spec


def settings(frame: ui.Frame) -> Settings:
    """The source of the vectors of both sentences, and the seed if they are random."""
    with frame.settings():
        source = source_that_fits()
        if source is None or source.name != RANDOM.name:
            return Settings(source)
        return Settings(source, whole_number(_("Seed"), 0, MAX_SEED, Spec.seed, key="seed", below=frame.messages))


def cut(frame: ui.Frame, texts: tuple[str, str], settings: Settings) -> Sentences:
    """The tokens of both sentences. A message, and nothing after it, if there are none."""
    source = settings.source
    with frame.messages:
        with stop_at_error(source and source.name), turns.release_lock():
            spec = replace(with_vocabulary(spec_for(source, *texts), *texts), seed=settings.seed)
        tokens = sentences.tokens([st.container(), st.container()], texts, spec, _MOST)
    if not any(each.ids for each in tokens):
        ui.stop()
    return Sentences(tokens, spec)


def looked_up(asked: Sentences) -> Comparison:
    """Both sentences with their rows of the table."""
    return compare(*sentences.embedded(asked.tokens, asked.spec))


def _ids(c: Comparison) -> list[int]:
    return [*c.a.tokens.ids, *c.b.tokens.ids]


def _texts(c: Comparison) -> list[str]:
    return [*c.a.tokens.texts, *c.b.tokens.texts]


def figure(c: Comparison) -> Figure:
    """The rows that are picked, as they stand in the table, and lines to where the sentences have them."""
    ids, texts = _ids(c), _texts(c)
    rows = np.concatenate([c.a.token_embeddings, c.b.token_embeddings])[:, :_N_NUMBERS]  # (T_A + T_B, 8)
    picked, across = sorted({*ids}), _("dimension")
    first = [ids.index(id_) for id_ in picked]
    in_table = [f"{ids[n]} {in_figure(texts[n])}" for n in first]
    looked_up = [
        f"{name}{place} {in_figure(text)}"
        for name, each in zip("AB", (c.a, c.b), strict=True)
        for place, text in enumerate(each.tokens.texts)
    ]
    table = Matrix(rows[first], _("picked rows of the table"), in_table, picked, across=across)
    title, heading = _("output"), None
    if c.a.tokens.ids and c.b.tokens.ids:
        a, b = (_("Sentence {name}", name=name) for name in "AB")
        title, heading = label_value(title, a), (len(c.a.tokens), b)
    return matrices([table, Matrix(rows, title, looked_up, ids, across=across, heading=heading)], linked=True)


def pictures(c: Comparison) -> list[Picture]:
    """The table and the output."""
    drawn = partial(ui.show, figure(c), key="sentence_rows", alt=alternative(c), height=HEIGHT)
    return [Picture(drawn)]


def findings(c: Comparison) -> list[Card]:
    """Whether both sentences pick the same rows, and how many rows there are to pick from."""
    n_rows, n_dims = c.a.tokens.vocab_size, c.a.token_embeddings.shape[1]
    table = _(
        "The table has {n_rows:,} rows of {n_dims:,} numbers, of which the first {n} are drawn. An ID is the number of "
        "a row, counted from 0.",
        n_rows=n_rows,
        n_dims=n_dims,
        n=min(_N_NUMBERS, n_dims),
    )
    title = _claim(c.a.tokens, c.b.tokens)
    return [Card(title, paragraph([table, c.a.spec.origin.whose]), "same" if c.is_permutation else "different")]


def _claim(a: Tokens, b: Tokens) -> str:
    if a.ids == b.ids:
        return _("Both sentences pick the same rows in the same order")
    if sorted(a.ids) == sorted(b.ids):
        return _("Both sentences pick the same rows, in another order")
    both = zip([*a.texts, *b.texts], [*a.ids, *b.ids], strict=True)
    only = [text for text, id_ in both if (id_ in a.ids) != (id_ in b.ids)]
    if not only:
        return _("Both sentences pick the same rows, but not equally often")
    return ngettext(
        "Only one of the sentences picks the row of {tokens}",
        "Only one of the sentences picks the rows of {tokens}",
        len({*only}),
        tokens=first_and_more([*map(quoted, dict.fromkeys(only))]),
    )


def _listed_ids(tokens: Tokens) -> str:
    return listed(map(str, tokens.ids)) if tokens.ids else _("none")


def alternative(c: Comparison) -> str:
    """The figure in words."""
    return _(
        "The rows {rows} of the table. Of these A has {a}, one after the other, and B {b}.",
        rows=listed(map(str, sorted({*_ids(c)}))),
        a=_listed_ids(c.a.tokens),
        b=_listed_ids(c.b.tokens),
    )


def program(c: Comparison, title: str) -> Program:
    """The lookup in PyTorch."""
    return Program(pytorch_rows(c.a, c.b, _N_NUMBERS), title, rows=partial(of_comparison, c))
