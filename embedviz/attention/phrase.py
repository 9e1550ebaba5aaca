"""A phrase with the text before it in sight: what one layer makes of it, and what a second layer then scores."""

from dataclasses import dataclass

import numpy as np

from embedviz.attention.attention import attend_last
from embedviz.attention.layer import make_layer, next_seed, one_head
from embedviz.attention.one_head import N_HEADS, Sentence
from embedviz.attention.scores import attention_scores
from embedviz.positions import SCHEMES

PARTS = ("scores", "weights", "outputs", "second")


@dataclass(frozen=True)
class Phrase:
    """A phrase of T tokens behind others; all arrays are float32.

    scores, weights, second: of the head that the sentence names, among the phrase's tokens, and the scores that it has
        in a second layer, (T, T). outputs: of all heads, (T, D).
    """

    scores: np.ndarray
    weights: np.ndarray
    outputs: np.ndarray
    second: np.ndarray


def phrase(sentence: Sentence, position: str, later: int) -> Phrase | None:
    """The phrase with so many tokens before it, which are its own again and again. Every token sees all.

    The second layer has other matrices, and reads the sums of what went into the first one and what came out of it.
    None if the scheme's table ends before the phrase does.
    """
    n_tokens = len(sentence.tokens)
    places = np.arange(later + n_tokens)
    order = (places - later) % n_tokens  # the token at each place; the last ones are the phrase
    added = sentence.added(position, places) if SCHEMES[position].kind == "add" else None
    if added is not None and len(added) < len(places):
        return None
    vectors = sentence.token_embeddings[order]
    seed = next_seed(sentence.spec.seed)
    first, second = (make_layer(position, sentence.spec.output_dim, N_HEADS, each) for each in (seed, next_seed(seed)))
    entered = vectors if added is None else vectors + added
    scores, weights, outputs = attend_last(entered, n_tokens, first)
    head, left = sentence.head, entered[later:] + outputs
    return Phrase(
        scores[head, :, later:],
        weights[head, :, later:],
        outputs,
        attention_scores(left, one_head(second, head), places[later:])[0],
    )


def changes(sentence: Sentence, position: str, later: int) -> dict[str, float]:
    """The largest change of each of PARTS between a phrase alone and one that stands later; NaN past a table's end."""
    here, there = (phrase(sentence, position, place) for place in (0, later))
    if here is None or there is None:
        return dict.fromkeys(PARTS, np.nan)
    return {part: float(np.abs(getattr(there, part) - getattr(here, part)).max()) for part in PARTS}
