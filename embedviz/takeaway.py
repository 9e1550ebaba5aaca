"""The vectors of a page as named rows, to take along."""

from collections.abc import Sequence

import numpy as np

from embedviz import absolute
from embedviz.attending import Attended
from embedviz.attention import Attention
from embedviz.comparison import Comparison
from embedviz.embedding import Embedded
from embedviz.lookup import Lookup
from embedviz.run import Run
from embedviz.tokens import Tokens
from embedviz.vectors import Rows


def of_comparison(comparison: Comparison) -> list[Rows]:
    """Token, positional and input embeddings of both sentences, (T, D) each."""
    return [_embedded(each, name) for each, name in ((comparison.a, "A"), (comparison.b, "B"))]


def of_sentence(embedded: Embedded) -> list[Rows]:
    """The same of one sentence."""
    return [_embedded(embedded, "")]


def _embedded(of: Embedded, sentence: str) -> Rows:
    names = ("token_embeddings", "positional_embeddings", "input_embeddings")
    return Rows(_tokens(of.tokens), {name: getattr(of, name) for name in names}, sentence)


def _tokens(tokens: Tokens) -> dict[str, Sequence]:
    return {"position": range(len(tokens)), "id": np.array(tokens.ids, np.int64), "token": tokens.texts}


def of_attention(found: Attended, comparison: Comparison) -> list[Rows]:
    """Outputs (T, D), and the weights of every head (T, T), of both sentences; heads count from 1 as on the page."""
    return [
        Rows(_tokens(embedded.tokens), _attention(attention), name)
        for attention, embedded, name in ((found.a, comparison.a, "A"), (found.b, comparison.b, "B"))
    ]


def _attention(found: Attention) -> dict[str, np.ndarray]:
    return {"outputs": found.outputs} | {f"weights_head_{n}": rows for n, rows in enumerate(found.weights, 1)}


def of_lookup(found: Lookup) -> list[Rows]:
    """The table (V, D), and the rows (T, D) that the IDs pick."""
    return [
        Rows({"row": range(len(found.table))}, {"table": found.table}),
        Rows({"position": range(len(found.ids)), "id": found.ids}, {"rows": found.rows}),
    ]


def of_positions(settings: absolute.Settings) -> list[Rows]:
    """The three tables (L, D)."""
    tables = {kind.replace("/", "_over_"): absolute.table(kind, settings) for kind in absolute.KINDS}
    return [Rows({"position": range(settings.context_length)}, tables)]


def of_run(run: Run) -> list[Rows]:
    """The two tables after the last step: a row for each of V words, and one for each of L positions."""
    words, places = run.tokens[-1], run.positions[-1]
    return [
        Rows({"id": range(len(words)), "token": run.vocabulary}, {"token_embeddings": words}),
        Rows({"position": range(len(places))}, {"positional_embeddings": places}),
    ]
