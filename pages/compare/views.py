"""The views of both sentences' vectors, of which one is drawn: pairs, a map, or distances."""

from collections.abc import Callable

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.distances import distance_matrices
from embedviz.figures.scatter import sum_scatter
from embedviz.ui import OPTIONS, alt_text, one_of
from embedviz.vectors.copies import Copies
from embedviz.vectors.projection import scene
from pages.compare.proof import about_distances

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


def distances(copies: Copies) -> None:
    """The distance of each token of A from each of B, and what pairs are."""
    c = copies.comparison
    if not c.shared.size:
        return
    both = (c.before.distances, c.after.distances)
    figure = distance_matrices(*both, c.shared, c.ids, c.texts, positions=c.positions_apart)
    with ui.slide("distances", brief=True):
        ui.show(figure, key="distances", alt=alt_text.distances(c), height=_HEIGHT)
    ui.cards(about_distances(c), key="about_distances")
