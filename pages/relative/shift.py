"""The view "Shift test" of the page "Relative": the same phrase, later in a text, under two schemes side by side."""

import numpy as np

from embedviz import ui
from embedviz.attention.one_head import Sentence, scores, shift_test
from embedviz.attention.phrase import phrase
from embedviz.base.i18n import _
from embedviz.figures.schemes.shifted import Shifted, shifted
from embedviz.programs import relative as export
from embedviz.ui import presenting
from pages.relative import words
from pages.relative.settings import sentence_field

_HEIGHT = "clamp(18rem, calc(100vh - 27rem), 40rem)"
_MOST_MOVING = 12  # tokens of a phrase that slides on arrival: more would be much to send
_N_PLACES = 16  # on the way


def shift(page: ui.Frame) -> None:
    """Show the phrase's scores at the start of a text and later in it, under the two schemes that are chosen."""
    sentence, drawn, later, part = sentence_field(page)
    changes = {name: float(values[0]) for name, values in shift_test(sentence, (later,)).items()}
    panels = [_panel(sentence, name, part, later) for name in drawn]
    ui.cards(words.about_part(part, panels, later) or words.about_shift(changes, sentence, later), key="about_shift")
    tokens = sentence.tokens
    places = _places(sentence, later) if part == "scores" else sorted({0, later})
    figure = shifted(panels, places, tokens.ids, tokens.texts)
    with ui.slide(brief=True):
        ui.show(figure, key="shift", alt=words.shift_alt(panels, part, changes, later), height=_HEIGHT)
    if not presenting.is_on():
        ui.table(*words.kept(sentence, drawn, later, changes), key="kept", label=_("What stays"), numbers=range(1, 5))
    ui.aside(words.as_computed_here())
    ui.program(export.pytorch_shift(sentence, (later,), drawn, part), _("The same phrase later"), height=380)


def _places(sentence: Sentence, later: int) -> list[int]:
    """Where the phrase stands on its way, from the start of the text to its place."""
    n = _N_PLACES if len(sentence.tokens) <= _MOST_MOVING else 0
    return sorted({round(place) for place in np.linspace(0, later, n + 1)} | {0, later})


def _scores(sentence: Sentence, name: str, later: int) -> tuple[np.ndarray, np.ndarray]:
    """The scores at the start, (T, T), and at each place on the way, (P, T, T)."""
    way = np.stack([scores(sentence, name, place) for place in _places(sentence, later)])
    return way[0], way


def _panel(sentence: Sentence, name: str, part: str, later: int) -> Shifted:
    if part == "scores":
        here, way = _scores(sentence, name, later)
    else:
        found = [phrase(sentence, name, place) for place in (0, later)]
        none = np.full((len(sentence.tokens),) * 2, np.nan, np.float32)
        here, *way = (none if each is None else getattr(each, part) for each in (found[0], *found))
        way = np.stack(way)
    change = float(np.abs(way[-1] - here).max())
    return Shifted(words.title(name), here, way, None if np.isnan(change) else change <= words.ROUNDING)
