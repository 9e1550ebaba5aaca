"""The view "Shift test" of the page "Relative": the same phrase, later in a text."""

import numpy as np

from embedviz import ui
from embedviz.attention.one_head import SHIFTS, shift_test
from embedviz.base.i18n import _
from embedviz.base.numbers import three_digits
from embedviz.figures import theme
from embedviz.figures.curves import Line, shift_chart
from embedviz.programs import relative as export
from pages.relative import words
from pages.relative.settings import with_learned

_LINES = "clamp(15rem, calc(100vh - 30rem), 32rem)"


def shift(page: ui.Frame) -> None:
    """Show the largest change of a phrase's scores when the phrase stands later in the text."""
    sentence = with_learned(page)
    found = shift_test(sentence)
    ui.cards(words.about_shift(found, sentence), key="about_shift")
    lines = _lines(found)
    changes = [f"{words.title(name)} {_change(np.nanmax(values, initial=0))}" for name, values in found.items()]
    alt = _(
        "Largest change of a score when the phrase stands {first} to {last} tokens later: {changes}",
        first=SHIFTS[0],
        last=SHIFTS[-1],
        changes="; ".join(changes),
    )
    with ui.slide("shift", alone=True):
        ui.show(shift_chart(SHIFTS, lines), key="shift", alt=alt, height=_LINES)
    rows = [[line.name.replace("<br>", ", "), *map(_change, line.values)] for line in lines]
    columns = [_("k tokens later"), *map(str, SHIFTS)]
    with ui.slide("changes"):
        ui.table(
            columns,
            rows,
            key="changes",
            label=_("Largest change of a score"),
            numbers=range(1, len(columns)),
        )
    ui.program(export.pytorch_shift(sentence), _("The same phrase later"), height=380)


def _lines(arrays: dict[str, np.ndarray]) -> list[Line]:
    """Make one line for each scheme. Schemes whose line is 0 throughout share one line."""
    still = [name for name, values in arrays.items() if not values.any()]
    moving = [name for name in arrays if name not in still]
    colours = theme.token_colours(range(len(moving) + 1))
    lines = [Line(words.title(name), arrays[name], colours[n]) for n, name in enumerate(moving)]
    if not still:
        return lines
    titles = [words.title(name) for name in still]
    name = "<br>".join(", ".join(titles[n : n + 3]) for n in range(0, len(titles), 3))
    return [*lines, Line(name, np.zeros(len(SHIFTS), np.float32), theme.INK)]


def _change(value: float) -> str:
    return _("no row") if np.isnan(value) else three_digits(value)
