"""What the view "distance" says. Every sentence follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.positions.rope_pairs import FAR_DIMS, FAR_SEED, N_RANDOM, PREFERRED, NearAndFar
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card

_NEAR = 16  # tokens, a distance at which the curve of ones has fallen


def preferring() -> str:
    """The name of the curve of a key that asks for a distance."""
    return _("key of ones, turned by {n}", n=PREFERRED)


def about_distance(near_and_far: NearAndFar) -> list[Card]:
    """What is known of ones, of random vectors, and of a key that asks for a distance."""
    reach = int(near_and_far.back[-1])
    title = _("All ones: lower, in waves") if (np.diff(near_and_far.ones) > 0).any() else _("All ones: lower")
    cards = [Card(title, _about_ones(near_and_far)), _about_random(near_and_far)]
    if reach >= PREFERRED:
        cards.append(_about_preferred(near_and_far))
    return cards


def _about_ones(near_and_far: NearAndFar) -> str:
    reach = int(near_and_far.back[-1])
    ends = {"start": near_and_far.ones[0], "far": near_and_far.ones[-1], "reach": reach}
    said = (
        _("The score (solid) is {start:.2f} at distance 0 and {far:.2f} at {reach}.", **ends)
        if reach <= _NEAR
        else _(
            "The score (solid) is {start:.2f} at distance 0, {near:.2f} at {at} and {far:.2f} at {reach}.",
            near=near_and_far.ones[_NEAR],
            at=_NEAR,
            **ends,
        )
    )
    rises = int((np.diff(near_and_far.ones) > 0).sum())
    if rises:
        said = paragraph([said, _("It rises in {rises} of {reach} steps.", rises=rises, reach=reach)])
    return said


def _about_random(near_and_far: NearAndFar) -> Card:
    return Card(
        _("Random vectors: no fading"),
        _(
            "At every distance {n:,} pairs have a mean of {mean} and a spread of {spread}. The spread is dotted, the "
            "mean in between; {k} single pairs have colours.",
            n=N_RANDOM,
            mean=_span(near_and_far.mean),
            spread=_span(near_and_far.spread),
            k=len(near_and_far.single),
        ),
        "same",
    )


def _about_preferred(near_and_far: NearAndFar) -> Card:
    return Card(
        _("A key can ask for a distance"),
        _(
            "The dashed curve is of ones too, with the key turned by {n} positions beforehand. It is highest at "
            "distance {at}: {most:.2f}, against {start:.2f} at distance 0.",
            n=PREFERRED,
            at=int(near_and_far.preferred.argmax()),
            most=near_and_far.preferred.max(),
            start=near_and_far.preferred[0],
        ),
        "different",
    )


def about_curves() -> str:
    """How the curves are made, for who wants to know."""
    return _(
        "A head of {n_dims} dimensions; scores are divided by √{n_dims}. Random numbers are standard normal (seed "
        "{seed}), so that random vectors are about as long as those of ones.",
        n_dims=FAR_DIMS,
        seed=FAR_SEED,
    )


def _span(values: np.ndarray) -> str:
    low, high = in_print(float(values.min())), in_print(float(values.max()))
    return low if low == high else _("{low} to {high}", low=low, high=high)


def distance_in_words(near_and_far: NearAndFar) -> str:
    """The curves for those who cannot see them."""
    return _(
        "Scores in a head of {n_dims} dimensions at distances 0 to {reach}. Query and key of ones: {ones}. Key turned "
        "by {n}: {preferred}. Random pairs: mean {mean}, spread {spread}; {k} single ones: {single}.",
        n_dims=FAR_DIMS,
        reach=int(near_and_far.back[-1]),
        ones=extent(near_and_far.ones),
        n=PREFERRED,
        preferred=extent(near_and_far.preferred),
        mean=extent(near_and_far.mean),
        spread=extent(near_and_far.spread),
        k=len(near_and_far.single),
        single=extent(near_and_far.single),
    )
