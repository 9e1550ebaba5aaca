"""What the page "Relative" says of distances: every sentence follows from the numbers it is given."""

import numpy as np

from embedviz.attention.one_head import N_HEADS, ByDistance, Sentence
from embedviz.base.i18n import _, ngettext
from embedviz.base.numbers import in_print
from embedviz.text.visible import quoted
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card


def about_distance(by_distance: ByDistance, sentence: Sentence) -> list[Card]:
    """Make one card for each of three schemes, with numbers from its line."""
    reach = int(by_distance.distances[-1])
    slope = -float(by_distance.alibi[sentence.head, reach + 1])
    later = by_distance.buckets[reach + 1 :]  # 16 on: 17 is distance 1, and 16 stays empty
    n_buckets, begins = len(set(later.tolist())), 1 + int(np.argmax(later == later.max()))
    return [
        Card(
            _("RoPE depends on query and key"),
            _(
                "The query of {first} and the key of {last} score {low} to {high} here, and without positions {none} "
                "at every distance. RoPE’s score need not shrink with distance.",
                first=quoted(sentence.tokens.texts[0]),
                last=quoted(sentence.tokens.texts[-1]),
                low=in_print(float(by_distance.rope.min())),
                high=in_print(float(by_distance.rope.max())),
                none=in_print(float(by_distance.none[0])),
            ),
        ),
        Card(
            _("ALiBi: −{slope:.3g} a token", slope=slope),
            _(
                "The slope of head {head}. By head, slopes run from {steepest:.3g} to {flattest:.3g}. The paper has a "
                "causal mask, and so only the left half.",
                head=sentence.head + 1,
                steepest=-by_distance.alibi[0, reach + 1],
                flattest=-by_distance.alibi[-1, reach + 1],
            ),
        ),
        Card(
            _(
                "T5: {buckets} for {distances}",
                buckets=ngettext("{n:,} bucket", "{n:,} buckets", n_buckets),
                distances=ngettext("{n:,} distance", "{n:,} distances", reach),
            ),
            _(
                "For keys that come later, distances 1 to 7 have a bucket each. From 8 on buckets cover wider and "
                "wider ranges; the last begins at {begins}.",
                begins=begins,
            )
            if reach >= 8
            else _("Keys that come later: up to 7 each distance has its own."),
        ),
    ]


def alternative(by_distance: ByDistance, sentence: Sentence) -> str:
    """The picture in words."""
    return _(
        "Four charts over the distance from −{reach} to {reach}. RoPE: the score of the sentence's first query and "
        "last key, {rope}, rises in {rises} of {steps} steps; without positions it is {none} everywhere. Of ALiBi's "
        "{n_heads} straight lines that of head {head} falls to {alibi:.3g}. T5's biases {t5}, one a bucket, of which "
        "there are {buckets}. Shaw's steps, {shaw}, flat beyond 16.",
        reach=int(by_distance.distances[-1]),
        rope=extent(by_distance.rope),
        rises=int((np.diff(by_distance.rope) > 0).sum()),
        steps=len(by_distance.rope) - 1,
        none=in_print(float(by_distance.none[0])),
        n_heads=N_HEADS,
        head=sentence.head + 1,
        alibi=by_distance.alibi[sentence.head][-1],
        t5=extent(by_distance.t5),
        buckets=len(np.unique(by_distance.buckets)),
        shaw=extent(by_distance.shaw),
    )
