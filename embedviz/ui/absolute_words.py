"""The page "Positions" in words: every sentence here follows from the numbers it is given."""

import numpy as np

from embedviz.absolute import Settings, Shift, Similarity, wavelengths
from embedviz.adding import Added, Cost, Near
from embedviz.checkpoints import CHECKPOINTS
from embedviz.figures.labels import quoted
from embedviz.positions.sinusoidal import frequencies
from embedviz.ui.cards import Card
from embedviz.wording import counted


def about_table(kind: str, settings: Settings) -> list[Card]:
    """What the numbers of the table are."""
    if kind == "learned":
        return [
            _whose_rows(settings),
            Card(
                "GPT-2's are learned",
                "1,024 rows in the same place. The first Transformer's are sines and cosines.",
            ),
        ]
    if kind == "p/L":
        return [
            Card("One number for all dimensions", "The share of the text that lies before: position / context_length."),
            Card(
                f"Neighbours are 1/{settings.context_length} apart",
                "In a text twice as long the same position would have half the number.",
                "different",
            ),
        ]
    waves = wavelengths(settings)
    fast, slow = int(waves.argmin()), int(waves.argmax())
    return [
        Card(
            "Low dimensions oscillate fast" if settings.layout == "interleaved" else "Each half starts fast",
            f"Dimension {fast}: a wave every {waves[fast]:.2f} positions. Dimension {slow}: every {waves[slow]:,.0f}.",
        ),
        Card(
            f"Why {settings.base:,.6g}?",
            f"It sets the slowest wave. {_turns(settings)} of {settings.output_dim // 2} pairs complete a wave within "
            f"{settings.context_length} positions; the others never repeat here.",
        ),
    ]


def _whose_rows(settings: Settings) -> Card:
    if settings.source == "random":
        return Card("One row a position, to be learned", "Here untrained: standard normal numbers, as in a new model.")
    if settings.source in CHECKPOINTS:
        text = f"By {CHECKPOINTS[settings.source].title}: the first {settings.context_length} of its "
        return Card("One row a position, learned", f"{text}{settings.rows_of_source:,} rows.")
    return Card("One row a position, learned", "By the small GPT of the page Training.")


def _turns(settings: Settings) -> int:
    waves = 2 * np.pi / frequencies(settings.output_dim, settings.base)
    return int((waves <= settings.context_length - 1).sum())


def about_pairs(found: Shift, settings: Settings, k: int, number: int) -> list[Card]:
    """A shift is a rotation."""
    frequency = float(frequencies(settings.output_dim, settings.base)[number])
    return [
        Card(
            f"{k} positions later = every pair turned",
            f"One matrix for all {settings.context_length} rows. Largest difference from the rows {k} later: "
            f"{found.largest_difference:.2g} (rounding).",
            "same",
        ),
        Card(
            f"Pair {number} turns by {np.degrees(k * frequency):.4g}°",
            f"{k} × {frequency:.4g} radians. A wave is {2 * np.pi / frequency:.4g} positions long.",
        ),
        Card(
            "Why sine and cosine?",
            "sin(p + k) = sin p · cos k + cos p · sin k: without the cosine a shift would be no matrix.",
        ),
    ]


def about_similarity(kind: str, found: Similarity, source: str) -> list[Card]:
    """Whether it is a matter of distance."""
    spread = float((found.high - found.low).max())
    if kind == "sinusoidal":
        return [
            Card(
                "The same for every pair at one distance",
                f"The cosines at a distance differ by at most {spread:.2g} (rounding): a function of distance alone.",
                "same",
            ),
            Card("Neighbours are alike", f"Cosine at distance 1: {_at(found, 1)}; at 10: {_at(found, 10)}."),
        ]
    if kind == "learned":
        return [
            _random_rows(found) if source == "random" else _learned_rows(found),
            Card("Not of distance alone", f"The cosines at one distance differ by up to {spread:.2g}.", "different"),
        ]
    return [
        Card(
            "All in one direction",
            "Every row but the first is the same vector, longer or shorter, so every cosine between them is 1.",
            "different",
        ),
        Card("The first row is zero", "It has no direction; its cosines are shown as 0."),
    ]


