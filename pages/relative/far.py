"""The view "How far" of the page "Relative": small models that were trained on short texts answer after longer ones."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.schemes.far import Reading
from embedviz.figures.schemes.far import far as drawn
from embedviz.programs.far import pytorch_far
from embedviz.training import far as measuring
from embedviz.ui import OPTIONS, one_of, presenting
from pages.relative import far_words as words
from pages.relative.schemes import table_of_schemes

_HEIGHT = "clamp(22rem, calc(100vh - 25rem), 42rem)"


def far(page: ui.Frame) -> None:
    """Show how many answers of each model are right, or their loss, from half to eight times the trained length."""
    with page.inputs, ui.on_every_slide("measured"):
        of = one_of(_("Measured"), OPTIONS["measured"], key="measured")
    found = measuring.measured()
    ui.cards(words.about_far(found), key="about_far")
    readings = [
        Reading(words.heading(line, found[line]), words.kind(line), getattr(found[line], of), found[line].learned)
        for line in words.ORDER
    ]
    figure = drawn(readings, measuring.LENGTHS, measuring.TRAINED, **words.scale(found, of))
    with ui.slide(brief=True):
        ui.show(figure, key="far", alt=words.far_alt(found, of), height=_HEIGHT)
    ui.aside(words.as_measured())
    if not presenting.is_on():  # which only a reader has the time for
        table_of_schemes()
    ui.program(pytorch_far(), _("How far models read"), height=380)
