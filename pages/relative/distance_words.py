"""What the view "By distance" says: every sentence follows from the numbers it is given."""

import numpy as np

from embedviz.attention.t5_biases import FAR, NEAR, REACH, LearnedBiases
from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.positions.rope_pairs import FAR_DIMS, FAR_SEED, N_RANDOM, NearAndFar
from embedviz.ui import Card, extent, literal


def about_distance(alibi: np.ndarray, learned: LearnedBiases | None, rope: NearAndFar) -> list[Card]:
    """Who weakens far tokens: one scheme by rule, one as it learned, and one not by itself."""
    steepest, flattest = (in_print(float(row[len(row) // 2 + 1]), ".3g") for row in (alibi[0], alibi[-1]))
    cards = [
        Card(
            _("ALiBi fades by rule"),
            _("Each step of distance adds {steepest} to a score in the first head, and {flattest} in the last one.",
              steepest=steepest, flattest=flattest),
            "different",
        ),
        Card(
            _("RoPE need not fade"),
            _(
                "Scores of {n:,} random queries and keys have a mean of {mean} and a standard deviation of {spread} "
                "at every distance. For vectors of ones, which are often drawn, the score falls: from {near} to "
                "{far}.",
                n=N_RANDOM,
                mean=_span(rope.mean),
                spread=_span(rope.spread),
                near=in_print(float(rope.ones[len(rope.ones) // 2])),
                far=in_print(float(rope.ones[-1])),
            ),
            "same",
        ),
    ]  # fmt: skip
    return [cards[0], _about_t5(learned), cards[1]] if learned else cards


def _about_t5(learned: LearnedBiases) -> Card:
    ways = learned.ways.tolist()
    counts = {"n": ways.count(-1), "m": ways.count(1), "n_heads": len(ways)}
    return Card(
        _("T5 has learned it: {n} of {n_heads} heads fall, {m} rise", **counts),
        _(
            "{model} adds a learned number for each range of distances. A head falls or rises if its numbers at "
            "distances 1 to {near} and {far} to {reach} differ by more than 1 on average.",
            model=learned.model.title,
            near=NEAR,
            far=FAR,
            reach=REACH,
        ),
    )


def left_out(name: str, why_not: str) -> str:
    """The clause that stands for the biases of a model that cannot be shown."""
    return literal(_("T5’s learned biases are left out, since {model} cannot show any: {why}", model=name, why=why_not))


def as_computed() -> str:
    """How the curves are made, for who wants to know."""
    return _(
        "RoPE: a head of {n_dims} dimensions; scores are divided by √{n_dims}, and random numbers are standard normal "
        "(seed {seed}). ALiBi's paper has a causal mask, and so only the left half.",
        n_dims=FAR_DIMS,
        seed=FAR_SEED,
    )


def _span(values: np.ndarray) -> str:
    low, high = in_print(float(values.min())), in_print(float(values.max()))
    return low if low == high else _("{low} to {high}", low=low, high=high)


def alternative(alibi: np.ndarray, learned: LearnedBiases | None, rope: NearAndFar) -> str:
    """The curves for those who cannot see them."""
    said = _(
        "Charts over the distance from −{reach} to {reach}. ALiBi: {n_heads} straight lines that fall to the left, "
        "{alibi}. RoPE: vectors of ones {ones}, the mean of random pairs {mean}, their spread {spread}, one pair "
        "{single}.",
        reach=int(rope.steps[-1]),
        n_heads=len(alibi),
        alibi=extent(alibi),
        ones=extent(rope.ones),
        mean=extent(rope.mean),
        spread=extent(rope.spread),
        single=extent(rope.single),
    )
    return paragraph([said, _head_by_head(learned) if learned else ""])


def _head_by_head(learned: LearnedBiases) -> str:
    """Each head's highest bias, and where it stands."""
    at, highest = learned.distances[learned.by_distance.argmax(axis=1)], learned.by_distance.max(axis=1)
    each = (
        _("Head {n} is highest at {distance}: {bias:.2f}.", n=n + 1, distance=int(at[n]), bias=highest[n])
        for n in range(len(highest))
    )
    return paragraph([_("T5: the biases of {model}.", model=learned.model.title), *each])
