"""What a run answers to questions that it never saw, "the cat sat on the mat , who sat ?", and which head knows it."""

import copy
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from cachetools import LRUCache, cached

from embedviz.base.arrays import read_only
from embedviz.text import grammar
from embedviz.training.model import GPT
from embedviz.training.next_word import gpt, run_model
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run

PROMPTS = tuple(item[:-2] for item in grammar.HELD_OUT)  # the N questions, without answer and full stop
RIGHT = tuple(item[-2] for item in grammar.HELD_OUT)
FORM_OF = np.array([form for form in grammar.FORMS for _item in grammar.items(form, grammar.STRANGERS)])
CHANGES = ("on", "off", "exchanged", "shuffled", "moved")
RECORDED = (*CHANGES, "padded")  # a pad on the left that is counted, so that every word stands one position later
_ENDS = (8, 9)  # where the "?" of "who bites ?" stands, and that of all other questions


def nouns_at(prompt: Sequence[str]) -> list[int]:
    """Where the two nouns of a question stand."""
    return [n for n, word in enumerate(prompt) if word in grammar.NOUNS]


OTHER = tuple(
    next(prompt[n] for n in nouns_at(prompt) if prompt[n] != right)
    for prompt, right in zip(PROMPTS, RIGHT, strict=True)
)


def placement(change: str, prompt: Sequence[str]) -> Placement:
    """What one of RECORDED does to a question; "shuffled" also puts the list in another order."""
    last = len(prompt) - 1
    return {
        "off": Placement(scale=0.0),
        "exchanged": Placement(exchanged=cast(tuple[int, int], tuple(nouns_at(prompt)))),
        "moved": Placement(positions=(*range(last), sum(_ENDS) - last)),
        "padded": Placement(positions=tuple(range(1, len(prompt) + 1))),
    }.get(change, AS_TRAINED)


@dataclass(frozen=True)
class Answers:
    """The answers to the N questions of PROMPTS. All arrays are read-only.

    chances: the probability of each word to come next, float32 of shape (N, V).
    right, other: the probability of the noun that is the right answer, and of the other noun, float32 of shape (N,).
    is_right, is_other: whether each of these two is the likeliest of all words, bool of shape (N,).
    """

    chances: np.ndarray
    right: np.ndarray
    other: np.ndarray
    is_right: np.ndarray
    is_other: np.ndarray

    @property
    def n_right(self) -> int:
        """How many questions are answered right."""
        return int(self.is_right.sum())

    @property
    def n_other(self) -> int:
        """How many are answered with the other noun."""
        return int(self.is_other.sum())


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
    """The Answers of a run of the site's own language at its last snapshot, after one of RECORDED."""
    return _answers(gpt(run), run, change)


@cached(LRUCache(16), key=lambda run: run.key, lock=threading.Lock())
def heads(run: Run) -> Heads:
    """The Heads of a run of the site's own language at its last snapshot."""
    model, found = gpt(run), []
    for rows, ids, places in _batches(run, "on"):
        attentions = run_model(model, ids, places)[1]
        weights = torch.stack(attentions)[..., -1, :]  # from the "?" to each word, (n_layers, B, H, T)
        at = nouns_at(PROMPTS[rows[0]])
        right = at if PROMPTS[rows[0]][at[0]] == RIGHT[rows[0]] else at[::-1]  # the same in all questions of a form
        found.append(weights[..., right].sum(dim=1))  # (n_layers, H, 2)
    means = (torch.stack(found).sum(dim=0) / len(PROMPTS)).permute(2, 0, 1).numpy()
    without = [[_answers(_without(model, layer, head), run, "on").n_right for head in range(model.shape.n_heads)]
               for layer in range(model.shape.n_layers)]  # fmt: skip
    return Heads(read_only(means[0]), read_only(means[1]), read_only(np.array(without)), answers(run).n_right)


def _answers(model: GPT, run: Run, change: str) -> Answers:
    chances = np.empty((len(PROMPTS), len(run.vocabulary)), np.float32)
    for rows, ids, places in _batches(run, change):
        chances[rows] = run_model(model, ids, places)[-1].softmax(dim=-1).numpy()
    questions, likeliest = np.arange(len(PROMPTS)), chances.argmax(axis=1)
    right, other = (np.array([run.vocabulary.index(word) for word in words]) for words in (RIGHT, OTHER))
    return Answers(
        read_only(chances),
        read_only(chances[questions, right]),
        read_only(chances[questions, other]),
        read_only(likeliest == right),
        read_only(likeliest == other),
    )


def _batches(run: Run, change: str) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
    """The questions of each form: their numbers, their IDs (B, T), and their words' places, (T, L) or (B, T, L)."""
    generator = torch.Generator().manual_seed(0)
    for form in grammar.FORMS:
        rows = np.flatnonzero(form == FORM_OF).tolist()
        ids = torch.tensor([[run.vocabulary.index(word) for word in PROMPTS[n]] for n in rows])
        prompt = PROMPTS[rows[0]]
        places = torch.tensor(placement(change, prompt).places(len(prompt), run.settings.context_length))
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
