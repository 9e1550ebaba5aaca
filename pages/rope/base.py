"""The view "base": how slowly the pairs turn, and what a larger base changes."""

from collections.abc import Sequence

from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.attention.rope_reach import Turning, bases_compared
from embedviz.base.i18n import _, paragraph
from embedviz.figures import theme
from embedviz.figures.schemes.pair_charts import PairChart, PairLine, pair_charts
from embedviz.programs import rope as export
from embedviz.ui.messages import stop_at_error
from pages.rope import frequency_words as words
from pages.rope.frequency_fields import field

_HEIGHT = "clamp(16rem, calc(100vh - 33rem), 34rem)"


def base(page: ui.Frame) -> None:
    """Show the wavelength of every pair under several bases, against the trained length."""
    names = ("base", "head_dim", "trained")
    chosen, head_dim, trained = (_drawn(*each, page) for each in zip(page.inputs.columns(3), names, strict=True))
    with page.messages, stop_at_error():
        found = bases_compared(chosen, head_dim, trained)
    _body(found, chosen, head_dim, trained)


def _drawn(column: DeltaGenerator, name: str, page: ui.Frame) -> int:
    with column:
        return field(name, page)


def _body(turnings: Sequence[Turning], chosen: int, head_dim: int, trained: int) -> None:
    ui.cards(words.about_base(turnings, chosen, trained), key="about_base")
    chart = PairChart(
        _("Positions until each pair has gone full circle"),
        "",
        _("positions"),
        [*(_line(each) for each in turnings if each.base != chosen), _line(_of(turnings, chosen), bright=True)],
        trained,
        _("trained: {n:,}", n=trained),
    )
    alt = _(
        "Wavelengths of {n} pairs on a logarithmic axis, with a line at {trained:,} tokens. {bases}",
        n=head_dim // 2,
        trained=trained,
        bases=paragraph(words.base_in_words(each) for each in turnings),
    )
    with ui.slide("base", alone=True):
        ui.show(pair_charts([chart]), key="base", alt=alt, height=_HEIGHT)
    with ui.slide("bases"):
        ui.table(
            words.base_columns(trained),
            words.base_rows(turnings),
            key="bases",
            label=_("Bases"),
            numbers=(1, 2, 3),
            prose=True,
        )
    ui.program(export.pytorch_base(chosen, head_dim, trained), _("Wavelengths of RoPE"), height=380)


def _of(turnings: Sequence[Turning], chosen: int) -> Turning:
    return next(each for each in turnings if each.base == chosen)


def _line(turning: Turning, *, bright: bool = False) -> PairLine:
    name = _("base {n:,}", n=turning.base)
    colour = "var(--token-0)" if bright else theme.FAINT
    return PairLine(name, turning.wavelengths, colour, 2.5 if bright else 1.5, dots=bright, end=name)
