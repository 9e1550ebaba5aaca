"""The queries and keys of a causal model with RoPE, before it turns them, and how fast it turns each pair of them.

They are caught where transformers hands them to attention: once with all tokens at position 0, where RoPE turns
nothing, and once at 1, 2, 3 and so on. Each layer gets what comes to it as usual. What our formula makes of the first
has to be the second, or else the model is refused.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cachetools
import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.layers import model_queue
from embedviz.layers.model import Model
from embedviz.layers.positions.caught import caught
from embedviz.layers.positions.watched import passed
from embedviz.models import hub_model
from embedviz.models.full_weights import FullWeights
from embedviz.positions.common import angular_speeds
from embedviz.positions.rope_pairs import MAX_POSITION, QueryAndKey
from embedviz.text.tokens import tokenize
from embedviz.training.next_word import gpt, run_model
from embedviz.training.run import Run
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec

_CLOSE = 1e-3  # of the largest number: float32 rounds more in a model's own layers than in ours
_KEPT_BYTES = 2**26
_ELSEWHERE = ("Falcon",)  # families whose layers do not hand their queries to attention where others do


@dataclass(frozen=True)
class TurnedHeads:
    """All queries and keys of one text. Arrays are read-only float32.

    texts: the T tokens. queries, keys: of each layer, (H, T, d), before they are turned; pair k of P is made of the
        dimensions k and k + P, and those from 2 P on are never turned.
    weights: the attention weights of each layer as usual, (H, T, T).
    speeds: the radians that each pair of a layer turns from one position to the next, (P,); none in a layer without
        positions. scalings: what scores of a layer are multiplied by.
    """

    model: str
    texts: Sequence[str]
    queries: Sequence[np.ndarray]
    keys: Sequence[np.ndarray]
    weights: Sequence[np.ndarray]
    speeds: Sequence[np.ndarray]
    scalings: Sequence[float]

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays."""
        return sum(each.nbytes for each in (*self.queries, *self.keys, *self.weights, *self.speeds))

    def pair(self, layer: int, head: int, query_at: int, key_at: int) -> QueryAndKey:
        """The query of one token and the key of another in a head. All numbers count from 0."""
        query, key = self.queries[layer][head, query_at], self.keys[layer][head, key_at]
        return QueryAndKey(query, key, self.speeds[layer], self.scalings[layer])

    def strongest(self, layer: int | None = None, head: int | None = None) -> tuple[int, int, int, int]:
        """A layer and a head, and the tokens of a query and a key: the last token, and the one it looks at most.

        layer, head: from 0, if they are chosen; else all are compared that turn something. Neither the token itself nor
        the first one counts, at which heads look that find nothing, unless there is no other.
        Raises EmbedvizError for a layer or a head that the model lacks, and for a layer that turns nothing.
        """
        last = min(len(self.texts) - 1, MAX_POSITION)
        first = 1 if last > 1 else 0
        layers = [n for n, speeds in enumerate(self.speeds) if len(speeds)] if layer is None else [self._layer(layer)]
        heads = self.weights[0].shape[0]
        if head is not None:
            check_whole("head", head + 1, 1, heads)
        found = [
            (float(row[n]), at, which, n)
            for at in layers
            for which in (range(heads) if head is None else [head])
            for row in [self.weights[at][which, last]]
            for n in range(first, max(last, 1))
        ]
        _weight, at, which, n = max(found)
        return at, which, last, n

    def _layer(self, layer: int) -> int:
        check_whole("layer", layer + 1, 1, len(self.speeds))
        if not len(self.speeds[layer]):
            raise EmbedvizError(
                "Layer {layer} of {model} turns nothing: it is without positions. Choose another layer.",
                layer=layer + 1,
                model=self.model,
            )
        return layer


def has_turned_heads(source: str) -> bool:
    """Whether a model is one whose queries and keys can be caught, by what its config.json says."""
    layout = hub_model(source).layout()
    return layout.kind == "causal" and layout.scheme == "rope" and layout.title not in _ELSEWHERE


def turned_heads(source: str | Run, text: str) -> TurnedHeads:
    """Catch the queries and keys of a text in all heads of a model on this machine, or of a run of the small GPT.

    Raises EmbedvizError as `forward` does, and for a model that turns no queries and keys, or not in pairs.
    """
    if isinstance(source, Run):
        return _of_run(source, text)
    whole = model_queue.find(source)
    if not has_turned_heads(source):
        raise _no_turns(source)
    tokens = tokenize_for(text, Spec(source=source))
    if not tokens.ids:
        raise EmbedvizError("A model needs one token at least. Write a word.")
    return _caught_once(whole, tuple(tokens.ids), tuple(tokens.texts))


