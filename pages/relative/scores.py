"""The view "Scores" of the page "Relative": one head over one sentence, once for each scheme."""

import numpy as np

from embedviz import ui
from embedviz.attention.one_head import all_scores
from embedviz.base.i18n import _, translated
from embedviz.figures.schemes.score_grid import ScorePanel, score_grid
from embedviz.positions import SCHEMES
from embedviz.programs import relative as export
from pages.relative import words
from pages.relative.settings import with_learned

_GRID = "clamp(22rem, calc(100vh - 22.2rem), 46rem)"


def scores(page: ui.Frame) -> None:
    """Show one score matrix for each scheme."""
    sentence = with_learned(page)
    found = all_scores(sentence)
    ui.cards(words.about_scores(found, sentence), key="about_scores")
    panels = [
        ScorePanel(words.title(name), translated(words.CHANGES[SCHEMES[name].kind]), found[name]) for name in found
    ]
    tokens = sentence.tokens
    largest = "; ".join(f"{panel.title} {_largest(panel.scores)}" for panel in panels)
    alt = _(
        "{n_panels} score matrices of {n} by {n} tokens. Largest score: {largest}.",
        n_panels=len(panels),
        n=len(tokens),
        largest=largest,
    )
    figure = score_grid(panels, tokens.ids, tokens.texts)
    with ui.slide():
        ui.show(figure, key="grid", alt=alt, height=_GRID)
    ui.aside(words.as_computed_here())
    ui.program(export.pytorch_scores(sentence), _("Scores of {n} schemes", n=len(SCHEMES)), height=380)


def _largest(values: np.ndarray) -> str:
    return _("none") if np.isnan(values).any() else f"{np.abs(values).max():.2f}"
