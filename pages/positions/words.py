"""The page "Positions" in words: every sentence here follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import _, ngettext
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions.sinusoidal import frequencies
from embedviz.text.visible import quoted
from embedviz.ui.components.cards import Card
from embedviz.vectors.adding import Added, BlockCost
from embedviz.vectors.neighbours import Neighbours
from embedviz.vectors.position_tables import Shift, Similarity, TableSettings, wavelengths


def about_table(kind: str, settings: TableSettings) -> list[Card]:
    """What the numbers of the table are."""
    if kind == "learned":
        return [
            _whose_rows(settings),
            Card(
                _("GPT-2's are learned"),
                _("1,024 rows in the same place. The first Transformer's are sines and cosines."),
            ),
        ]
    if kind == "p/L":
        return [
            Card(
                _("One number for all dimensions"),
                _("The share of the text that lies before: position / context_length."),
            ),
            Card(
                _("Neighbours are 1/{context_length} apart", context_length=settings.context_length),
                _("In a text twice as long the same position would have half the number."),
                "different",
            ),
        ]
    waves = wavelengths(settings)
    fast, slow = int(waves.argmin()), int(waves.argmax())
    return [
        Card(
            _("Low dimensions oscillate fast") if settings.layout == "interleaved" else _("Each half starts fast"),
            _(
                "Dimension {fast}: a wave every {short:.2f} positions. Dimension {slow}: every {long:,.0f}.",
                fast=fast,
                short=waves[fast],
                slow=slow,
                long=waves[slow],
            ),
        ),
        Card(
            _("Why {base:,.6g}?", base=settings.base),
            _(
                "It sets the slowest wave. {n} of {n_pairs} pairs complete a wave within {context_length} "
                "positions; the others never repeat here.",
                n=_turns(settings),
                n_pairs=settings.output_dim // 2,
                context_length=settings.context_length,
            ),
        ),
    ]


def _whose_rows(settings: TableSettings) -> Card:
    if settings.source == "random":
        return Card(
            _("One row a position, to be learned"), _("Here untrained: standard normal numbers, as in a new model.")
        )
    if settings.source in CHECKPOINTS:
        text = _(
            "By {model}: the first {context_length} of its {n_rows:,} rows.",
            model=CHECKPOINTS[settings.source].title,
            context_length=settings.context_length,
            n_rows=settings.rows_of_source,
        )
        return Card(_("One row a position, learned"), text)
    return Card(_("One row a position, learned"), _("By the small GPT of the page Training."))


def _turns(settings: TableSettings) -> int:
    waves = 2 * np.pi / frequencies(settings.output_dim, settings.base)
    return int((waves <= settings.context_length - 1).sum())


def about_pairs(found: Shift, settings: TableSettings, k: int, number: int) -> list[Card]:
    """A shift is a rotation."""
    frequency = float(frequencies(settings.output_dim, settings.base)[number])
    return [
        Card(
            _("{k} positions later = every pair turned", k=k),
            _(
                "One matrix for all {context_length} rows. Largest difference from the rows {k} later: "
                "{difference:.2g} (rounding).",
                context_length=settings.context_length,
                k=k,
                difference=found.largest_difference,
            ),
            "same",
        ),
        Card(
            _("Pair {number} turns by {angle:.4g}°", number=number, angle=np.degrees(k * frequency)),
            _(
                "{k} × {frequency:.4g} radians. A wave is {wave:.4g} positions long.",
                k=k,
                frequency=frequency,
                wave=2 * np.pi / frequency,
            ),
        ),
        Card(
            _("Why sine and cosine?"),
            _("sin(p + k) = sin p · cos k + cos p · sin k: without the cosine a shift would be no matrix."),
        ),
    ]


def about_similarity(kind: str, found: Similarity, source: str) -> list[Card]:
    """Whether it is a matter of distance."""
    spread = float((found.high - found.low).max())
    if kind == "sinusoidal":
        return [
            Card(
                _("The same for every pair at one distance"),
                _(
                    "The cosines at a distance differ by at most {spread:.2g} (rounding): a function of "
                    "distance alone.",
                    spread=spread,
                ),
                "same",
            ),
            Card(
                _("Neighbours are alike"),
                _("Cosine at distance 1: {near}; at 10: {far}.", near=_at(found, 1), far=_at(found, 10)),
            ),
        ]
    if kind == "learned":
        return [
            _random_rows(found) if source == "random" else _learned_rows(found),
            Card(
                _("Not of distance alone"),
                _("The cosines at one distance differ by up to {spread:.2g}.", spread=spread),
                "different",
            ),
        ]
    return [
        Card(
            _("All in one direction"),
            _("Every row but the first is the same vector, longer or shorter, so every cosine between them is 1."),
            "different",
        ),
        Card(_("The first row is zero"), _("It has no direction; its cosines are shown as 0.")),
    ]


def _at(found: Similarity, distance: int) -> str:
    return f"{found.mean[distance]:.3f}" if distance < len(found.mean) else _("none, the table is shorter")


def _random_rows(found: Similarity) -> Card:
    return Card(
        _("Untrained: no order yet"),
        _("Random vectors are nearly at right angles: the mean cosine at distance 1 is {near}.", near=_at(found, 1)),
    )


def _learned_rows(found: Similarity) -> Card:
    far = len(found.mean) // 2
    nearer = found.mean[min(1, far)] > found.mean[far]
    return Card(
        _("Nearer is more alike") if nearer else _("Nearer is not more alike"),
        _(
            "Mean cosine at distance 1: {near}; at {far}: {there}. Nobody told the model which positions are "
            "neighbours.",
            near=_at(found, 1),
            far=far,
            there=_at(found, far),
        ),
        "same" if nearer else "plain",
    )


def about_kinds(lengths: dict[str, tuple[float, float]], settings: TableSettings) -> list[Card]:
    """Shortest and longest rows of each table."""
    texts = {
        "sinusoidal": _("every number between −1 and 1"),
        "learned": _("here standard normal, trained in a model")
        if settings.source == "random"
        else _("as a model learned them"),
        "p/L": _("a single number D times"),
    }
    return [
        Card(
            _("{kind}: length {lengths}", kind=kind, lengths=_span(low, high)),
            _("Of the rows; {about}.", about=texts[kind]),
        )
        for kind, (low, high) in lengths.items()
    ]


def _span(low: float, high: float) -> str:
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else _("{low:.2f} to {high:.2f}", low=low, high=high)


def about_end(length: int, settings: TableSettings, error: str | None) -> list[Card]:
    """What a length past the table does."""
    end = settings.context_length
    if error is None:
        return [
            Card(
                _("Learned: every position has a row"),
                _("Positions 0 to {last} of 0 to {last_row}.", last=length - 1, last_row=end - 1),
                "same",
            ),
            Card(_("Sinusoidal: as well"), _("A formula has no end.")),
        ]
    return [
        Card(
            _("Learned: an error, no row {end}", end=end),
            _("PyTorch says: {error}. The table has the rows 0 to {last_row}.", error=error, last_row=end - 1),
            "different",
        ),
        Card(
            _("Sinusoidal: goes on"),
            _(
                "{rows} more by the same formula. Whether a model can use them is open.",
                rows=ngettext("{n:,} row", "{n:,} rows", length - end),
            ),
            "same",
        ),
    ]


def about_adding(found: Added, costs: tuple[BlockCost, BlockCost], source: str) -> list[Card]:
    """What is left of the tokens, and what concatenating would cost."""
    add, append = costs
    why = _("In many dimensions random vectors are nearly at right angles, so both parts can be told apart.")
    return [
        Card(
            _("The token is {share} of the sum", share=_percents(found.share)),
            _("Between token and sum: {angles}°.", angles=_range(found.angle))
            + (f" {why}" if source == "random" else ""),
        ),
        Card(
            _("Concatenating: {ratio:.3g} times the weights", ratio=append.weights / add.weights),
            _(
                "A block of width {width:,} has {weights:,} of them; with {n_more:,} dimensions for "
                "positions {more_weights:,}, and as many multiplications a token.",
                width=add.width,
                weights=add.weights,
                n_more=append.width - add.width,
                more_weights=append.weights,
            ),
        ),
        Card(
            _("Adding is concatenating, tied"),
            _("W (t + p) = W t + W p: what concatenation does with one matrix for both parts."),
        ),
    ]


def _range(values: np.ndarray) -> str:
    low, high = f"{values.min():.3g}", f"{values.max():.3g}"
    return low if low == high else _("{low} to {high}", low=low, high=high)


def _percents(shares: np.ndarray) -> str:
    low, high = f"{shares.min():.0%}", f"{shares.max():.0%}"
    return low if low == high else _("{low} to {high}", low=low[:-1], high=high)


def nearest_card(stage: str, near: Neighbours, names: list[str], own: int) -> Card:
    """The tokens nearest to a vector."""
    listed = ", ".join(f"{quoted(name)} {distance:.4g}" for name, distance in zip(names, near.values, strict=True))
    kept = int(near.ids[0]) == own
    first = _("itself first") if kept else _("{token} first", token=quoted(names[0]))
    return Card(
        f"{stage}: {first}",
        _("Nearest token vectors, with distances: {listed}.", listed=listed),
        "same" if kept else "different",
    )
