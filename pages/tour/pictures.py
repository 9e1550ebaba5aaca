"""One picture for each step of the tour. The picture of a question has question marks where it would give the answer.

Hidden numbers are not in the figure at all: the figure is drawn from zeros, and these are then blanked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from embedviz.attention.two_sentences import Attended
from embedviz.base.i18n import _, joined, listed, ngettext, paragraph, series
from embedviz.figures.distances import distance_matrices
from embedviz.figures.figure import Figure, blanked
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.theme import coloured, token_colours
from embedviz.text.visible import in_figure
from embedviz.ui import alt_text, presenting
from embedviz.ui.components.boxes.boxes import Row
from embedviz.vectors.embedding import Embedded
from pages.tour.facts import NUMBERS, QUESTIONS, SHOWN, Facts
from pages.tour.sums import number_told

MAX_ROWS = 10  # of a table that is shown number by number
_COLUMNS = 6  # of such a table that stands alone


@dataclass(frozen=True)
class Picture:
    """A figure and what it shows, or rows of tokens. note: what of the sentences is not in the picture."""

    figure: Figure | None = None
    alt: str = ""
    rows: list[Row] = field(default_factory=list)
    with_ids: bool = False
    note: str = ""


def question(facts: Facts) -> Picture:
    """The words of both sentences, before anything is said of their tokens."""
    return Picture(rows=_sentences(facts))


def tokens(facts: Facts) -> Picture:
    """The tokens of both sentences with their IDs."""
    return Picture(rows=_sentences(facts), with_ids=True)


def _sentences(facts: Facts) -> list[Row]:
    return [Row(_("Tokens of {name}", name=name), name, each.tokens) for name, each in facts.sentences.items()]


def table(facts: Facts) -> Picture:
    """Rows of the table, and those that the tokens pick."""
    tokens, name, colours = facts.first.tokens, facts.first_name, _colours(facts)
    ids = tokens.ids[:MAX_ROWS]
    place_of = {id_: tokens.ids.index(id_) for id_ in sorted(set(ids))}
    rows = facts.first.token_embeddings[list(place_of.values()), :NUMBERS]
    names = [coloured(f"{id_} {in_figure(tokens.texts[n])}", colours[id_]) for id_, n in place_of.items()]
    n_rows, n_picked = (ngettext("{n:,} row", "{n:,} rows", len(each)) for each in (place_of, ids))
    sizes = {"rows": n_rows, "picked": n_picked, "dims": facts.spec.output_dim}
    title = _("{name}: first {n} of {dims} numbers", name=name, n=NUMBERS, dims=sizes["dims"])
    whole = Matrix(rows, _("{rows} of the table", rows=n_rows), names, list(place_of), decimals=facts.decimals)
    figure = matrices([whole, _matrix(facts, [(name, n) for n in range(len(ids))], "token_embeddings", title, "→")])
    alt = _(
        "{rows} of a table of {n_rows:,} × {dims}, and the {picked} that the tokens of {name} pick; the "
        "first {n} numbers of each.",
        n_rows=facts.n_rows,
        name=name,
        n=NUMBERS,
        **sizes,
    )
    note = _("The picture shows the first {most} of {n} tokens of {name}.", most=MAX_ROWS, n=len(tokens), name=name)
    return Picture(figure, alt, note=note if len(tokens) > MAX_ROWS else "")


def same(facts: Facts, *, hidden: bool = False) -> Picture:
    """Tokens of A beside their copies in B; without copies the first tokens of the first sentence."""
    pairs = facts.copies.pairs[:MAX_ROWS]
    if not pairs:
        return table(facts)
    title = _("A: first {n} of {dims} numbers", n=NUMBERS, dims=facts.spec.output_dim)
    a = _matrix(facts, [("A", i) for i, _j in pairs], "token_embeddings", title)
    b = _matrix(facts, [("B", j) for _i, j in pairs], "token_embeddings", _("their copies in B"), "=")
    names, n_all = listed([f"A{i}–B{j}" for i, j in pairs]), len(facts.copies.pairs)
    note = _("{n} of {n_all} pairs of copies.", n=len(pairs), n_all=n_all) if len(pairs) < n_all else ""
    if hidden:
        masked = blanked(matrices([a, replace(b, values=np.zeros_like(b.values), sign="?")]), 1)
        alt = _("Token vectors of A; those of their copies in B are hidden: {names}.", names=names)
        return Picture(masked, alt, note=note)
    alt = _("Token vectors of A, and of their copies in B: {names}.", names=names)
    return Picture(matrices([a, b]), alt, note=note)


def positions(facts: Facts) -> Picture:
    """The first rows of the positional table."""
    longer = max(facts.sentences.values(), key=lambda each: len(each.tokens))
    rows = longer.positional_embeddings[:MAX_ROWS, :_COLUMNS]
    names = [_("position {n}", n=n) for n in range(len(rows))]
    title = _(
        "positional vectors, {n_rows:,} × {n_dims}: first {n} numbers",
        n_rows=facts.spec.context_length,
        n_dims=facts.spec.output_dim,
        n=_COLUMNS,
    )
    figure = matrices([Matrix(rows, title, names, [None] * len(rows), decimals=facts.decimals)])
    named = ngettext("{n:,} row", "{n:,} rows", len(rows))
    alt = _("The first {rows} of the positional table, the first {n} numbers of each.", rows=named, n=_COLUMNS)
    note = _("The first {most} positions of {n}.", most=MAX_ROWS, n=len(longer.tokens))
    return Picture(figure, alt, note=note if len(longer.tokens) > MAX_ROWS else "")


def sum_(facts: Facts) -> Picture:
    """Numbers of some copies of one token: token, position and sum."""
    # In a hall one number of each vector has room for all its decimals, without which the sums would seem wrong.
    shown = [number_told(facts)] if presenting.is_on() else range(NUMBERS)
    places = [str(n) for _name, n in facts.summed]
    names = [f"{name}{n}" for name, n in facts.summed]
    token = _matrix(facts, facts.summed, "token_embeddings", _("token vector"), numbers=shown)
    position = _matrix(
        facts, facts.summed, "positional_embeddings", _("positional vector"), "+", names=places, numbers=shown
    )
    total = _matrix(facts, facts.summed, "input_embeddings", _("input vector"), "=", numbers=shown)
    alt = _("Numbers of {names}: token plus positional equals input vector.", names=listed(names))
    return Picture(matrices([token, position, total]), alt, note=_besides(facts))


def _besides(facts: Facts) -> str:
    """What else a model does with the sum."""
    layout, model = facts.layout, facts.model
    added = _(
        "{model} also adds a vector that is the same for every token; here it is counted with the position.",
        model=model,
    )
    normed = _("Before its first layer, {model} norms each sum.", model=model)
    return paragraph([added if layout and layout.segment else "", normed if layout and layout.norm else ""])


def _matrix(
    facts: Facts,
    chosen: Sequence[tuple[str, int]],
    part: str,
    title: str,
    sign: str = "",
    *,
    names: Sequence[str] = (),
    numbers: Sequence[int] = range(NUMBERS),
) -> Matrix:
    """Some numbers of these tokens, by sentence and position, each named in its colour unless names are given."""
    found: list[tuple[Embedded, int]] = [(facts.sentences[name], n) for name, n in chosen]
    ids, colours = [each.tokens.ids[n] for each, n in found], _colours(facts)
    values = np.stack([getattr(each, part)[n, list(numbers)] for each, n in found])
    rows = names or [
        coloured(f"{name}{n} {in_figure(each.tokens.texts[n])}", colours[id_])
        for (name, n), (each, _n), id_ in zip(chosen, found, ids, strict=True)
    ]
    return Matrix(values, title, rows, ids, sign, [*map(str, numbers)], facts.decimals)


def _colours(facts: Facts) -> dict[int, str]:
    """The colour of each token, which is the same in every step."""
    return token_colours(id_ for each in facts.sentences.values() for id_ in each.tokens.ids)


def after(facts: Facts, *, hidden: bool = False) -> Picture:
    """Distances before and after adding."""
    c = facts.shown
    if not c.shared.size:
        return tokens(facts)
    return _distances(facts, (c.before.distances, c.after.distances), (), alt_text.distances(c), (1,) if hidden else ())


def attention(facts: Facts, *, hidden: bool = False) -> Picture:
    """Distances of the outputs of attention, without positions and with them."""
    if facts.attended is None:
        return tokens(facts)
    two = {_("without positions"): facts.attended.plain, _("with positions"): facts.attended.chosen}
    return _outputs(facts, two, (0, 1) if hidden else ())


def mask(facts: Facts, *, hidden: bool = False) -> Picture:
    """Distances of the outputs without positions, without a mask and with one."""
    if facts.attended is None:
        return tokens(facts)
    two = {_("without positions"): facts.attended.plain, _("the same with a mask"): facts.attended.masked}
    return _outputs(facts, two, (1,) if hidden else ())


def _outputs(facts: Facts, two: dict[str, Attended], hidden: Sequence[int]) -> Picture:
    said = [_("{title}: {n} of {of}", title=title, n=each.n_copied, of=len(each.shared)) for title, each in two.items()]
    alt = _(
        "Distances between the outputs for A and for B. How many of A have the same in B: {said}.", said=joined(said)
    )
    return _distances(facts, [each.distances for each in two.values()], tuple(two), alt, hidden)


def _distances(
    facts: Facts, both: Sequence[np.ndarray], titles: Sequence[str], alt: str, hidden: Sequence[int]
) -> Picture:
    """Two matrices, some of which may be hidden."""
    known = [np.zeros_like(each) if n in hidden else each for n, each in enumerate(both)]
    figure = distance_matrices(*known, facts.shown.shared, facts.shown.ids, facts.shown.texts, titles=titles)
    for n in hidden:
        figure = blanked(figure, n)
    if hidden:
        alt = _("Distances between tokens of A and of B; question marks stand for those that are asked for.")
    longest = max(len(each.tokens) for each in facts.sentences.values())
    note = _("The picture shows the first {n} tokens.", n=SHOWN) if longest > SHOWN else ""
    return Picture(figure, alt, note=note)


def next_word(facts: Facts, *, hidden: bool = False) -> Picture:
    """What the small GPT says after two questions, with positions and without them."""
    answered = facts.answered
    words = list(dict.fromkeys([*answered.words(answered.on), *answered.words(answered.off)]))
    ids = [answered.run.vocabulary.index(word) for word in words]
    titles = _("who sat? with positions"), _("without positions")
    chances = [np.stack([each.next_word[ids] for each in forwards]) for forwards in (answered.on, answered.off)]
    said = [
        _(
            "{title}: after “{question}” {chances}",
            title=title,
            question=text,
            chances=joined([f"{word} {chance:.2f}" for word, chance in zip(words, row, strict=True)]),
        )
        for title, rows in list(zip(titles, chances, strict=True))[: 1 if hidden else 2]
        for text, row in zip(QUESTIONS, rows, strict=True)
    ]
    alt = _("How likely each answer is. {said}.", said=series(said))
    names = [text.partition(" ,")[0] for text in QUESTIONS], ["", ""]
    if hidden:
        chances[1] = np.zeros_like(chances[1])
    figure = matrices(
        [Matrix(*each, [None] * 2, "", words, decimals=2) for each in zip(chances, titles, names, strict=True)]
    )
    return Picture(blanked(figure, 1) if hidden else figure, alt)
