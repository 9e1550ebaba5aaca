"""One picture for each step of the tour."""

from dataclasses import dataclass, field

import numpy as np

from embedviz.attention.two_sentences import Attended
from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.figures.distances import distance_matrices
from embedviz.figures.drift import word_drift
from embedviz.figures.figure import Figure
from embedviz.figures.heatmaps import batch_heatmaps, row_heatmap
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.panels import Heat, panels
from embedviz.figures.scatter import sum_scatter
from embedviz.figures.weights import attention_maps
from embedviz.text.visible import in_figure, in_words
from embedviz.ui import alt_text
from embedviz.ui.components.boxes.boxes import Row
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.embedding import Embedded
from pages.tour.facts import LATER, NUMBERS, SHOWN, Facts

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


def tokens(facts: Facts) -> Picture:
    """The tokens of both sentences."""
    return Picture(rows=sentences(facts))


def ids(facts: Facts) -> Picture:
    """The tokens with their IDs, and the first one without its space."""
    rows = sentences(facts)
    if facts.bare:
        text = facts.first.tokens.texts[0]
        rows.append(Row(_("{token} without its space", token=in_words(text)), _("no space"), facts.bare))
    return Picture(rows=rows, with_ids=True)


def sentences(facts: Facts) -> list[Row]:
    """The tokens of A above those of B."""
    return [Row(_("Tokens of {name}", name=name), name, each.tokens) for name, each in facts.sentences.items()]


def table(facts: Facts) -> Picture:
    """Rows of the table, and those that the tokens pick."""
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
            Matrix(
                rows,
                _("{rows} of the table", rows=ngettext("{n:,} row", "{n:,} rows", len(distinct))),
                names,
                distinct,
                decimals=facts.decimals,
            ),
            Matrix(
                picked,
                _("{name}: first {n} of {dims} numbers", name=name, n=NUMBERS, dims=dims),
                places,
                ids,
                "→",
                decimals=facts.decimals,
            ),
        ]
    )
    alt = _(
        "{rows} of a table of {n_rows:,} × {dims}, and the {picked} that the tokens of {name} pick; the "
        "first {n} numbers of each.",
        rows=ngettext("{n:,} row", "{n:,} rows", len(distinct)),
        n_rows=facts.n_rows,
        dims=dims,
        picked=ngettext("{n:,} row", "{n:,} rows", len(ids)),
        name=name,
        n=NUMBERS,
    )
    return Picture(figure, alt, note=_only_first(len(tokens), MAX_ROWS, name))


def same(facts: Facts) -> Picture:
    """Rows of the tokens that A and B share, copies below each other."""
    if facts.twin is None:
        return _rows_of(facts, "token_embeddings")
    names, ids, rows = shared_rows(facts)
    n_all = int(facts.comparison.shared.any(axis=1).sum() + facts.comparison.shared.any(axis=0).sum())
    figure = shared_matrix(facts, names, ids, rows)
    alt = _(
        "Token embeddings of {n} tokens, copies of one ID below each other: {names}.",
        n=len(rows),
        names=listed(names),
    )
    note = _("{n} of the {n_all} tokens that have a partner.", n=len(rows), n_all=n_all) if len(rows) < n_all else ""
    return Picture(figure, alt, note=note)


def shared_matrix(facts: Facts, names: list[str], ids: list[int], rows: list[np.ndarray]) -> Figure:
    """These rows, number by number."""
    title = _("token embeddings, first {n} of {n_dims} numbers", n=_COLUMNS, n_dims=facts.first.spec.output_dim)
    return matrices([Matrix(np.stack(rows), title, names, ids, decimals=facts.decimals)])


def shared_rows(facts: Facts) -> tuple[list[str], list[int], list[np.ndarray]]:
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
    sizes = {
        "tokens_a": ngettext("{n:,} token", "{n:,} tokens", len(c.a.tokens)),
        "tokens_b": ngettext("{n:,} token", "{n:,} tokens", len(c.b.tokens)),
        "n_dims": c.a.spec.output_dim,
    }
    if part == "token_embeddings":
        name = _("token embedding")
        alt = _(
            "Token embeddings of {tokens_a} of A above {tokens_b} of B as rows of {n_dims} coloured cells.", **sizes
        )
    else:
        name = _("input embedding")
        alt = _(
            "Input embeddings of {tokens_a} of A above {tokens_b} of B as rows of {n_dims} coloured cells.", **sizes
        )
    figure = row_heatmap(getattr(c.a, part), getattr(c.b, part), c.ids, c.texts, name)
    return Picture(figure, alt, note=cut(facts))


def order(facts: Facts) -> Picture:
    """The token embeddings of A above those of B."""
    return _rows_of(facts, "token_embeddings")


def positions(facts: Facts) -> Picture:
    """The first rows of the positional table."""
    longer = max(facts.sentences.values(), key=lambda each: len(each.tokens))
    rows = longer.positional_embeddings[:MAX_ROWS, :_COLUMNS]
    spec = longer.spec
    names = [_("position {n}", n=n) for n in range(len(rows))]
    title = _(
        "positional embeddings, {n_rows:,} × {n_dims}: first {n} numbers",
        n_rows=spec.context_length,
        n_dims=spec.output_dim,
        n=_COLUMNS,
    )
    figure = matrices([Matrix(rows, title, names, [None] * len(rows), decimals=facts.decimals)])
    alt = _(
        "The first {rows} of the positional table, the first {n} numbers of each.",
        rows=ngettext("{n:,} row", "{n:,} rows", len(rows)),
        n=_COLUMNS,
    )
    n_more = len(longer.tokens) - len(rows)
    return Picture(
        figure, alt, note=_("The first {most} positions of {n}.", most=MAX_ROWS, n=len(longer.tokens)) if n_more else ""
    )


