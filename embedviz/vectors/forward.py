"""What the layers of a model make of a text, whichever model it is."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.text.notebook_repr import Chips, NotebookRepr
from embedviz.text.tokens import Tokens


@dataclass(frozen=True, repr=False)
class Forward(NotebookRepr):
    """A text on its way through a model. All arrays are float32 and read-only.

    tokens: the T tokens in the order of the model's list, special tokens too.
    hidden_states: what enters the first layer, and what each layer hands on, shape (n_layers + 1, T, D). As in
        transformers, the last of them has gone through the model's final norm, if the model has one.
    attentions: how much each token (row) looks at each token (column), shape (n_layers, H, T, T).
    next_word: the probability of each token of the vocabulary to follow the last one, shape (V,); None for an encoder.
    value_lengths: how long the value vector of each token is in each head, shape (n_layers, H, T); None where a model
        makes its values in a way that is not known here.
    """

    tokens: Tokens
    hidden_states: np.ndarray
    attentions: np.ndarray
    next_word: np.ndarray | None = None
    value_lengths: np.ndarray | None = None

    def _about(self) -> dict[str, object]:
        about: dict[str, object] = {"tokens": Chips(self.tokens.texts, self.tokens.ids)}
        about |= {"hidden_states": self.hidden_states, "attentions": self.attentions}
        return about if self.next_word is None else about | {"next_word": self.next_word}

    @property
    def chances(self) -> np.ndarray:
        """`next_word` of a model that is known to say one, float32 (V,)."""
        return cast("np.ndarray", self.next_word)

    @property
    def sentence(self) -> np.ndarray:
        """One vector for the whole text, the mean over its tokens at the end, shape (D,)."""
        return read_only(self.hidden_states[-1].mean(axis=0))
