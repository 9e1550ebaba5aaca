"""One text through all layers of a real model: `forward`. It is the same as transformers, called by hand."""

from collections.abc import Sequence

import cachetools
import numpy as np

from embedviz.base.checks import check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.base.turn import Waiting
from embedviz.layers import line
from embedviz.models import hub_model
from embedviz.models.whole import Whole
from embedviz.text.tokens import Tokens
from embedviz.vectors.embedding import embed
from embedviz.vectors.forward import Forward
from embedviz.vectors.spec import Spec

MAX_POSITION = 2**24  # of a model without a table: RoPE's angles are float32, which holds whole numbers up to here
_RESULTS_BYTES = 2**26


def forward(text: str, spec: Spec, positions: Sequence[int] | None = None) -> Forward:
    """Run the model that is the Spec's source on a text.

    positions: the position of each token, T whole numbers from 0; None as the model was trained: 0, 1, 2 and so on.
    The Spec's position_scale multiplies the positional vectors, or RoPE's positions; position "none" is a scale of 0.
    Of its other settings, source, tokenizer, prefix_space and special_tokens count.

    The model has to lie whole on this machine, in EMBEDVIZ_MODELS or in the Hub's cache. Raises Unavailable if it does
    not, and EmbedvizError if it is too large for EMBEDVIZ_FORWARD_MIB, cannot be run, or not with these positions.
    """
    given = None if positions is None else tuple(_number(each) for each in positions)
    return _forward(text, spec, given, line.find(spec.source))


def _nbytes(result: Forward) -> int:
    arrays = (result.hidden_states, result.attentions, result.next_word)
    return sum(each.nbytes for each in arrays if each is not None)


@cachetools.cached(cachetools.LRUCache(_RESULTS_BYTES, getsizeof=_nbytes), condition=Waiting())
def _forward(text: str, spec: Spec, positions: tuple[int, ...] | None, whole: Whole) -> Forward:
    tokens = embed(text, spec).tokens  # which refuses tokens and lengths for which the model has no vectors
    if not len(tokens):
        raise EmbedvizError("A model needs one token at least. Write a word.")
    _check(tokens, spec, positions)
    scale = 0.0 if spec.position == "none" else spec.position_scale
    ran = line.run(whole, np.array([tokens.ids]), None if positions is None else np.array(positions), scale)
    next_word = None if ran.next_word is None else ran.next_word[0]
    return Forward(tokens, ran.hidden_states[:, 0], ran.attentions[:, 0], next_word)


def _number(position: object) -> int:
    number = int(position) if isinstance(position, np.integer) else position
    check_whole("positions", number, 0, MAX_POSITION)
    return number


def _check(tokens: Tokens, spec: Spec, positions: tuple[int, ...] | None) -> None:
    layout = hub_model(spec.source).layout()
    if spec.position not in (own := "learned" if layout.position else layout.scheme, "none"):
        raise EmbedvizError(
            "{model} was trained with the positions {own}. Take these for its layers, or none.",
            model=spec.source,
            own=own,
        )
    if positions is not None and len(positions) != len(tokens):
        raise EmbedvizError(
            "positions must be {n:,} whole numbers, one for each token, not {m:,}.", n=len(tokens), m=len(positions)
        )
    if layout.position:
        check_whole("positions", max(positions or range(len(tokens))), 0, layout.context_length - 1)