def _at(found: Similarity, distance: int) -> str:
    return f"{found.mean[distance]:.3f}" if distance < len(found.mean) else "none, the table is shorter"


def _random_rows(found: Similarity) -> Card:
    return Card(
        "Untrained: no order yet",
        f"Random vectors are nearly at right angles: the mean cosine at distance 1 is {_at(found, 1)}.",
    )


def _learned_rows(found: Similarity) -> Card:
    far = len(found.mean) // 2
    nearer = found.mean[min(1, far)] > found.mean[far]
    return Card(
        "Nearer is more alike" if nearer else "Nearer is not more alike",
        f"Mean cosine at distance 1: {_at(found, 1)}; at {far}: {_at(found, far)}. Nobody told the model which "
        "positions are neighbours.",
        "same" if nearer else "plain",
    )


def about_kinds(lengths: dict[str, tuple[float, float]], settings: Settings) -> list[Card]:
    """Shortest and longest rows of each table."""
    texts = {
        "sinusoidal": "every number between −1 and 1",
        "learned": "here standard normal, trained in a model"
        if settings.source == "random"
        else "as a model learned them",
        "p/L": "a single number D times",
    }
    return [
        Card(f"{kind}: length {_span(low, high)}", f"Of the rows; {texts[kind]}.")
        for kind, (low, high) in lengths.items()
    ]


def _span(low: float, high: float) -> str:
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"


def about_end(length: int, settings: Settings, error: str | None) -> list[Card]:
    """What a length past the table does."""
    end = settings.context_length
    if error is None:
        return [
            Card("Learned: every position has a row", f"Positions 0 to {length - 1} of 0 to {end - 1}.", "same"),
            Card("Sinusoidal: as well", "A formula has no end."),
        ]
    return [
        Card(
            f"Learned: an error, no row {end}",
            f"PyTorch says: {error}. The table has the rows 0 to {end - 1}.",
            "different",
        ),
        Card(
            "Sinusoidal: goes on",
            f"{counted(length - end, 'row')} more by the same formula. Whether a model can use them is open.",
            "same",
        ),
    ]


def about_adding(found: Added, costs: tuple[Cost, Cost], source: str) -> list[Card]:
    """What is left of the tokens, and what concatenating would cost."""
    add, append = costs
    why = "In many dimensions random vectors are nearly at right angles, so both parts can be told apart."
    return [
        Card(
            f"The token is {_percents(found.share)} of the sum",
            f"Between token and sum: {_range(found.angle)}°. {why if source == 'random' else ''}".rstrip(),
        ),
        Card(
            f"Concatenating: {append.weights / add.weights:.3g} times the weights",
            f"A block of width {add.width:,} has {add.weights:,} of them; with {append.width - add.width:,} dimensions "
            f"for positions {append.weights:,}, and as many multiplications a token.",
        ),
        Card(
            "Adding is concatenating, tied",
            "W (t + p) = W t + W p: what concatenation does with one matrix for both parts.",
        ),
    ]


def _range(values: np.ndarray) -> str:
    low, high = f"{values.min():.3g}", f"{values.max():.3g}"
    return low if low == high else f"{low} to {high}"


def _percents(shares: np.ndarray) -> str:
    low, high = f"{shares.min():.0%}", f"{shares.max():.0%}"
    return low if low == high else f"{low[:-1]} to {high}"


def nearest_card(stage: str, near: Near, names: list[str], own: int) -> Card:
    """The tokens nearest to a vector."""
    listed = ", ".join(f"{quoted(name)} {distance:.4g}" for name, distance in zip(names, near.distances, strict=True))
    kept = int(near.ids[0]) == own
    title = f"{stage}: {'itself first' if kept else f'{quoted(names[0])} first'}"
    return Card(title, f"Nearest token vectors, with distances: {listed}.", "same" if kept else "different")
