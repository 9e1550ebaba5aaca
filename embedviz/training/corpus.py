"""What a model is trained on: a text as token IDs, cut into windows, and a part of it held out."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from embedviz.base.errors import EmbedvizError
from embedviz.text import grammar
from embedviz.text.tokens import build_vocabulary, tokenize

MAX_CHARACTERS = 5000  # the limit of the reader's own text, which is kept in the address
_ENDS = frozenset(".!?")


@dataclass(frozen=True)
class Corpus:
    """A text ready for training.

    vocabulary: the text's words and marks, sorted. A word's index is its ID.
    training, held_out: int64 tensors of IDs, shapes (N,) and (M,).
    starts, held_out_starts: where windows of context_length + 1 tokens may begin in each.
    """

    vocabulary: tuple[str, ...]
    training: torch.Tensor
    held_out: torch.Tensor
    starts: torch.Tensor
    held_out_starts: torch.Tensor


def corpus(text: str, context_length: int, seed: int, shuffled: bool) -> Corpus:
    """The Corpus of a text. If the text is empty, these are the items of the site's own language.

    Windows of items begin where an item begins; those of a text begin anywhere. Of a text the last tenth is held out;
    of items, those about nouns that the others never have together. shuffled: if True, the words of each sentence are
    put in another order, but the mark at its end stays there.

    Raises EmbedvizError for a text that is too short or too long.
    """
    generator = random.Random(seed)  # noqa: S311 - sentences, not secrets
    sentences, unseen = (_own(text, context_length), []) if text else (grammar.LEARNED, grammar.HELD_OUT)
    if not text:
        sentences, unseen = (generator.sample(part, len(part)) for part in (sentences, unseen))
    if shuffled:
        sentences, unseen = ([_shuffle(each, generator) for each in part] for part in (sentences, unseen))
    vocabulary = words_of(text)
    place = {word: id_ for id_, word in enumerate(vocabulary)}
    ids = torch.tensor([place[word] for sentence in (*sentences, *unseen) for word in sentence])
    n_unseen = sum(map(len, unseen)) or max(len(ids) // 10, context_length + 1)
    parts = ids[:-n_unseen], ids[-n_unseen:]
    stop = None if text else place["."]
    return Corpus(vocabulary, *parts, *(_starts(part, context_length, stop) for part in parts))


def words_of(text: str) -> tuple[str, ...]:
    """The vocabulary of the Corpus, without the work of making its sentences."""
    return build_vocabulary([text]) if text else grammar.VOCABULARY


def check_text(text: str, context_length: int) -> None:
    """Raise EmbedvizError for a text that cannot be trained on. An empty text is fine: see `corpus`."""
    if text:
        _own(text, context_length)


def _own(text: str, context_length: int) -> list[list[str]]:
    if len(text) > MAX_CHARACTERS:
        raise EmbedvizError(
            "The text has {n:,} characters; the limit is {most:,}. Take a shorter one.",
            n=len(text),
            most=MAX_CHARACTERS,
        )
    words = tokenize(text, "words").texts
    need = 2 * context_length + 3
    if len(words) < need:
        raise EmbedvizError(
            "The text has {n} words and marks; with context_length {context_length} training needs at "
            "least {need}, some of them held out. Take a longer text.",
            n=len(words),
            context_length=context_length,
            need=need,
        )
    if len(set(words)) < 2:
        raise EmbedvizError("The text is one word again and again, so there is nothing to learn. Take a richer one.")
    found: list[list[str]] = [[]]
    for word in words:
        found[-1].append(word)
        if word in _ENDS:
            found.append([])
    return found


def _shuffle(sentence: Sequence[str], generator: random.Random) -> list[str]:
    n = len(sentence) - (sentence[-1:] != [] and sentence[-1] in _ENDS)
    return [*generator.sample(sentence[:n], n), *sentence[n:]]


def _starts(ids: torch.Tensor, context_length: int, stop: int | None) -> torch.Tensor:
    """The places where a window may begin. With a stop: only the first place, and each place just after a stop."""
    n = len(ids) - context_length
    if stop is None:
        return torch.arange(n)
    is_start = torch.cat([torch.tensor([True]), ids[: n - 1] == stop])
    return torch.arange(n)[is_start]
