"""Text to tokens, by GPT-2's, GPT-4's and GPT-4o's tokenizers, by a vocabulary of whole words, or by any model's."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np

from embedviz.base.checks import check_choice
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.models import is_name
from embedviz.text import samples
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.model_tokenizers.spelling import is_whole, piece_text
from embedviz.text.notebook_repr import Chips, NotebookRepr

TOKENIZERS = ("words", "gpt2", "cl100k_base", "o200k_base")
WORD_PATTERN = r"""--|[,.:;?_!"()']|(?:(?!--)[^\s,.:;?_!"()'])+"""
_WORD = re.compile(WORD_PATTERN)
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, repr=False)
class Tokens(NotebookRepr):
    """A text cut into T tokens.

    ids: list of T ints, each below vocab_size.
    texts: list of T strings; bytes that are only part of a character show as `\\xf0`.
    spans: list of T pairs (start, end), in characters of the text as it was given, without an added
        space. Tokens that share a character share its span.
    partial: list of T bools, True where the token is not whole characters.
    text: as it was given, lone surrogates replaced; is_cut: True if tokens of it were left out.
    vocabulary: of "words"; every other tokenizer has its own.
    dropped: the places of characters that no token stands for, also where a token's span reaches over them.
    missing: words of the text that have no vector among one's own, and are therefore no tokens.
    """

    text: str
    tokenizer: str
    ids: list[int]
    texts: list[str]
    spans: list[tuple[int, int]]
    partial: list[bool]
    vocab_size: int
    vocabulary: tuple[str, ...] = ()
    is_cut: bool = False
    dropped: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()

    def _about(self) -> dict[str, object]:
        return {"tokenizer": self.tokenizer, "tokens": Chips(self.texts, self.ids)}

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def uncovered(self) -> tuple[int, ...]:
        """The places of the characters that no token stands for; of a head, those before the end of its last token."""
        n = max((end for _start, end in self.spans), default=0) if self.is_cut else len(self.text)
        covered = {place for span in self.spans for place in range(*span)}.difference(self.dropped)
        return tuple(place for place in range(n) if place not in covered)

    @property
    def lost(self) -> str:
        """The characters that no token stands for, without white space: that only separates words."""
        return "".join(self.text[place] for place in self.uncovered if not self.text[place].isspace())

    def head(self, n: int) -> "Tokens":
        """The first n tokens."""
        if len(self) <= n:
            return self
        kept = {name: getattr(self, name)[:n] for name in ("ids", "texts", "spans", "partial")}
        return replace(self, **kept, is_cut=True)


def words_first(*sentences: Tokens) -> list[int]:
    """The IDs of all tokens in order, [CLS] and its like last, so that these take no word's colour of other pages."""
    all_ = [(id_, start == end) for each in sentences for id_, (start, end) in zip(each.ids, each.spans, strict=True)]
    return [id_ for id_, _is_around in sorted(all_, key=lambda each: each[1])]


def tokenize(
    text: str,
    tokenizer: str = "gpt2",
    prefix_space: bool = True,
    *,
    lower_case: bool = False,
    vocabulary: tuple[str, ...] = (),
    allow_special: bool = False,
    special_tokens: bool = True,
) -> Tokens:
    """Cut `text` into tokens.

    tokenizer: one of TOKENIZERS, or the name of a model on the Hub, such as "google-bert/bert-base-uncased".
    prefix_space puts one space before a text that has none, so that the first word gets the ID it has
    inside a sentence. `words` and some models have no use for it; lower_case and vocabulary are for `words` alone:
    an empty vocabulary means the words of this text. Special tokens such as `<|endoftext|>` are ordinary
    text unless allow_special is True, which is for the byte-pair tokenizers. special_tokens is for models: whether
    the special tokens that the model wants around a text, such as [CLS], are put there; each has an empty span.
    Lone surrogates become U+FFFD.

    Raises EmbedvizError for an unknown tokenizer, a word that is not in the vocabulary, or about a million spaces in a
    row, and Unavailable if the tokenizer of a model cannot be had now.
    """
    check_tokenizer(tokenizer)
    text = without_surrogates(text)
    if is_name(tokenizer):
        return _tokenize_by_model(text, tokenizer, prefix_space, special_tokens)
    if tokenizer == "words":
        return _tokenize_words(text, lower_case, vocabulary or build_vocabulary([text], lower_case))
    return _tokenize_bytes(text, prefixed(text, prefix_space), tokenizer, allow_special)


