"""A text cut at its spaces into words that have vectors of one's own."""

import re
from collections.abc import Sequence
from functools import cached_property

from embedviz.text.tokens import Tokens, without_surrogates

SPACES = "spaces"  # what a Spec calls this tokenizer
_MARKS = " Ġ▁␣"  # with one of these, the tokens of many tokenizers say that a space stands before them
_WORD = re.compile(r"\S+")


class Texts(tuple):
    """The texts of V tokens by their rows. No text is there twice."""

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {text: row for row, text in enumerate(self)}

    @cached_property
    def _unmarked(self) -> dict[str, int]:
        return {text[1:]: row for row, text in reversed([*enumerate(self)]) if text[:1] and text[0] in _MARKS}

    def row(self, word: str) -> int | None:
        """The row of a word, or of the same word with a space before it; None if it has neither."""
        return self._rows.get(word, self._unmarked.get(word))


def whitespace_tokens(text: str, texts: Sequence[str]) -> Tokens:
    """Cut a text at its spaces. A word that is not among `texts` is no token, and stands in `missing`."""
    texts = texts if isinstance(texts, Texts) else Texts(texts)
    text = without_surrogates(text)
    words = [(texts.row(match.group()), match) for match in _WORD.finditer(text)]
    found = [(row, match.span()) for row, match in words if row is not None]
    ids = [row for row, _span in found]
    missing = tuple(dict.fromkeys(match.group() for row, match in words if row is None))
    named, spans = [texts[row] for row in ids], [span for _row, span in found]
    return Tokens(text, SPACES, ids, named, spans, [False] * len(ids), len(texts), texts, missing=missing)
