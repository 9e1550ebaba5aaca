"""Where the words of a text stand while a model reads them: as they come, or moved by hand."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError


@dataclass(frozen=True)
class Placement:
    """Positions of T words. If nothing else is said, the n-th word stands at position n. Words are counted from 0.

    scale: what learned vectors are multiplied by, or the positions by which RoPE turns; 0 takes them all away.
    positions: the position of each word, T whole numbers; empty: as they come.
    exchanged, share: two words that go this share of the way, from 0 to 1, to each other's position. Their learned
        vectors move into each other, and with RoPE their positions do.
    order: which word is the first of the model's list, which the second and so on, T whole numbers; empty: as in the
        text. Each takes its position along: only the list is another one. The next word follows the last of the list.
    """

    scale: float = 1.0
    positions: tuple[int, ...] = ()
    exchanged: tuple[int, int] | None = None
    share: float = 1.0
    order: tuple[int, ...] = ()

    def places(self, n_words: int, context_length: int) -> np.ndarray:
        """How much of each position each word has, in the order of the text, read-only float32 of shape (T, L).

        Raises EmbedvizError if there are more words than positions, or if there is not one position for each word.
        """
        if n_words > context_length:
            raise EmbedvizError(
                "The text has {n} words and marks, and this model has learned from no more than {most} at a time. "
                "Shorten the text.",
                n=n_words,
                most=context_length,
            )
        positions = self.positions or range(n_words)
        if len(positions) != n_words or not all(0 <= each < context_length for each in positions):
            raise EmbedvizError("{n} words need {n} positions from 0 to {last}.", n=n_words, last=context_length - 1)
        places = np.eye(context_length, dtype=np.float32)[list(positions)] * np.float32(self.scale)
        if self.exchanged:
            there, back = list(self.exchanged), list(self.exchanged[::-1])
            places[there] = (1 - self.share) * places[there] + self.share * places[back]
        return read_only(places)

    def whole(self, n_tokens: int) -> tuple[int, ...] | None:
        """The position of each of T tokens, for a model that takes whole ones alone; None if they are as they come."""
        if not (self.positions or self.exchanged):
            return None
        found = list(self.positions or range(n_tokens))
        if self.exchanged:
            i, j = self.exchanged
            found[i], found[j] = found[j], found[i]
        return tuple(found)

    def listed(self, n_words: int) -> list[int]:
        """Which word of the text is n-th in the model's list, for each n."""
        return list(self.order or range(n_words))


AS_TRAINED = Placement()
