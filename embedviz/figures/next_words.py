"""Which words a model expects next, after two prompts side by side, and where one of its heads looks for them."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import sentence_names, token_matrix
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.text.visible import in_figure

_END = 1.22  # of a bar's axis, so that the number behind a bar of 1 has room


def next_word_bars(
    words: Sequence[str], ids: Sequence[int], chances: np.ndarray, colour_order: Sequence[int], others: str
) -> Figure:
    """Two panels, A and B, with a bar for each word, and one for all other words together.

    words, ids: N words and their IDs, from top to bottom. chances: their probabilities after each prompt, then that of
    all other words, (2, N + 1). others: what these are called. colour_order: the IDs of everything on the page that has
    a colour; a word that is none of these is grey.
    """
    colours = theme.token_colours(colour_order)
    fills = [*(colours.get(id_, theme.FAINT) for id_ in ids), theme.FAINT]
    names = [*map(in_figure, words), others]
    panels = [_bars(sentence, names, values, fills) for sentence, values in zip("AB", chances, strict=True)]
    return figure(panels, columns=(0, 1), bargap=0.25)


def _bars(sentence: str, names: Sequence[str], values: np.ndarray, fills: Sequence[str]) -> Panel:
    trace = {
        "type": "bar", "orientation": "h", "name": sentence, "x": values.astype(np.float32),
        "y": np.arange(len(names), dtype=np.float32), "text": list(names), "marker": {"color": list(fills)},
        "texttemplate": "%{x:.3f}", "textposition": "outside", "cliponaxis": False, "textfont": {"size": 15},
        "hovertemplate": f"%{{text}}<br>{_('probability')} <b>%{{x:.4f}}</b>{theme.NO_EXTRA}",
    }  # fmt: skip
    coloured = [f'<span style="color:{fill}">{name}</span>' for name, fill in zip(names, fills, strict=True)]
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": coloured, "tickfont": {"size": 15}}
    x = theme.axis(_("probability"), range=[0, _END], tickvals=[0, 0.5, 1])
    y = theme.axis(grid=False, range=[len(names) - 0.5, -0.5], **ticks)
    return Panel([trace], x, y, _("next word after {sentence}", sentence=sentence), is_left=True, rem=12)


def last_word_looks(
    texts: Sequence[Sequence[str]], ids: Sequence[Sequence[int]], weights: Sequence[np.ndarray]
) -> Figure:
    """Two panels of one row each: how much the last word of A, and that of B, looks at each word of its text, (T,)."""
    names, colours = sentence_names(texts), theme.token_colours([*ids[0], *ids[1]])
    panels = [
        token_matrix(
            row[None], ([each[-1]], each), (own[-1:], own), f"%{{y}}, %{{x}}<br>{_('weight')} <b>%{{z:.4~g}}</b>",
            title=_("where “{word}” looks", word=in_figure(words[-1])), colours=colours, numbers="%{z:.2f}", rem=7,
        )
        for words, each, own, row in zip(texts, names, ids, weights, strict=True)
    ]  # fmt: skip
    return figure(panels, columns=(0, 1), coloraxis=theme.sequential(1.0, colorbar=theme.colour_bar(nticks=2)))
