"""What the page "Relative" says of the biases that a T5 model has learned: every sentence follows from its numbers."""

from collections.abc import Sequence

import numpy as np

from embedviz.attention.t5_biases import FAR, NEAR, REACH, LearnedBiases
from embedviz.base.i18n import _, listed, paragraph
from embedviz.base.numbers import in_print
from embedviz.ui.components.cards.cards import Card

_MOST_NAMED = 6  # heads in a sentence


def about(biases: LearnedBiases) -> list[Card]:
    """Which heads look to one side, which favour near or far tokens, and how coarse the buckets are."""
    return [_sides(biases), _distances(biases), _buckets(biases)]


def _sides(biases: LearnedBiases) -> Card:
    back, ahead = biases.looking_back, biases.looking_ahead
    text = paragraph(
        [
            _("Before: {heads}.", heads=_heads(back, biases.back)),
            _("After: {heads}.", heads=_heads(ahead, 1 - biases.back)),
            _("The percentage is the share of a head's attention on that side if only the biases counted."),
        ]
    )
    return Card(
        _("{n} of {n_heads} heads look back, {m} ahead", n=len(back), m=len(ahead), n_heads=len(biases.back)),
        text,
        "different" if len(back) or len(ahead) else "plain",
    )


def _heads(heads: np.ndarray, shares: np.ndarray) -> str:
    return _listed([_("head {n} ({share:.0%})", n=n + 1, share=shares[n]) for n in heads.tolist()])


def _distances(biases: LearnedBiases) -> Card:
    text = paragraph(
        [
            _(
                "How much more is added at distances 1 to {near} than from {far} to {reach}, on average.",
                near=NEAR,
                far=FAR,
                reach=REACH,
            ),
            _("Falling: {heads}.", heads=_changes(biases.falling, biases.fall)),
            _("Rising: {heads}.", heads=_changes(biases.rising, biases.fall)),
        ]
    )
    n, m, n_heads = len(biases.falling), len(biases.rising), len(biases.fall)
    return Card(_("{n} of {n_heads} heads fall with distance, {m} rise", n=n, m=m, n_heads=n_heads), text)


def _changes(heads: np.ndarray, fall: np.ndarray) -> str:
    return _listed([_("head {n} ({change})", n=n + 1, change=in_print(fall[n], "+.1f")) for n in heads.tolist()])


def _listed(parts: Sequence[str]) -> str:
    more = " …" if len(parts) > _MOST_NAMED else ""
    return listed(parts[:_MOST_NAMED]) + more if parts else _("none")


def _buckets(biases: LearnedBiases) -> Card:
    n_buckets, n_heads = biases.table.shape
    return Card(
        _("{model} learned {n:,} numbers for order", model=biases.model.title, n=n_buckets * n_heads),
        _(
            "{n_buckets:,} buckets for each of {n_heads:,} heads, shared by all layers of its encoder. Far distances "
            "share a bucket, so lines become steps; beyond {max_distance:,} tokens all distances are alike.",
            n_buckets=n_buckets,
            n_heads=n_heads,
            max_distance=biases.max_distance,
        ),
    )


def head_by_head(biases: LearnedBiases) -> str:
    """For the text alternative: each head's highest bias and where it stands."""
    at = biases.distances[biases.by_distance.argmax(axis=1)]
    highest = biases.by_distance.max(axis=1)
    each = [
        _("Head {n} is highest at {distance}: {bias:.2f}.", n=n + 1, distance=int(at[n]), bias=highest[n])
        for n in range(len(highest))
    ]
    return paragraph(each)


def as_measured() -> str:
    """What a difference of biases means for attention."""
    return _(
        "Before the token is left of 0, after it is right. A bias that is higher by 1 gives 2.7 times the weight in "
        "the softmax, if the scores are alike otherwise."
    )
