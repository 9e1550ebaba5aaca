"""The view "Absolute or relative" of the page "Models": what each of the two gives, and where it can be seen."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.positions.scheme import GPT2
from embedviz.programs import relative as export
from pages.models import choose_words as words


def choose(_page: ui.Frame) -> None:
    """Show a rule of thumb and, line by line, what absolute and relative positions give."""
    ui.cards(words.rules_of_thumb(), key="rules")
    with ui.slide():
        ui.table(
            [
                _("What is compared"),
                _("Absolute: learned, sinusoidal"),
                _("Relative: T5, ALiBi, RoPE, …"),
                _("See it"),
            ],
            [words.row(line) for line in words.LINES],
            key="choose",
            label=_("Absolute against relative positions"),
            links=[line.seen_in.split() for line in words.LINES],
            here="models",
            prose=True,
        )
    ui.program(export.pytorch_costs(GPT2), _("What the schemes have to learn"), height=380)
