"""Sentences beside two other orders of their words, with the same meaning and with another, as a real model has them.

The sentences lie in `data/triples.json`. Each was written before a model had read it.
"""

import json
from dataclasses import dataclass
from functools import cache

import cachetools
import numpy as np

from embedviz.base import data_files
from embedviz.base.arrays import pairwise_distances, read_only
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.layers import model_queue
from embedviz.models.full_weights import FullWeights
from embedviz.text.tokens import Tokens
from embedviz.vectors.copies import paired
from embedviz.vectors.embedding import embed
from embedviz.vectors.spec import Spec


@dataclass(frozen=True)
class Triple:
    """A sentence and two other orders of its words. same: one with the same meaning. other: one with another."""

    sentence: str
    same: str
    other: str

    @property
    def texts(self) -> tuple[str, str, str]:
        """All three."""
        return self.sentence, self.same, self.other


@dataclass(frozen=True)
class Likeness:
    """What a model makes of N triples: read-only float32 arrays.

    tokens: of the three texts of each triple, as the model reads them.
    same, other: (N,), the cosine of each sentence with its other order of the same meaning, and with that of another.
    unrelated: (N, N), the cosine of each sentence with each other sentence; 1 on the diagonal.
    moved: (N, 2), by how many places a token of a sentence stands elsewhere in these two orders, on average.
    """

    tokens: list[tuple[Tokens, ...]]
    same: np.ndarray
    other: np.ndarray
    unrelated: np.ndarray
    moved: np.ndarray

    @property
    def is_reversed(self) -> np.ndarray:
        """Whether another meaning is nearer to the sentence than the same meaning: bool (N,)."""
        return self.other > self.same

    @property
    def apart(self) -> np.ndarray:
        """The cosines of unrelated sentences, (N (N - 1),)."""
        return self.unrelated[~np.eye(len(self.unrelated), dtype=bool)]


@cache
def triples() -> tuple[Triple, ...]:
    """The triples that come with the app."""
    return tuple(Triple(**row) for row in json.loads(data_files.read("triples.json")))


def likeness(source: str, *, positions: bool = True) -> Likeness:
    """Let a model of this machine read all triples. positions: False if nothing is added for them, and nothing turned.

    Raises EmbedvizError as `forward` does.
    """
    return _likeness(model_queue.find(source), 1.0 if positions else 0.0)


@cachetools.cached(cachetools.LRUCache(16), condition=Waiting())
def _likeness(whole: FullWeights, scale: float) -> Likeness:
    spec = Spec(source=whole.name)
    # `embed` refuses tokens for which the model has no vectors.
    tokens = [tuple(embed(text, spec).tokens for text in triple.texts) for triple in triples()]
    vectors = _sentences(whole, [each.ids for three in tokens for each in three], scale)
    sentences, same, other = vectors.reshape(len(tokens), 3, -1).swapaxes(0, 1)  # (N, D) each
    cosines = [1 - pairwise_distances(sentences, each, "cosine") for each in (same, other, sentences)]  # (N, N) each
    found = (cosines[0].diagonal(), cosines[1].diagonal(), cosines[2], [_moved(*three) for three in tokens])
    return Likeness(tokens, *(read_only(np.array(each, np.float32)) for each in found))


def _sentences(whole: FullWeights, ids: list[list[int]], scale: float) -> np.ndarray:
    """The mean vector of each list of IDs at the model's end, (B, D): a run for each length, not for each list."""
    found = {}
    for length in {*map(len, ids)}:
        rows = [n for n, each in enumerate(ids) if len(each) == length]
        ran = model_queue.run(whole, np.array([ids[n] for n in rows]), scale=scale)
        found |= dict(zip(rows, ran.hidden_states[-1].mean(axis=1), strict=True))  # (rows, D)
    return np.stack([found[n] for n in range(len(ids))])


def _moved(sentence: Tokens, same: Tokens, other: Tokens) -> list[float]:
    pairs = (np.array(paired(sentence.ids, each.ids)) for each in (same, other))  # (P, 2) each
    return [float(np.abs(each[:, 0] - each[:, 1]).mean()) for each in pairs]
