"""The view "Longer texts" of the page "Relative": trained on short texts, used on long ones."""

import numpy as np

from embedviz import ui
from embedviz.attention.lengths import reaches
from embedviz.attention.one_head import check_heads
from embedviz.base.i18n import _, paragraph, translated
from embedviz.figures.schemes.reach_strips import strips
from embedviz.programs import relative as export
from embedviz.ui.messages import stop_at_error
from pages.relative import length_words, words
from pages.relative.settings import length_fields

_STRIPS = "clamp(14rem, calc(100vh - 31rem), 26rem)"


def lengths(page: ui.Frame) -> None:
    """Show what happens when a model was trained on short texts and is used on long ones."""
    page.lead()
    trained, used, output_dim = length_fields(page)
    with stop_at_error():
        check_heads(output_dim)
        found = reaches(trained, used, output_dim)
    ui.cards(length_words.about_lengths(found, trained, used), key="about_lengths")
    names = [words.title(name) for name in found]
    states = np.stack([reach.states for reach in found.values()])
    figure = strips(names, states, [*map(translated, length_words.STATES)], trained)
    rows = [length_words.length_row(name, reach, trained) for name, reach in found.items()]
    said = paragraph(f"{row[0]}: {row[1]}." for row in rows)
    alt = _("Trained on {trained} tokens, used on {used}. {said}", trained=trained, used=used, said=said)
    with ui.slide("strips", alone=True):
        ui.show(figure, key="strips", alt=alt, height=_STRIPS)
    with ui.slide("reaches"):
        ui.table(
            [_("Scheme"), _("Positions, or distances back"), _("Past the trained length")],
            rows,
            key="reaches",
            label=_("Lengths"),
        )
    ui.program(export.pytorch_lengths(trained, used, output_dim), _("Longer than in training"), height=380)
