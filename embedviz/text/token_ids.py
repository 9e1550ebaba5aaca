"""Texts of any length to token IDs, by the same tokenizers, without a text and a span for each token."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.text import samples
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.model_tokenizers.spelling import piece_text
from embedviz.text.tokens import check_tokenizer, gaps_in_words, without_surrogates, words_in


@dataclass(frozen=True)
class TokenIds:
    """The IDs of a text of any length, without a text and a span for each.

    ids: read-only int64 array of shape (N,). vocabulary: of "words"; every other tokenizer has its own.
    """

    tokenizer: str
    ids: np.ndarray
    vocab_size: int
    vocabulary: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def texts(self, ids: Iterable[int]) -> list[str]:
        """The text of each ID, as in `Tokens.texts`."""
        if self.tokenizer == "words":
            return [self.vocabulary[id_] for id_ in ids]
        if model := model_tokens.tokenizer_of(self.tokenizer):
            return model.texts(map(int, ids))
        return [piece_text(piece) for piece in pieces(self.tokenizer, map(int, ids))]

    def text(self) -> str:
        """A text with these IDs: of "words" with single spaces, of a model without what its tokenizer has lost."""
        if self.tokenizer == "words":
            return " ".join(self.texts(self.ids))
        if model := model_tokens.tokenizer_of(self.tokenizer):
            return model.decoded(self.ids.tolist())
        return samples.encoding(self.tokenizer).decode(self.ids.tolist())


def pieces(tokenizer: str, ids: Iterable[int]) -> list[bytes]:
    """The bytes that each ID stands for, of any tokenizer but "words". Each has to stand for a token."""
    if model := model_tokens.tokenizer_of(tokenizer):
        return cast("list[bytes]", model.pieces(ids))
    return [*map(samples.encoding(tokenizer).decode_single_token_bytes, ids)]


def encode(text: str, tokenizer: str = "gpt2") -> TokenIds:
    """The IDs of a long text as it is, special tokens in it as ordinary text. Raises as `tokenize` does."""
    check_tokenizer(tokenizer)
    text = without_surrogates(text)
    if model := model_tokens.tokenizer_of(tokenizer):
        return TokenIds(tokenizer, read_only(model.ids(text).astype(np.int64)), model.n_ids)
    if tokenizer == "words":
        words = [word for word, _ in words_in(text, lower_case=False)]
        vocabulary = tuple(sorted(set(words)))  # np.unique would take "\0" for an empty word
        places = {word: n for n, word in enumerate(vocabulary)}
        ids = read_only(np.array([places[word] for word in words], np.int64))
        return TokenIds(tokenizer, ids, len(vocabulary), vocabulary)
    encoding = samples.encoding(tokenizer)
    with gaps_in_words(tokenizer):
        ids = read_only(encoding.encode_to_numpy(text, disallowed_special=()).astype(np.int64))
    return TokenIds(tokenizer, ids, encoding.n_vocab)
