"""One picture for each step of the tour."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from embedviz.attending import Attended
from embedviz.comparison import Comparison
from embedviz.embedding import Embedded
from embedviz.figures.distances import distance_matrices
from embedviz.figures.drift import word_drift
from embedviz.figures.figure import Figure
from embedviz.figures.heatmaps import batch_heatmaps, row_heatmap
from embedviz.figures.labels import in_figure, in_words
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.panels import Heat, panels
from embedviz.figures.scatter import sum_scatter
from embedviz.figures.weights import attention_maps
from embedviz.tour_facts import LATER, NUMBERS, SHOWN, Facts
from embedviz.ui import alternatives
from embedviz.ui.attention_words import describe
from embedviz.ui.boxes import Row
from embedviz.ui.training_views import words_alternative
from embedviz.wording import counted

MAX_ROWS = 10  # of a table that is shown number by number
_COLUMNS = 6  # of such a table that stands alone


@dataclass(frozen=True)
class Picture:
    """A figure and what it shows, or rows of tokens; slider: what moves it, if anything does.

    note: what of the sentences is not in the picture.
    """

    figure: Figure | None = None
    alt: str = ""
    rows: list[Row] = field(default_factory=list)
    with_ids: bool = False
    slider: str = ""
    note: str = ""


def _tokens(facts: Facts) -> Picture:
    return Picture(rows=_sentences(facts))


def _ids(facts: Facts) -> Picture:
    rows = _sentences(facts)
    if facts.bare:
        text = facts.first.tokens.texts[0]
        rows.append(Row(f"{in_words(text)} without its space", "no space", facts.bare))
    return Picture(rows=rows, with_ids=True)


def _sentences(facts: Facts) -> list[Row]:
    return [Row(f"Tokens of {name}", name, each.tokens) for name, each in facts.sentences.items()]


def _table(facts: Facts) -> Picture:
    tokens, name = facts.first.tokens, facts.first_name
    ids = tokens.ids[:MAX_ROWS]
    texts = dict(zip(tokens.ids, tokens.texts, strict=True))
    row_of = {id_: facts.first.token_embeddings[tokens.ids.index(id_)] for id_ in ids}
    distinct = sorted(row_of)
    rows = np.stack([row_of[id_] for id_ in distinct])[:, :NUMBERS]
    dims = facts.first.spec.output_dim
    names = [f"{id_} {in_figure(texts[id_])}" for id_ in distinct]
    picked = facts.first.token_embeddings[:MAX_ROWS, :NUMBERS]
    places = [f"{name}{n} {in_figure(texts[id_])}" for n, id_ in enumerate(ids)]
    figure = matrices(
        [
            Matrix(rows, f"{counted(len(distinct), 'row')} of the table", names, distinct, decimals=2, room=0.17),
            Matrix(picked, f"{name}: first {NUMBERS} of {dims} numbers", places, ids, "→", decimals=2, room=0.17),
        ]
    )
    alt = (
        f"{counted(len(distinct), 'row')} of a table of {tokens.vocab_size:,} × {dims}, and the "
        f"{counted(len(ids), 'row')} that the tokens of {name} pick; the first {NUMBERS} numbers of each."
    )
    return Picture(figure, alt, note=_only_first(len(tokens), MAX_ROWS, name))


def _same(facts: Facts) -> Picture:
    if facts.twin is None:
        return _rows_of(facts, "token_embeddings")
    names, ids, rows = _shared_rows(facts)
    n_all = int(facts.comparison.shared.any(axis=1).sum() + facts.comparison.shared.any(axis=0).sum())
    title = f"token embeddings, first {_COLUMNS} of {facts.first.spec.output_dim} numbers"
    figure = matrices([Matrix(np.stack(rows), title, names, ids, decimals=2, room=0.15)])
    alt = f"Token embeddings of {len(rows)} tokens, copies of one ID below each other: {', '.join(names)}."
    note = f"{len(rows)} of the {n_all} tokens that have a partner." if len(rows) < n_all else ""
    return Picture(figure, alt, note=note)


def _shared_rows(facts: Facts) -> tuple[list[str], list[int], list[np.ndarray]]:
    """Tokens that stand in A and in B, copies of one ID together: from each sentence two at most."""
    a, b = facts.comparison.a.tokens, facts.comparison.b.tokens
    common = [id_ for id_ in dict.fromkeys([facts.twin.id, *a.ids]) if id_ in set(b.ids)]
    found = [
        (f"{name}{n} {in_figure(each.tokens.texts[n])}", id_, each.token_embeddings[n, :_COLUMNS])
        for id_ in common
        for name, each in facts.sentences.items()
        for n in [n for n, other in enumerate(each.tokens.ids) if other == id_][:2]
    ][: MAX_ROWS + 2]
    names, ids, rows = zip(*found, strict=True)
    return list(names), list(ids), list(rows)


def _rows_of(facts: Facts, part: str) -> Picture:
    """Vectors of A above those of B."""
    c = facts.shown
    name = part.replace("_", " ").removesuffix("s")
    figure = row_heatmap(getattr(c.a, part), getattr(c.b, part), c.ids, c.texts, name)
    alt = (
        f"{part.replace('_', ' ').capitalize()} of {counted(len(c.a.tokens), 'token')} of A above "
        f"{counted(len(c.b.tokens), 'token')} of B as rows of {c.a.spec.output_dim} coloured cells."
    )
    return Picture(figure, alt, note=_cut(facts))


def _order(facts: Facts) -> Picture:
    return _rows_of(facts, "token_embeddings")


def _positions(facts: Facts) -> Picture:
    longer = max(facts.sentences.values(), key=lambda each: len(each.tokens))
    rows = longer.positional_embeddings[:MAX_ROWS, :_COLUMNS]
    spec = longer.spec
    names = [f"position {n}" for n in range(len(rows))]
    title = f"positional embeddings, {spec.context_length:,} × {spec.output_dim}: first {_COLUMNS} numbers"
    figure = matrices([Matrix(rows, title, names, [None] * len(rows), decimals=2, room=0.15)])
    alt = f"The first {counted(len(rows), 'row')} of the positional table, the first {_COLUMNS} numbers of each."
    n_more = len(longer.tokens) - len(rows)
    return Picture(figure, alt, note=f"The first {MAX_ROWS} positions of {len(longer.tokens)}." if n_more else "")


def _sum(facts: Facts) -> Picture:
    chosen = [(name, facts.sentences[name], n) for name, n in facts.summed]
    ids = [each.tokens.ids[n] for _, each, n in chosen]
    names = [f"{name}{n} {in_figure(each.tokens.texts[n])}" for name, each, n in chosen]
    parts = (
        ("token embedding", "token_embeddings", names, "", 0.13),
        ("positional embedding", "positional_embeddings", [str(n) for *_, n in chosen], "+", 0.06),
        ("input embedding", "input_embeddings", [f"{name}{n}" for name, _, n in chosen], "=", 0.08),
    )
    panels_ = [
        Matrix(
            np.stack([getattr(each, part)[n, :NUMBERS] for _, each, n in chosen]), title, rows, ids, sign, (), 2, room
        )
        for title, part, rows, sign, room in parts
    ]
    alt = f"The first {NUMBERS} numbers of {', '.join(names)}: token plus positional equals input embedding."
    return Picture(matrices(panels_), alt)


def _after(facts: Facts) -> Picture:
    c = facts.shown
    if not c.shared.size:
        return _rows_of(facts, "input_embeddings")
    figure = distance_matrices(c.before.distances, c.after.distances, c.shared, c.ids, c.texts)
    return Picture(figure, alternatives.distances(c), note=_cut(facts))


def _map(facts: Facts) -> Picture:
    figure = sum_scatter(facts.scene, facts.shown.ids, facts.shown.texts)
    return Picture(figure, alternatives.points(facts.scene), slider="amount", note=_cut(facts))


def _attention(facts: Facts) -> Picture:
    if facts.attended is None:
        return _rows_of(facts, "token_embeddings")
    found: Attended = facts.attended.masked
    weights = (found.a.seen_by(0), found.b.seen_by(0))
    figure = attention_maps(weights, found.distances, found.shared, facts.shown.ids, facts.shown.texts)
    alt = f"With a causal mask and without positions. {describe(found, 0)}"
    return Picture(figure, alt, note=_cut(facts))


def _distance(facts: Facts) -> Picture:
    heats = [
        Heat(f"{name}, from {first}", scores, "key", "query" if not n else "")
        for n, (name, first, scores) in enumerate(
            (name, first, scores)
            for name, shifted in (("learned", facts.learned), ("RoPE", facts.rope))
            for first, scores in ((0, shifted.here), (LATER, shifted.there))
        )
    ]
    alt = (
        f"Attention scores of {facts.first_name} from position 0 and from position {LATER}: with learned positions "
        f"they differ by up to {facts.learned.change:.3g}, with RoPE by up to {facts.rope.change:.3g}."
    )
    return Picture(
        panels(heats, [1] * len(heats)), alt, note=_only_first(len(facts.first.tokens), SHOWN, facts.first_name)
    )


def _batch(facts: Facts) -> Picture:
    batch = facts.batch
    n, length, dims = batch.token_embeddings.shape
    parts = (batch.token_embeddings, batch.positional_embeddings, batch.input_embeddings)
    alt = (
        f"{counted(n, 'sentence')} of {counted(length, 'token')} with {dims} dimensions: token plus positional equals "
        f"input embedding; the {counted(length, 'positional vector')} used {n} times."
    )
    return Picture(batch_heatmaps(*parts, batch.texts), alt)


def _training(facts: Facts) -> Picture:
    run, found = facts.run, facts.words
    figure = word_drift(found.points, found.explained, run.vocabulary, found.classes, run.steps.tolist())
    return Picture(figure, words_alternative(run, found), slider="snapshots")


def _cut(facts: Facts) -> str:
    c: Comparison = facts.comparison
    longest: Embedded = max((c.a, c.b), key=lambda each: len(each.tokens))
    return f"The picture shows the first {SHOWN} tokens." if len(longest.tokens) > SHOWN else ""


def _only_first(n: int, most: int, name: str) -> str:
    return f"The picture shows the first {most} of {n} tokens of {name}." if n > most else ""


_PICTURES: dict[str, Callable[[Facts], Picture]] = {
    "Tokens": _tokens,
    "IDs": _ids,
    "Table": _table,
    "Same ID": _same,
    "Order": _order,
    "Positions": _positions,
    "Sum": _sum,
    "After": _after,
    "Map": _map,
    "Attention": _attention,
    "Distance": _distance,
    "Batch": _batch,
    "Training": _training,
}


def picture(name: str, facts: Facts) -> Picture | None:
    """The picture of a step; None while both sentences are empty, but for the last step, which is not about them."""
    return _PICTURES[name](facts) if facts.first or name == "Training" else None
