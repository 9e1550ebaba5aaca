"""What a run answers to the questions that it never saw, "dog bites man , who bites ?", and which head knows it."""

import copy
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from cachetools import LRUCache, cached

from embedviz.base.arrays import read_only
from embedviz.text import grammar
from embedviz.training.model import GPT
from embedviz.training.next_word import gpt, look
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run

FIRST, SECOND = 0, 2  # where the two nouns of every question stand
PROMPTS = tuple(item[:-2] for item in grammar.WHO_HELD_OUT)  # the N questions, without answer and full stop
RIGHT = tuple(item[-2] for item in grammar.WHO_HELD_OUT)
OTHER = tuple(item[SECOND if item[FIRST] == item[-2] else FIRST] for item in grammar.WHO_HELD_OUT)
_ACTIVE, _PASSIVE = 7, 8  # words of "dog bites man , who bites ?" and of "dog bites man , who is bitten ?"
CHANGES = ("on", "off", "exchanged", "shuffled", "moved")


def placement(change: str, n_words: int) -> Placement:
    """What one of CHANGES does to a question of so many words; "shuffled" also puts the list in another order."""
    other_end = _PASSIVE + _ACTIVE - n_words - 1  # the position of the "?" of the other question
    return {
        "off": Placement(scale=0.0),
        "exchanged": Placement(exchanged=(FIRST, SECOND)),
        "moved": Placement(positions=(*range(n_words - 1), other_end)),
    }.get(change, AS_TRAINED)


@dataclass(frozen=True)
class Answers:
    """The answers to the N questions of PROMPTS. All arrays are read-only.

    chances: the probability of each word to come next, float32 of shape (N, V).
    right, other: the probability of the noun that is the right answer, and of the other noun, float32 of shape (N,).
    n_right, n_other: how many times each of these two is the likeliest of all words.
    """

    chances: np.ndarray
    right: np.ndarray
    other: np.ndarray
    n_right: int
    n_other: int


@dataclass(frozen=True)
class Heads:
    """How each head looks from the "?" at the two nouns, and what the model is without it. All arrays are read-only.

    right, other: the mean weight on the right noun and on the other one, float32 of shape (n_layers, H).
    n_right: how many of the N questions are answered right if this head adds nothing, int64 of shape (n_layers, H).
    of_all: how many are answered right as the model is.
    """

    right: np.ndarray
    other: np.ndarray
    n_right: np.ndarray
    of_all: int

    @property
    def carrier(self) -> tuple[int, int]:
        """Layer and head, from 0, without which the fewest questions are answered right."""
        return divmod(int(self.n_right.argmin()), self.n_right.shape[1])


@cached(LRUCache(64), key=lambda run, change="on": (run.key, change), lock=threading.Lock())
def answers(run: Run, change: str = "on") -> Answers:
    """The Answers of a run of the kind "who" at its last snapshot, after one of CHANGES."""
    return _answers(gpt(run), run, change)


@cached(LRUCache(16), key=lambda run: run.key, lock=threading.Lock())
def heads(run: Run) -> Heads:
    """The Heads of a run of the kind "who" at its last snapshot."""
    model, right, other = gpt(run), [], []
    for _rows, ids, places in _batches(run, "on"):
        _states, attentions, _logits = look(model, ids, places)
        weights = torch.stack(attentions)[..., -1, :].mean(dim=1)  # from the "?" to each word, (n_layers, H, T)
        nouns = weights[..., FIRST], weights[..., SECOND]
        right.append(nouns[ids.shape[1] == _PASSIVE])
        other.append(nouns[ids.shape[1] == _ACTIVE])
    # Both questions are asked equally often.
    means = (torch.stack(each).mean(dim=0).numpy() for each in (right, other))
    without = [[_answers(_without(model, layer, head), run, "on").n_right for head in range(model.shape.n_heads)]
               for layer in range(model.shape.n_layers)]  # fmt: skip
    return Heads(*map(read_only, means), read_only(np.array(without)), answers(run).n_right)


def _answers(model: GPT, run: Run, change: str) -> Answers:
    chances = np.empty((len(PROMPTS), len(run.vocabulary)), np.float32)
    for rows, ids, places in _batches(run, change):
        chances[rows] = look(model, ids, places)[2].softmax(dim=-1).numpy()
    questions, likeliest = np.arange(len(PROMPTS)), chances.argmax(axis=1)
    right, other = (np.array([run.vocabulary.index(word) for word in words]) for words in (RIGHT, OTHER))
    return Answers(
        read_only(chances),
        read_only(chances[questions, right]),
        read_only(chances[questions, other]),
        int((likeliest == right).sum()),
        int((likeliest == other).sum()),
    )


def _batches(run: Run, change: str) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
    """The questions of each length: their numbers, their IDs (B, T), and their words' places, (T, L) or (B, T, L)."""
    generator = torch.Generator().manual_seed(0)
    for length in (_ACTIVE, _PASSIVE):
        rows = [n for n, prompt in enumerate(PROMPTS) if len(prompt) == length]
        ids = torch.tensor([[run.vocabulary.index(word) for word in PROMPTS[n]] for n in rows])
        places = torch.tensor(placement(change, length).places(length, run.settings.context_length))
        if change == "shuffled":  # each question in an order of its own, but the "?" stays last, where the answer comes
            drawn = torch.rand(ids.shape, generator=generator)
            drawn[:, -1] = 1
            order = drawn.argsort(dim=1)
            ids, places = ids.gather(1, order), places[order]
        yield rows, ids, places


def _without(model: GPT, layer: int, head: int) -> GPT:
    """The model whose head adds nothing."""
    changed = copy.deepcopy(model)
    changed.blocks[layer].attended.weight.view(model.shape.output_dim, model.shape.n_heads, -1)[:, head] = 0
    return changed