def _of_run(run: Run, text: str) -> TurnedHeads:
    if run.settings.positions != "rope":
        raise _no_turns(_("small GPT"))
    tokens, model = tokenize(text, "words", vocabulary=run.vocabulary), gpt(run)
    if not tokens.ids:
        raise EmbedvizError("Type at least one word, for the model to say what comes next.")
    places = torch.eye(run.settings.context_length)[: len(tokens.ids)]
    states, weights, _values, _logits = run_model(model, torch.tensor([tokens.ids]), places)
    parts = [block.heads(x, None)[:2] for block, x in zip(model.blocks, states, strict=False)]
    queries, keys = ([_array(part[n][0]) for part in parts] for n in (0, 1))
    n_dims, n_layers = queries[0].shape[-1], len(parts)
    speeds = [read_only(angular_speeds(n_dims))] * n_layers
    attention = [_array(each[0]) for each in weights]
    return TurnedHeads("small GPT", tokens.texts, queries, keys, attention, speeds, [n_dims**-0.5] * n_layers)


def _array(numbers: torch.Tensor) -> np.ndarray:
    return read_only(numbers.numpy().astype(np.float32))


def _no_turns(model: str) -> EmbedvizError:
    return EmbedvizError(
        "{model} does not turn queries and keys in pairs, as RoPE does, or not where they can be read. Choose another "
        "model.",
        model=model,
    )


@cachetools.cached(cachetools.LRUCache(_KEPT_BYTES, getsizeof=lambda found: found.nbytes), condition=Waiting())
def _caught_once(whole: FullWeights, ids: tuple[int, ...], texts: tuple[str, ...]) -> TurnedHeads:
    return model_queue.in_line(whole, _turned_heads, np.array([ids]), texts)


def _turned_heads(
    whole: FullWeights, ids: np.ndarray, texts: tuple[str, ...], unwanted: threading.Event
) -> TurnedHeads:
    loaded = model_queue.ready(whole, unwanted)
    places = np.arange(ids.shape[1])
    usual = passed(loaded, ids, places)
    still, turned = (caught(loaded, ids, at, usual.inputs) for at in (0 * places, places + 1))
    weights = [_array(each[0]) for each in usual.weights]
    if len(still.queries) != len(weights):
        raise _no_turns(whole.name)
    queries, keys, speeds = [], [], []
    for own, other, own_keys in zip(still.queries, turned.queries, still.keys, strict=True):
        order, layer_speeds = _turns(loaded, own[0], other[0], places + 1, whole.name)
        n_alike = own.shape[1] // own_keys.shape[1]  # heads that share a key
        queries.append(_array(own[0][..., order]))
        keys.append(_array(own_keys[0].repeat_interleave(n_alike, dim=0)[..., order]))
        speeds.append(read_only(layer_speeds))
    return TurnedHeads(whole.name, texts, queries, keys, weights, speeds, still.scalings)


def _turns(
    loaded: Model, still: torch.Tensor, turned: torch.Tensor, places: np.ndarray, model: str
) -> tuple[list[int], np.ndarray]:
    """How the model turns the queries of a layer, (H, T, d): the order of dimensions, and the speed of each pair.

    Raises EmbedvizError if no speeds of the model turn `still` into `turned`.
    """
    if torch.equal(still, turned):
        return [*range(still.shape[-1])], np.zeros(0)
    for speeds in _speeds(loaded):
        for order in _orders(len(speeds), still.shape[-1]):
            by_formula = _rotated(still[..., order], torch.tensor(np.outer(places, speeds)))
            if torch.allclose(by_formula, turned[..., order], rtol=0, atol=_CLOSE * float(still.abs().max())):
                return order, speeds
    raise _no_turns(model)


def _speeds(loaded: Model) -> Iterator[np.ndarray]:
    """The speeds of pairs that the model has, in radians: layers of several kinds may have their own."""
    for name, numbers in loaded.module.named_buffers():
        if name.endswith("inv_freq") and "original" not in name:
            yield numbers.double().numpy()


def _orders(n_pairs: int, n_dims: int) -> Iterator[list[int]]:
    """The dimensions with those that are turned first. A head has them there, or, as in DeepSeek's, at its end."""
    dims, n_turned = [*range(n_dims)], 2 * n_pairs
    if n_turned <= n_dims:
        yield dims
        yield [*dims[n_dims - n_turned :], *dims[: n_dims - n_turned]]


def _rotated(still: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """RoPE on the pairs k, k + P of (H, T, d), with the angles (T, P)."""
    cos, sin, n = angles.cos().float(), angles.sin().float(), angles.shape[-1]
    a, b, rest = still[..., :n], still[..., n : 2 * n], still[..., 2 * n :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)
