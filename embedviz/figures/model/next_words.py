"""Which words a model expects next, after prompts side by side, and where one of its heads looks for them."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.axes import SENTENCES, sentence_names, token_matrix
from embedviz.figures.figure import Figure, Panel, figure
from embedviz.text.tokens import Tokens
from embedviz.text.visible import in_figure

_END, _END_OF_THREE = 1.22, 1.45  # of a bar's axis, so that the number behind a bar of 1 has room
_MOST_NAMED, _FIRST = 10, 3  # words of a prompt that stand above its bars, and where there is little room
_OF_THREE = 6  # the same of the first words, if three prompts stand side by side


def next_word_bars(
    prompts: Sequence[Tokens],
    words: Sequence[str],
    ids: Sequence[int],
    chances: np.ndarray,
    colour_order: Sequence[int],
) -> Figure:
    """A panel for each of P prompts, A, B and so on, with a bar for each word, and one for all other words together.

    words, ids: N words, then what all others are called, and the IDs of the N words, from top to bottom. chances: their
    probabilities after each prompt, (P, N + 1). colour_order: the IDs of everything on the page that has a colour; a
    word that is none of these is grey.
    """
    colours = theme.token_colours(colour_order)
    fills = [*(colours.get(id_, theme.FAINT) for id_ in ids), theme.FAINT]
    end = _END if len(prompts) < 3 else _END_OF_THREE
    panels = [
        _bars(_after(sentence), _titles(sentence, prompt, colours, len(prompts)), words, values, fills, end=end)
        for sentence, prompt, values in zip(SENTENCES, prompts, chances, strict=False)
    ]
    # Three panels have room for numbers behind their bars if the first of a row names the words of all.
    return figure(panels, once=("y",) if len(panels) > 2 else (), bargap=0.25)


def _titles(sentence: str, prompt: Tokens, colours: dict[int, str], n_prompts: int) -> tuple[str, str]:
    """The prompt itself, or its name if it is long; and its first words, for where there is less room.

    Of three prompts there is at times no room for more than the first words of each.
    """
    words = zip(prompt.texts, prompt.ids, strict=True)
    named = [f"<b>{sentence}</b>", *(theme.coloured(in_figure(text), colours[id_]) for text, id_ in words)]
    first, six = (" ".join([*named[: 1 + n], *["…"] * (len(prompt) > n)]) for n in (_FIRST, _OF_THREE))
    if n_prompts > 2:
        return " ".join(named), six
    return _after(sentence) if len(prompt) > _MOST_NAMED else " ".join(named), first


def _after(sentence: str) -> str:
    return _("next word after {sentence}", sentence=sentence)


def _bars(
    name: str, titles: tuple[str, str], words: Sequence[str], values: np.ndarray, fills: Sequence[str], *, end: float
) -> Panel:
    names = [*map(in_figure, words[:-1]), words[-1]]
    trace = {
        "type": "bar", "name": name, "orientation": "h", "x": values.astype(np.float32),
        "y": np.arange(len(names), dtype=np.float32), "text": names,
        "marker": {"color": list(fills), "line": {"width": 1, "color": list(fills)}},  # a bar of no length has it, too
        "texttemplate": "%{x:.3f}", "textposition": "outside", "constraintext": "none", "cliponaxis": False,
        "textfont": {"size": 15}, "hovertemplate": f"%{{text}}<br><b>%{{x:.4f}}</b>{theme.NO_EXTRA}",
    }  # fmt: skip
    coloured = [theme.coloured(name, fill) for name, fill in zip(names, fills, strict=True)]
    ticks = {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": coloured, "tickfont": {"size": 15}}
    x = theme.axis(_("probability"), range=[0, end], tickvals=[0, 0.5, 1])
    y = theme.axis(grid=False, range=[len(names) - 0.5, -0.5], **ticks)
    return Panel([trace], x, y, *titles, rem=12)


def last_word_looks(
    texts: Sequence[Sequence[str]], ids: Sequence[Sequence[int]], weights: Sequence[np.ndarray], columns: int = 0
) -> Figure:
    """A panel of one row for each prompt: how much its last word looks at each word of its text, (T,).

    columns: how many panels stand side by side on a wide screen, 0 for all of them.
    """
    names, colours = sentence_names(texts), theme.token_colours([id_ for own in ids for id_ in own])
    panels = [
        token_matrix(
            row[None], ([each[-1]], each), (own[-1:], own), _("weight"),
            title=_("{sentence}: where “{word}” looks", sentence=sentence, word=in_figure(words[-1])), colours=colours,
            numbers="%{z:.2f}", rem=7,
        )
        for sentence, words, each, own, row in zip(SENTENCES, texts, names, ids, weights, strict=False)
    ]  # fmt: skip
    bar = theme.colour_bar(nticks=2)
    return figure(panels, columns=(columns, 1), coloraxis=theme.sequential(1.0, colorbar=bar))
