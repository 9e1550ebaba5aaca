"""One text through all layers of a real model: `forward`. It is the same as transformers, called by hand."""

from collections.abc import Sequence
from typing import cast

import cachetools
import numpy as np

from embedviz.base.checks import check_whole
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.layers import model_queue
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights
from embedviz.text.tokens import Tokens, tokenize
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.vectors.embedding import embed, tokenize_for
from embedviz.vectors.forward import Forward
from embedviz.vectors.sources import FINISHED, TRAINED
from embedviz.vectors.spec import Spec

MAX_POSITION = 2**24  # of a model without a table: RoPE's angles are float32, which holds whole numbers up to here
_RESULTS_BYTES = 2**26


def forward(text: str, spec: Spec | Run, positions: Sequence[int] | None = None) -> Forward:
    """Run the model that is the Spec's source on a text. "trained" is the small GPT of the page "Training".

    spec: or a run of the small GPT, as it was at the last snapshot: one of `training.bundled`, or a visitor's own.
    positions: the position of each token, T whole numbers from 0; None as the model was trained: 0, 1, 2 and so on.
    The Spec's position_scale multiplies the positional vectors, or RoPE's positions; position "none" is a scale of 0.
    Of its other settings, source, tokenizer, prefix_space and special_tokens count.

    Any other model has to lie whole on this machine, in EMBEDVIZ_MODELS or in the Hub's cache. Raises Unavailable if it
    does not, and EmbedvizError if it is too large for EMBEDVIZ_FORWARD_MIB, cannot be run, or not with these positions.
    """
    given = None if positions is None else tuple(_number(each) for each in positions)
    if isinstance(spec, Run):
        return _small(spec, tokenize(text, "words", vocabulary=spec.vocabulary), given)
    if spec.source == TRAINED.name:
        _check_scheme(spec, "learned")
        scale = 0.0 if spec.position == "none" else spec.position_scale
        return _small(cast("Run", bundled(BUNDLED[FINISHED])), tokenize_for(text, spec), given, scale)
    return _forward(text, spec, given, model_queue.find(spec.origin.name))


def _small(run: Run, tokens: Tokens, positions: tuple[int, ...] | None, scale: float = 1.0) -> Forward:
    if positions is not None:
        _check_number(tokens, positions)
        check_whole("positions", max(positions, default=0), 0, run.settings.context_length - 1)
    return next_word.read(run, tokens, Placement(scale=scale, positions=positions or ()))


def _nbytes(result: Forward) -> int:
    arrays = (result.hidden_states, result.attentions, result.next_word, result.value_lengths)
    return sum(each.nbytes for each in arrays if each is not None)


@cachetools.cached(cachetools.LRUCache(_RESULTS_BYTES, getsizeof=_nbytes), condition=Waiting())
def _forward(text: str, spec: Spec, positions: tuple[int, ...] | None, whole: FullWeights) -> Forward:
    tokens = embed(text, spec).tokens  # which refuses tokens and lengths for which the model has no vectors
    if not len(tokens):
        raise EmbedvizError("A model needs one token at least. Write a word.")
    _check(tokens, spec, positions)
    scale = 0.0 if spec.position == "none" else spec.position_scale
    ran = model_queue.run(whole, np.array([tokens.ids]), None if positions is None else np.array(positions), scale)
    next_word = None if ran.next_word is None else ran.next_word[0]
    value_lengths = None if ran.value_lengths is None else ran.value_lengths[:, 0]
    return Forward(tokens, ran.hidden_states[:, 0], ran.attentions[:, 0], next_word, value_lengths)


def _number(position: object) -> int:
    number = int(position) if isinstance(position, np.integer) else position
    check_whole("positions", number, 0, MAX_POSITION)
    return cast("int", number)


def _check(tokens: Tokens, spec: Spec, positions: tuple[int, ...] | None) -> None:
    layout = hub_model(spec.origin.name).layout()
    _check_scheme(spec, "learned" if layout.position else layout.scheme)
    if positions is not None:
        _check_number(tokens, positions)
    if layout.position:
        check_whole("positions", max(positions or range(len(tokens))), 0, (layout.context_length or 0) - 1)


def _check_scheme(spec: Spec, own: str) -> None:
    if spec.position not in (own, "none"):
        raise EmbedvizError(
            "{model} was trained with the positions {own}. Take these for its layers, or none.",
            model=spec.source,
            own=own,
        )


def _check_number(tokens: Tokens, positions: tuple[int, ...]) -> None:
    if len(positions) != len(tokens):
        raise EmbedvizError(
            "positions must be {n:,} whole numbers, one for each token, not {m:,}.", n=len(tokens), m=len(positions)
        )
