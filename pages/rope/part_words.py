"""What the page RoPE says of heads that turn a part of their dimensions: every sentence follows from its numbers."""

from embedviz.attention.rope_parts import PARTS, REACH, Part, PartScores
from embedviz.base.i18n import N_, _, translated
from embedviz.base.numbers import in_print
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card


def about_part(part: Part, scores: PartScores) -> list[Card]:
    """How much is turned, what the rest adds, and why the model does so."""
    n_still = part.head_dim - part.turned
    share = _("{n} of {total} dimensions are turned", n=part.turned, total=part.head_dim)
    turned = _("Their part of the score goes {extent} within {reach} tokens.", extent=_range(scores), reach=REACH)
    cards = [Card(_("{model}: {share}", model=part.model, share=share), turned)]
    if n_still:
        cards.append(
            Card(
                _("The other {n} add {score} at every distance", n=n_still, score=in_print(scores.still)),
                _("No position touches them, so what they say of the two tokens does not depend on the distance."),
                "same",
            )
        )
    name = next(name for name, each in PARTS.items() if each is part)
    title, text = _WHY[name]
    return [*cards, Card(translated(title), translated(text))]


def _range(scores: PartScores) -> str:
    low, high = float(scores.turned.min()), float(scores.turned.max())
    return _("from {low} to {high}", low=in_print(low), high=in_print(high))


_WHY = {
    "all": (
        N_("Nothing is left out"),
        N_(
            "The slowest pairs hardly move within a text, so they do nearly what dimensions without positions do "
            "elsewhere."
        ),
    ),
    "half": (
        N_("Half of the head"),
        N_("The first half of the dimensions is turned as if it were a head of its own, and the rest is passed on."),
    ),
    "quarter": (
        N_("A quarter of the head"),
        N_("The first quarter is turned as if it were a head of its own. Qwen3-Next turns a quarter too, 64 of 256."),
    ),
    "split": (
        N_("Two parts, so that keys can be stored small"),
        N_(
            "What is not turned is computed from a short vector that all heads share; a turn would stand in the way "
            "(DeepSeek-V2, 2024, section 2.1.3)."
        ),
    ),
    "proportional": (
        N_("The fast pairs of the whole head"),
        N_(
            "Layers with full attention turn the fastest quarter of the pairs. Each pair has one dimension in either "
            "half of the head, so two blocks are turned."
        ),
    ),
}


def part_alt(part: Part, scores: PartScores) -> str:
    """The numbers of both panels, for those who cannot see them."""
    heads = "; ".join(
        _("{model} {n} of {total}", model=each.model, n=each.turned, total=each.head_dim) for each in PARTS.values()
    )
    return _(
        "Strips of the dimensions of a head, and how many are turned: {heads}. The score of a random query and key of "
        "{model} over {reach} tokens: the turned part {turned}, the other part {still} throughout, their sum {total}.",
        heads=heads,
        model=part.model,
        reach=REACH,
        turned=extent(scores.turned),
        still=in_print(scores.still),
        total=extent(scores.total),
    )


def about_models() -> str:
    """Where the sizes come from, and what the curves are."""
    return _(
        "Sizes are those of the models' configuration classes in transformers 5.23. The curves are of one random query "
        "and key, not of a trained model."
    )
