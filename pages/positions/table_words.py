"""What the view "Table" says: every sentence here follows from the numbers it is given."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.base.i18n import _, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.positions import SCHEMES
from embedviz.ui import Card, extent
from embedviz.vectors.position_tables import ByDistance, TableSettings, wavelengths


def of_table(rows: np.ndarray, beside: Sequence[str]) -> str:
    """The figure in words. beside: those of what stands beside the table."""
    n_positions, n_dims = rows.shape
    whole = _(
        "Table of {n_positions} positions by {n_dims} dimensions, numbers {extent}.",
        n_positions=n_positions,
        n_dims=n_dims,
        extent=extent(rows),
    )
    return paragraph([whole, *beside])


def of_lines(lines: Mapping[int, np.ndarray], *, is_row: bool) -> list[str]:
    """The rows or columns of a table, by their places, in words."""
    return [
        _("Position {n}: {extent}.", n=at, extent=extent(line))
        if is_row
        else _("Dimension {n}: {extent}.", n=at, extent=extent(line))
        for at, line in lines.items()
    ]


def of_means(alike: ByDistance) -> list[str]:
    """What the curve says of neighbours and of positions that are far apart, if the table is long enough for both."""
    if not alike.is_long:
        return []
    return [
        _(
            "The mean cosine is {near} between neighbours and {there} between positions that are {far} apart.",
            near=in_print(alike.near),
            far=alike.far,
            there=in_print(alike.there),
        )
    ]


def about_distance(alike: ByDistance, kind: str, settings: TableSettings) -> list[Card]:
    """Whether near positions of a table are more alike than far ones, if it is long enough to say so."""
    said = of_means(alike)
    if not said:
        return []
    if not alike.nearer_is_more_alike:
        return [Card(_("Near positions are not more alike"), paragraph(said))]
    if kind == "learned" and settings.source != "random" and settings.origin.is_shared:
        said.append(_("Nobody told the model which positions are neighbours. It learned that in training."))
    if alike.near_is_alike:
        return [Card(_("Near positions are alike"), paragraph(said), "same")]
    return [Card(_("Near positions are a little alike"), paragraph(said))]


def about_table(kind: str, settings: TableSettings, beside: Sequence[int] | None = None) -> list[Card]:
    """What the numbers of the table are. beside: the dimensions that stand beside it, if any."""
    if kind == "learned":
        gpt2 = _("GPT-2 has 1,024 such rows. The original Transformer used sines and cosines.")
        return [_whose_rows(settings), Card(_("GPT-2's are learned"), gpt2)]
    if kind != "sinusoidal":
        return [Card(translated(SCHEMES[kind].title), SCHEMES[kind].paper)]
    waves = wavelengths(settings)
    fast, slow = sorted(beside or (waves.argmin(), waves.argmax()), key=lambda n: (waves[n], n))
    is_mixed = settings.layout == "interleaved"
    lengths = _(
        "A wave takes {short:.2f} positions in dimension {fast}, and {long:,.0f} in dimension {slow}.",
        fast=fast,
        short=waves[fast],
        slow=slow,
        long=waves[slow],
    )
    slowest = _(
        "It sets the slowest wave. {n} of {n_pairs} pairs complete a wave within {context_length} positions; the "
        "others never repeat here.",
        n=int((waves <= settings.context_length - 1).sum()) // 2,  # a pair shares one
        n_pairs=settings.output_dim // 2,
        context_length=settings.context_length,
    )
    return [
        Card(
            _("Low dimensions oscillate fast, and high ones slowly") if is_mixed else _("Each half starts fast"),
            lengths,
        ),
        Card(_("What the base {base:,.6g} does", base=settings.base), slowest),
    ]


def _whose_rows(settings: TableSettings) -> Card:
    if settings.source == "random":
        text = _(
            "These are untrained: standard normal numbers, nn.Embedding's default. GPT-2's own code starts from far "
            "smaller ones, of standard deviation 0.01."
        )
        return Card(_("One row a position, to be learned"), text)
    if not settings.origin.is_shared:
        return Card(_("One row a position"), _("These are the first rows of your own table."))
    if settings.origin.layout():
        text = _(
            "These are the first {context_length} of the {n_rows:,} rows that {model} has learned.",
            model=settings.origin.title,
            context_length=settings.context_length,
            n_rows=settings.rows_of_source,
        )
        return Card(_("One row a position, learned"), text)
    return Card(_("One row a position, learned"), _("The small GPT of the page Training has learned them."))
