"""Axes whose ticks are tokens, with as many token names, each in its colour, as there is room for."""

from collections.abc import Sequence

from embedviz.figures import theme
from embedviz.text.visible import in_figure, on_axis

MAX_LABELS = 19


def sentence_names(texts: tuple[list[str], list[str]]) -> list[list[str]]:
    """The names of the tokens of sentences A and B: sentence, position and text, as in "A0 ␣the"."""
    return [
        [f"{sentence}{n} {in_figure(text)}" for n, text in enumerate(words)]
        for sentence, words in zip("AB", texts, strict=True)
    ]


def position_id(n: int) -> str:
    """The ID of position n, which figures use beside the IDs of tokens to say what is pointed at."""
    return f"@{n}"


def token_axis(
    names: Sequence[str], ids: Sequence[int | None], colours: dict[int, str] | None = None, most: int = MAX_LABELS
) -> dict:
    """An axis of tokens with at most `most` names, each in the colour of its ID.

    ids: the token IDs; None stands for a row that is no token and gets no name. colours: the colour of every ID, if
    other axes of the figure have tokens too. By default only these tokens are coloured.
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
    """Keep the categories of an axis in the given order, for panels that share names but not the axis."""
    return {"categoryorder": "array", "categoryarray": list(names)}
