"""Axes whose ticks are tokens: their names, in their colours, as many as there is room for."""

from collections.abc import Sequence

from embedviz.figures import theme
from embedviz.text.visible import in_figure, on_axis

MAX_LABELS = 19


def sentence_names(texts: tuple[list[str], list[str]]) -> list[list[str]]:
    """What the tokens of sentences A and B are called: the sentence, the position, the text, as in "A0 ␣the"."""
    return [
        [f"{sentence}{n} {in_figure(text)}" for n, text in enumerate(words)]
        for sentence, words in zip("AB", texts, strict=True)
    ]


def token_axis(
    names: Sequence[str], ids: Sequence[int | None], colours: dict[int, str] | None = None, most: int = MAX_LABELS
) -> dict:
    """An axis of tokens with at most `most` names, each in the colour of its ID.

    ids: None for a row that is no token, which gets no name. colours: of every ID, where other axes of the
    figure have tokens too; by default those of these tokens alone.
    """
    colours = colours or theme.token_colours(id_ for id_ in ids if id_ is not None)
    every = -(-len(names) // most) or 1
    shown = [n for n in range(0, len(names), every) if ids[n] is not None]
    return {
        "type": "category", "tickmode": "array", "tickvals": [names[n] for n in shown], "ticks": "",
        "ticktext": [f'<span style="color:{colours[ids[n]]}">{on_axis(names[n])}</span>' for n in shown],
        "showgrid": False, "zeroline": False, "fixedrange": True,
    }  # fmt: skip


def in_order(names: Sequence[str]) -> dict:
    """Keeps the categories of an axis as they are given, for panels that share a name but not the axis."""
    return {"categoryorder": "array", "categoryarray": list(names)}