def check_tokenizer(tokenizer: object) -> None:
    """Raise EmbedvizError unless this is one of TOKENIZERS or can be the name of a model."""
    if not (isinstance(tokenizer, str) and is_name(tokenizer)):
        check_choice("tokenizer", tokenizer, TOKENIZERS)


def prefixed(text: str, prefix_space: bool) -> str:
    """The text that the tokenizer gets: with a space before it unless it is empty or has one."""
    return f" {text}" if prefix_space and text and not text[0].isspace() else text


@contextmanager
def gaps_in_words(tokenizer: str) -> Iterator[None]:
    """Say what is wrong with a gap that is too long for tiktoken's pattern, in which it would have to step back."""
    try:
        yield
    except ValueError as error:
        raise EmbedvizError(
            "{tokenizer} cannot cut a text with a million spaces or line breaks in a row. Make the gap shorter.",
            tokenizer=tokenizer,
        ) from error


def build_vocabulary(texts: Iterable[str], lower_case: bool = False) -> tuple[str, ...]:
    """The sorted unique words and punctuation marks of `texts`; a word's place is its ID."""
    return tuple(sorted({word for text in map(without_surrogates, texts) for word, _ in words_in(text, lower_case)}))


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which are no characters, by U+FFFD, as tiktoken does."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def words_in(text: str, lower_case: bool) -> list[tuple[str, tuple[int, int]]]:
    """The words and punctuation marks of a text, each with its span."""
    found = [(match.group(), match.span()) for match in _WORD.finditer(text)]
    return [(word.lower(), span) for word, span in found] if lower_case else found


def _tokenize_words(text: str, lower_case: bool, vocabulary: tuple[str, ...]) -> Tokens:
    words = words_in(text, lower_case)
    index = {word: i for i, word in enumerate(vocabulary)}
    unknown = sorted({word for word, _ in words} - set(index))
    if unknown:
        raise EmbedvizError(
            "Not in the vocabulary: {unknown}. It holds {known}.",
            unknown=", ".join(unknown),
            known=" ".join(sorted(vocabulary, key=lambda word: not word.isalnum())) or _("nothing"),  # marks come last
        )
    texts = [word for word, _ in words]
    spans = [span for _, span in words]
    ids = [index[word] for word in texts]
    return Tokens(text, "words", ids, texts, spans, [False] * len(ids), len(index), vocabulary)


def _tokenize_bytes(text: str, padded: str, tokenizer: str, allow_special: bool) -> Tokens:
    encoding = samples.encoding(tokenizer)
    with gaps_in_words(tokenizer):
        ids = encoding.encode(padded, allowed_special="all" if allow_special else set(), disallowed_special=())
    pieces = [encoding.decode_single_token_bytes(i) for i in ids]
    spans = _spans(text, len(padded) - len(text), pieces)
    return _of_pieces(text, tokenizer, ids=ids, pieces=pieces, spans=spans, vocab_size=encoding.n_vocab)


def _tokenize_by_model(text: str, name: str, prefix_space: bool, special_tokens: bool) -> Tokens:
    model = model_tokens.tokenizer(name)
    padded = prefixed(text, prefix_space and model.prefix_means)
    n_added = len(padded) - len(text)
    ids, pieces, found, dropped = model.cut(padded, special_tokens)
    spans = [(max(start - n_added, 0), max(end - n_added, 0)) for start, end in found]
    tokens = _of_pieces(text, name, ids=list(ids), pieces=pieces, spans=spans, vocab_size=model.n_ids)
    return replace(tokens, dropped=tuple(place - n_added for place in dropped if place >= n_added))


def _of_pieces(
    text: str, tokenizer: str, *, ids: list[int], pieces: Iterable[bytes], spans: list[tuple[int, int]], vocab_size: int
) -> Tokens:
    texts = [piece_text(piece) for piece in pieces]
    partial = [not is_whole(piece) for piece in pieces]
    return Tokens(text, tokenizer, ids, texts, spans, partial, vocab_size)


def _spans(text: str, n_added: int, pieces: list[bytes]) -> list[tuple[int, int]]:
    """Turn byte pieces into character ranges, from the character of the first byte to that of the last."""
    char_of_byte = np.repeat(np.arange(len(text)), [len(char.encode()) for char in text])
    ends = list(accumulate(map(len, pieces), initial=-n_added))
    return [
        (int(char_of_byte[max(start, 0)]), int(char_of_byte[end - 1]) + 1) if end > 0 else (0, 0)
        for start, end in pairwise(ends)
    ]
