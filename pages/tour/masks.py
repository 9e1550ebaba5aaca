"""The pictures of the tour's questions: the pictures of their steps, without the parts that would show the answer.

Hidden numbers are not in the figure at all: the figure is drawn from zeros, and these are then blanked.
"""

from collections.abc import Mapping

import numpy as np

from embedviz.base.i18n import _, listed
from embedviz.figures.distances import distance_matrices
from embedviz.figures.figure import Figure, blanked
from embedviz.figures.heatmaps import batch_heatmaps
from embedviz.figures.weights import attention_maps
from embedviz.text.visible import in_words
from embedviz.ui.components.boxes.boxes import Row
from pages.tour import pictures
from pages.tour.facts import LATER, Facts
from pages.tour.pictures import Picture


def ids(facts: Facts) -> Picture:
    """What becomes of the first token without its space."""
    text = in_words(facts.first.tokens.texts[0])
    rows = [*pictures.sentences(facts), Row(_("{token} without its space", token=text), _("no space"))]
    return Picture(rows=rows, with_ids=True)


def same(facts: Facts) -> Picture:
    """The vectors of B."""
    names, ids_, rows = pictures.shared_rows(facts)
    is_hidden = np.array([name.startswith("B") for name in names])
    known = [np.where(hidden, 0, row) for hidden, row in zip(is_hidden, rows, strict=True)]
    figure = pictures.shared_matrix(facts, names, ids_, known)
    alt = _("Token embeddings of {names}; those of B are hidden until you answer.", names=listed(names))
    return Picture(_hidden(figure, {0: is_hidden}), alt)


def after(facts: Facts) -> Picture:
    """The distances after adding."""
    c = facts.shown
    figure = distance_matrices(c.before.distances, np.zeros_like(c.after.distances), c.shared, c.ids, c.texts)
    alt = _(
        "Distances between tokens of A and of B before positions are added; those after are hidden until you answer."
    )
    return Picture(_hidden(figure, {1: None}), alt, note=pictures.cut(facts))


def attention(facts: Facts) -> Picture:
    """The distances of the outputs."""
    found = facts.attended.masked
    weights = (found.a.seen_by(0), found.b.seen_by(0))
    figure = attention_maps(weights, np.zeros_like(found.distances), found.shared, facts.shown.ids, facts.shown.texts)
    alt = _(
        "Attention weights of both sentences, with a causal mask and without positions; how far their outputs are "
        "apart is hidden until you answer."
    )
    return Picture(_hidden(figure, {2: None}), alt, note=pictures.cut(facts))


def distance(facts: Facts) -> Picture:
    """The scores of the sentence at its later place."""
    nothing = np.zeros_like(facts.learned.here)
    figure = pictures.score_panels((facts.learned.here, nothing), (facts.rope.here, nothing))
    alt = _(
        "Attention scores of {name} from position 0, with learned positions and with RoPE; those from position {later} "
        "are hidden until you answer.",
        name=facts.first_name,
        later=LATER,
    )
    return Picture(_hidden(figure, {1: None, 3: None}), alt, note=pictures.only_first(facts))


def batch(facts: Facts) -> Picture:
    """The positional vectors, and so the sums."""
    known = facts.batch.token_embeddings
    figure = batch_heatmaps(known, np.zeros_like(known[0]), np.zeros_like(known), facts.batch.texts)
    titles = {1: _("+ positional: how many?"), 2: _("= input")}
    alt = _(
        "The token embeddings of a batch; how many positional vectors are added to them is hidden until you answer."
    )
    return Picture(_hidden(figure, {1: None, 2: None}, titles), alt)


def _hidden(figure: Figure, rows: Mapping[int, np.ndarray | None], titles: Mapping[int, str] | None = None) -> Figure:
    """Leave out rows of some heatmaps, by the numbers of their traces; None: all of them."""
    for n, which in rows.items():
        figure = blanked(figure, n, which, (titles or {}).get(n))
    return figure