def sum_(facts: Facts) -> Picture:
    """Numbers of some copies of one token: token, position and sum."""
    chosen = [(name, facts.sentences[name], n) for name, n in facts.summed]
    ids = [each.tokens.ids[n] for _, each, n in chosen]
    names = [f"{name}{n} {in_figure(each.tokens.texts[n])}" for name, each, n in chosen]
    parts = (
        (_("token embedding"), "token_embeddings", names, ""),
        (_("positional embedding"), "positional_embeddings", [str(n) for *_, n in chosen], "+"),
        (_("input embedding"), "input_embeddings", [f"{name}{n}" for name, _, n in chosen], "="),
    )
    panels_ = [
        Matrix(
            np.stack([getattr(each, part)[n, :NUMBERS] for _, each, n in chosen]),
            title,
            rows,
            ids,
            sign,
            (),
            facts.decimals,
        )
        for title, part, rows, sign in parts
    ]
    alt = _(
        "The first {n} numbers of {names}: token plus positional equals input embedding.",
        n=NUMBERS,
        names=listed(names),
    )
    return Picture(matrices(panels_), alt, note=_besides(facts))


def _besides(facts: Facts) -> str:
    """What else a model does with the sum."""
    said, layout = [], facts.layout
    if layout and layout.segment:
        said.append(
            _(
                "{model} also adds a vector that is the same for every token; here it is counted with the position.",
                model=facts.model,
            )
        )
    if layout and layout.norm:
        said.append(_("Before its first layer, {model} norms each sum.", model=facts.model))
    return paragraph(said)


def after(facts: Facts) -> Picture:
    """Distances before and after adding."""
    c = facts.shown
    if not c.shared.size:
        return _rows_of(facts, "input_embeddings")
    figure = distance_matrices(c.before.distances, c.after.distances, c.shared, c.ids, c.texts)
    return Picture(figure, alt_text.distances(c), note=cut(facts))


def map_(facts: Facts) -> Picture:
    """Both sentences as points, with an arrow for each position."""
    figure = sum_scatter(facts.scene, facts.shown.ids, facts.shown.texts)
    return Picture(figure, alt_text.points(facts.scene), slider="amount", note=cut(facts))


def attention(facts: Facts) -> Picture:
    """Weights of the first head behind a causal mask, and distances of the outputs."""
    if facts.attended is None:
        return _rows_of(facts, "token_embeddings")
    found: Attended = facts.attended.masked
    weights = (found.a.seen_by(0), found.b.seen_by(0))
    figure = attention_maps(weights, found.distances, found.shared, facts.shown.ids, facts.shown.texts)
    alt = _("With a causal mask and without positions. {weights}", weights=alt_text.attention(found, 0))
    return Picture(figure, alt, note=cut(facts))


def distance(facts: Facts) -> Picture:
    """Scores of a sentence at its place and later, under a scheme of positions and one of distances."""
    figure = score_panels((facts.learned.here, facts.learned.there), (facts.rope.here, facts.rope.there))
    alt = _(
        "Attention scores of {name} from position 0 and from position {later}: with learned positions "
        "they differ by up to {learned:.3g}, with RoPE by up to {rope:.3g}.",
        name=facts.first_name,
        later=LATER,
        learned=facts.learned.change,
        rope=facts.rope.change,
    )
    return Picture(figure, alt, note=only_first(facts))


def score_panels(learned: tuple[np.ndarray, np.ndarray], rope: tuple[np.ndarray, np.ndarray]) -> Figure:
    """The scores under each of two schemes, each (T, T) at position 0 and later."""
    heats = [
        Heat(_("{name}, from {first}", name=name, first=first), scores, _("key"), "" if n or first else _("query"))
        for n, (name, both) in enumerate({"learned": learned, "RoPE": rope}.items())
        for first, scores in zip((0, LATER), both, strict=True)
    ]
    return panels(heats, [1] * len(heats))


def only_first(facts: Facts) -> str:
    """What to note of a first sentence that is longer than its scores show."""
    return _only_first(len(facts.first.tokens), SHOWN, facts.first_name)


def batch(facts: Facts) -> Picture:
    """A batch of both sentences, plus its positions."""
    batch = facts.batch
    n, length, dims = batch.token_embeddings.shape
    parts = (batch.token_embeddings, batch.positional_embeddings, batch.input_embeddings)
    alt = _(
        "{sentences} of {tokens} with {dims} dimensions: token plus positional equals input embedding; "
        "the {vectors} used {n} times.",
        sentences=ngettext("{n:,} sentence", "{n:,} sentences", n),
        tokens=ngettext("{n:,} token", "{n:,} tokens", length),
        dims=dims,
        vectors=ngettext("{n:,} positional vector", "{n:,} positional vectors", length),
        n=n,
    )
    return Picture(batch_heatmaps(*parts, batch.texts), alt)


def training(facts: Facts) -> Picture:
    """The words of the finished training as they drift."""
    run, found = facts.run, facts.words
    figure = word_drift(found.points, found.explained, run.vocabulary, found.classes, run.steps.tolist())
    return Picture(figure, alt_text.words(run, found), slider="snapshots")


def cut(facts: Facts) -> str:
    """What to note of longer sentences."""
    c: Comparison = facts.comparison
    longest: Embedded = max((c.a, c.b), key=lambda each: len(each.tokens))
    return _("The picture shows the first {n} tokens.", n=SHOWN) if len(longest.tokens) > SHOWN else ""


def _only_first(n: int, most: int, name: str) -> str:
    return (
        _("The picture shows the first {most} of {n} tokens of {name}.", most=most, n=n, name=name) if n > most else ""
    )
