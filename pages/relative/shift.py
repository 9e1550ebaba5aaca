"""The view "Shift test" of the page "Relative": the same phrase, later in a text, under two schemes side by side."""

from functools import partial
from typing import NamedTuple

import numpy as np

from embedviz import ui
from embedviz.attention.one_head import Sentence, scores, shift_test
from embedviz.attention.phrase import phrase
from embedviz.base.i18n import N_, _
from embedviz.figures.schemes.shifted import Shifted, shifted
from embedviz.programs.schemes import relative as export
from embedviz.ui import Guide, Picture, Program, View
from pages.relative import words
from pages.relative.settings import Asked, fields, settings

_HEIGHT = ui.picture_height(1, 40)
_MOST_MOVING = 12  # tokens of a phrase that slides on arrival: more would be much to send
_N_PLACES = 16  # on the way


class ShiftTest(NamedTuple):
    """The phrase at the start of a text and later in it.

    changes: the largest change of a score under each scheme, NaN past the end of its table.
    """

    asked: Asked
    changes: dict[str, float]
    panels: list[Shifted]


def shift_test_of(asked: Asked) -> ShiftTest:
    """The phrase under all schemes, and what is drawn of the two that are chosen."""
    changes = {name: float(values[0]) for name, values in shift_test(asked.sentence, (asked.later,)).items()}
    return ShiftTest(asked, changes, [_panel(asked.sentence, name, asked.part, asked.later) for name in asked.drawn])


def findings(test: ShiftTest) -> list[ui.Card]:
    """Which schemes keep what is compared."""
    sentence, _drawn, later, part = test.asked
    return words.about_part(part, test.panels, later) or words.about_shift(test.changes, sentence, later)


def pictures(test: ShiftTest) -> list[Picture]:
    """The matrices of both schemes; below them, for readers, a table of what stays."""
    sentence, drawn, later, part = test.asked
    places = _places(sentence, later) if part == "scores" else sorted({0, later})
    figure = shifted(test.panels, places, sentence.tokens.ids, sentence.tokens.texts)
    alt = words.shift_alt(test.panels, part, test.changes, later)
    columns, rows = words.table_of_changes(sentence, drawn, later, test.changes)
    table = partial(ui.table, columns, rows, key="kept", label=_("What stays"), numbers=range(1, 5))
    return [
        Picture(partial(ui.show, figure, key="shift", alt=alt, height=_HEIGHT)),
        Picture(table, None, only_for="reader"),
    ]


def program(test: ShiftTest) -> Program:
    """The scores or weights in PyTorch."""
    sentence, drawn, later, part = test.asked
    return Program(export.pytorch_shift(sentence, (later,), drawn, part), _("The same phrase later"))


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


SHIFT = View(
    page="relative",
    name="shift",
    guide=Guide(
        N_("Move the phrase along the text: some schemes then give its words other scores, others keep them."),
        N_("A phrase often means the same early and late in a text. A scheme that keeps its scores need not learn it "
           "twice."),
        "scheme query key score absolute relative rope head",
    ),
    settings=settings,
    fields=fields,
    compute=shift_test_of,
    claim=lambda test: [words.claim(test.panels)],
    findings=findings,
    pictures=pictures,
    note=lambda _test: words.as_computed_here(),
    program=program,
    examples=({}, {"part": "weights"}),
)  # fmt: skip
