"""The views of both sentences' vectors, of which one is drawn: pairs, or a map."""

from collections.abc import Callable

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.scatter import sum_scatter
from embedviz.ui import OPTIONS, alt_text, one_of
from embedviz.vectors.copies import Copies
from embedviz.vectors.projection import scene

Picture = Callable[[Copies], None]
_HEIGHT = "clamp(16.5rem, calc(100vh - 28.5rem), 44rem)"


def numbers_shown() -> str:
    """The setting of how many numbers of each vector the strips show."""
    return one_of(_("Numbers of each vector"), OPTIONS["first"], key="first", usual="32")


def strips(copies: Copies, *, first: str) -> None:
    """Each token of A, its copy in B, and their difference."""
    if not copies.pairs:
        return
    with ui.slide("strips", alone=True):
        ui.pair_strips(copies, None if first == "all" else int(first), key="strips")


def plane(copies: Copies) -> None:
    """All vectors in two principal components, with an arrow for each added position."""
    points = scene(copies.comparison)
    figure = sum_scatter(points, copies.comparison.ids, copies.comparison.texts)
    with ui.slide("map", brief=True):
        ui.show(figure, key="map", alt=alt_text.points(points), height=_HEIGHT)
