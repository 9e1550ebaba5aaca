"""What the page "Relative" says: every sentence follows from the numbers it is given."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence
from embedviz.base.i18n import N_, _, listed, ngettext, translated
from embedviz.base.numbers import three_digits
from embedviz.positions import SCHEMES, Scheme
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card

# What a kind of scheme changes, as it stands above its matrix and in the table.
CHANGES = {
    "none": N_("changes nothing"),
    "add": N_("adds to the vector"),
    "rotate": N_("turns query and key"),
    "bias": N_("score + a number"),
    "relative": N_("score + vectors"),
}
ROUNDING = 1e-4  # of a float32 score: far above its rounding, far below what a moved position does


def title(name: str) -> str:
    """What a scheme is called on the screen."""
    return translated(SCHEMES[name].title)


def _named(schemes: Sequence[Scheme]) -> str:
    return listed(translated(scheme.title) for scheme in schemes)


def _of_kind(*kinds: str) -> list[Scheme]:
    return [scheme for scheme in SCHEMES.values() if scheme.kind in kinds]


def about_scores(arrays: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """What is the same in all panels, what each kind changes, and what a repeated token shows."""
    head_dim, n_dims = sentence.spec.output_dim // N_HEADS, sentence.spec.output_dim
    cards = [
        Card(
            _("One head, {n} schemes", n=len(arrays)),
            _(
                "Head {head} of {n_heads}: {head_dim} of {n_dims} dimensions. Token vectors, query and key "
                "matrices are the same in every panel. There is no mask, so under {none} nothing lets order in.",
                none=title("none"),
                head=sentence.head + 1,
                n_heads=N_HEADS,
                head_dim=head_dim,
                n_dims=n_dims,
            ),
        ),
        Card(
            _("Where the position enters"),
            _(
                "Added to the token vector: {adding}. Query and key turned: {turning}. In the score itself: {scoring}.",
                adding=_named(_of_kind("add")),
                turning=_named(_of_kind("rotate")),
                scoring=_named(_of_kind("bias", "relative")),
            ),
        ),
    ]
    pair = _repeated(sentence.tokens.ids)
    return [*cards, _twice(arrays, sentence, pair)] if pair else cards


def as_computed_here() -> str:
    """Where this page departs from a scheme's paper or its code."""
    return _(
        "As computed here: all scores are divided by √d, DeBERTa's by √(3d) as in its paper. T5 itself does not "
        "divide: its initial weights have the same effect. ALiBi's paper has a mask; here a key that comes later is "
        "lowered as well."
    )


def _repeated(ids: Sequence[int]) -> tuple[int, int] | None:
    """The first two places of the first token that stands there twice."""
    for i, id_ in enumerate(ids):
        if id_ in ids[i + 1 :]:
            return i, ids.index(id_, i + 1)
    return None


def _twice(arrays: Mapping[str, np.ndarray], sentence: Sentence, pair: tuple[int, int]) -> Card:
    i, j = pair
    apart = {name: float(np.abs(scores[i] - scores[j]).max()) for name, scores in arrays.items()}
    known = {title(name): change for name, change in apart.items() if name != "none" and not np.isnan(change)}
    rounding = " " + _("(rounding)") if apart["none"] else ""
    least, most = min(known, key=known.get), max(known, key=known.get)
    return Card(
        _("{token} twice: rows {i} and {j}", token=quoted(sentence.tokens.texts[i]), i=i, j=j),
        _(
            "Without positions these rows differ by {none}{rounding}; with them by {low} ({least}) to {high} ({most}). "
            "The sizes come from this page's random tables; they do not rank the schemes.",
            none=three_digits(apart["none"]),
            rounding=rounding,
            low=three_digits(known[least]),
            least=least,
            high=three_digits(known[most]),
            most=most,
        ),
        "different",
    )


def about_shift(changes: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """Say under which schemes the scores change, under which they stay, and which table ends too early."""
    most = {name: float(np.nanmax(values)) for name, values in changes.items() if not np.isnan(values).all()}
    moved = [name for name, change in most.items() if change > ROUNDING]
    stayed = [name for name, change in most.items() if change <= ROUNDING and name != "none"]
    cards = [
        Card(
            ngettext("Scores change in {n} scheme", "Scores change in {n} schemes", len(moved)),
            _(
                "Largest change of a score: {changes}. The same words, later in a text, score each other differently.",
                changes=_each(moved, most),
            ),
            "different",
        ),
        Card(
            ngettext("{n} stays the same", "{n} stay the same", len(stayed)),
            _("Largest change: {changes}. What is not 0 comes from rounding (float32).", changes=_each(stayed, most)),
            "same",
        ),
        Card(
            _("Without positions nothing changes"),
            _(
                "Largest change: {change}. Only a causal mask can let order in then.",
                change=three_digits(most["none"]),
            ),
        ),
    ]
    learned = changes.get("learned", np.zeros(len(SHIFTS)))
    ended = [k for k, change in zip(SHIFTS, learned, strict=True) if np.isnan(change)]
    if ended:
        length = sentence.spec.context_length
        cards.append(
            Card(
                _("The learned table ends at {length:,}", length=length),
                _(
                    "{n} tokens that begin {later} later need position {needed:,}; the last one is {last:,}.",
                    n=len(sentence.tokens),
                    later=ended[0],
                    needed=ended[0] + len(sentence.tokens) - 1,
                    last=length - 1,
                ),
                "note",
            )
        )
    return cards


def _each(names: Sequence[str], values: Mapping[str, float]) -> str:
    """Write names with their numbers. Names that share a number stand together."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(three_digits(values[name]), []).append(title(name))
    return "; ".join(f"{', '.join(titles)} {number}" for number, titles in groups.items()) or _("none")
