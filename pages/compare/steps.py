"""What a real model does with the vectors besides adding positions: other vectors that it adds, and a norm."""

from embedviz import ui
from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.base.numbers import three_digits
from embedviz.models import Layout
from embedviz.vectors.comparison import Comparison


def about_model(c: Comparison) -> list[ui.Card]:
    """What else happens to the vectors before the model's first layer; nothing for other sources."""
    source, cards = c.a.spec.origin, []
    if not (layout := source.layout()):
        return cards
    if layout.factor != 1:
        text = _(
            "{model} multiplies every token vector by √d = {factor}. The token vectors here are those products.",
            model=source.title,
            factor=three_digits(layout.factor),
        )
        cards.append(ui.Card(_("Token vectors are scaled"), text))
    if c.a.segment_embedding is not None:
        text = _(
            "{model} adds a third vector, for the segment that a token belongs to. Here all tokens are of the first "
            "segment and get the same vector, so it makes no copies differ.",
            model=source.title,
        )
        cards.append(ui.Card(_("A third vector is added"), text))
    if c.a.first_layer is not c.a.input_embeddings:
        cards.append(_norm(c, layout, source.title))
    return cards


def _norm(c: Comparison, layout: Layout, name: str) -> ui.Card:
    norm = _(
        "Before the first layer, {model} shifts and stretches each sum to mean 0 and variance 1, and then adjusts each "
        "dimension with learned numbers (LayerNorm).",
        model=name,
    )
    said = [norm] if layout.norm else []
    if layout.projection and layout.projection.after_sum:
        said.append(_("A matrix then turns its {d} numbers into {n}.", n=layout.hidden_size, d=layout.sum_dim))
    rows_a, rows_b = ([row.tobytes() for row in each.first_layer] for each in (c.a, c.b))
    equal = ngettext(
        "Of {n} pair of copies, {same} is identical after this step, too: equal vectors stay equal.",
        "Of {n} pairs of copies, {same} are identical after this step, too: equal vectors stay equal.",
        c.n_shared,
        same=sum(rows_a[pair.i] == rows_b[pair.j] for pair in c.pairs),
    )
    return ui.Card(_("One more step before the first layer"), paragraph([*said, equal]))
