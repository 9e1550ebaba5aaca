"""All tokens of a tokenizer: their texts, and what can be told from a text alone."""

import threading
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from weakref import WeakKeyDictionary

import cachetools
import numpy as np
from tiktoken import Encoding

from embedviz.base.arrays import read_only
from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _
from embedviz.text import samples
from embedviz.text.grammar import CLASS_OF
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.model_tokenizers.model_tokenizer import ModelTokenizer
from embedviz.text.model_tokenizers.spelling import is_whole, piece_text, unused
from embedviz.text.tokens import build_vocabulary
from embedviz.text.whitespace_tokens import SPACES
from embedviz.vectors.sources import Source, without_row
from embedviz.vectors.spec import Spec

KINDS = (
    N_("word, space before"),
    N_("word, no space"),
    N_("number"),
    N_("punctuation"),
    N_("white space"),
    N_("part of a character"),
    N_("special"),
    N_("unused"),
)
_SPACED, _UNSPACED, _NUMBER, _MARK, _BLANK, _PART, _SPECIAL, _UNUSED = range(len(KINDS))


@dataclass(frozen=True, eq=False)  # each vocabulary is one object, so that the object itself can be a key
class Vocabulary:
    """The V tokens of a tokenizer, by ID.

    texts: V strings. Bytes that are only part of a character are written as `\\xf0`, and an ID that stands for no
        token is written as `<unused 7>`.
    kinds: indices into KINDS, read-only uint8 array of shape (V,). A word has letters in it, a number has
        digits and no letters, and punctuation has neither.
    lengths: the number of characters of a token, or of bytes if it is part of a character; read-only int32, (V,).
    beyond: the texts of tokens that were added to the tokenizer, and have no row in the model's table, by their IDs.
        They are none of the V.
    """

    tokenizer: str
    texts: tuple[str, ...]
    kinds: np.ndarray = field(repr=False)
    lengths: np.ndarray = field(repr=False)
    beyond: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _ids(self) -> dict[str, int]:
        whole = (n for n, kind in enumerate(self.kinds) if kind not in (_PART, _UNUSED))
        return {self.texts[n]: n for n in whole}

    def find(self, text: str) -> int:
        """The ID of a token, `#262`, or a word that needs a space before it; `␣` is one. Raises EmbedvizError."""
        for id_, token in self.beyond.items():
            if text in (token, f"#{id_}"):
                raise without_row(token, id_, len(self), _("Choose another token."))
        if text.startswith("#") and text[1:].isascii() and text[1:].isdigit():
            return self._checked(text[1:])
        plain = text.replace("␣", " ").replace("⏎", "\n").replace("⇥", "\t")
        bare = plain.strip()
        for form in (text, plain, *([f" {plain}", bare, f" {bare}"] if bare else [])):
            if form in self._ids:
                return self._ids[form]
        raise EmbedvizError(
            "{text} is not one token of {tokenizer}. Type a single token, or an ID such as #{id}.",
            text=short(text),
            tokenizer=self.tokenizer,
            id=len(self) // 2,
        )

    def _checked(self, digits: str) -> int:
        if len(digits) > 9 or int(digits) >= len(self):
            raise EmbedvizError(
                "There is no ID {digits}: {tokenizer} has the IDs 0 to {last}.",
                digits=digits[:12],
                tokenizer=self.tokenizer,
                last=len(self) - 1,
            )
        return int(digits)


def classes_of(tokens: Vocabulary) -> dict[str, str]:
    """The word class of each token, by its text, if all are words that the small GPT knows, whose classes are known."""
    return {text: CLASS_OF[text] for text in tokens.texts} if set(tokens.texts) <= set(CLASS_OF) else {}


_vocabularies: cachetools.LRUCache = cachetools.LRUCache(maxsize=6)
_own: WeakKeyDictionary[Source, Vocabulary] = WeakKeyDictionary()


def vocabulary(spec: Spec) -> Vocabulary:
    """All tokens that a Spec has vectors for. "words" without a vocabulary means the words of the sample texts.

    A model's table has a row for each of them. It may have more rows than its tokenizer has tokens: their IDs are
    unused. It may also end before a token that was added to the tokenizer, which is left out then.

    Raises EmbedvizError if the tokenizer of a model cannot be used, or if its own tokens have more IDs than the model's
    table has rows, and Unavailable if it cannot be had now.
    """
    if spec.origin.texts is not None:
        return _of_own(spec.origin)
    model = model_tokens.tokenizer_of(spec.tokenizer)
    return _vocabulary(spec.tokenizer, words_of(spec), spec.lower_case, model, spec.origin.n_rows)


def _of_own(source: Source) -> Vocabulary:
    """The tokens of one's own vectors, which are kept as long as these are."""
    if source not in _own:
        texts = source.texts or ()
        _own[source] = _with_arrays(SPACES, texts, map(_kind, texts), map(len, texts))
    return _own[source]


def words_of(spec: Spec) -> tuple[str, ...]:
    """The words of the tokenizer "words". Any other tokenizer has none."""
    if spec.tokenizer != "words":
        return ()
    return spec.vocabulary or _sample_words(spec.lower_case)


@cachetools.cached(cache={}, condition=threading.Condition())
def _sample_words(lower_case: bool) -> tuple[str, ...]:
    return build_vocabulary((sample.text for sample in samples.texts()), lower_case)


@cachetools.cached(_vocabularies, condition=threading.Condition())
def _vocabulary(
    tokenizer: str, words: tuple[str, ...], lower_case: bool, model: ModelTokenizer | None, n_rows: int | None
) -> Vocabulary:
    if tokenizer == "words":
        return _with_arrays(tokenizer, words, map(_kind, words), map(len, words))
    if model:
        return _of_model(tokenizer, model, model.n_ids if n_rows is None else n_rows)
    encoding = samples.encoding(tokenizer)
    special = {encoding.encode_single_token(text) for text in encoding.special_tokens_set}
    if n_rows is not None and encoding.n_vocab > n_rows:
        raise _of_another_model(tokenizer, encoding.n_vocab - 1, n_rows)
    return _of_pieces(tokenizer, [_piece(encoding, id_) for id_ in range(n_rows or encoding.n_vocab)], special)


def _of_model(tokenizer: str, model: ModelTokenizer, n_rows: int) -> Vocabulary:
    """Tokens may have been added to a tokenizer alone, but its own vocabulary must lie within its model's table."""
    pieces = model.vocabulary()
    beyond = {id_: piece_text(piece) for id_, piece in enumerate(pieces) if id_ >= n_rows and piece is not None}
    if not beyond.keys() <= model.added:
        raise _of_another_model(tokenizer, max(beyond), n_rows)
    rows = [*pieces[:n_rows], *[None] * (n_rows - model.n_ids)]
    return replace(_of_pieces(tokenizer, rows, model.special), beyond=MappingProxyType(beyond))


def _of_another_model(tokenizer: str, last: int, n_rows: int) -> EmbedvizError:
    return EmbedvizError(
        "The tokenizer {tokenizer} has the IDs 0 to {last:,}, but the token table has only {n_rows:,} rows. They do "
        "not belong together: take the tokenizer.json that comes with the model, or give vectors of your own a text "
        "each.",
        tokenizer=tokenizer,
        last=last,
        n_rows=n_rows,
    )


def _piece(encoding: Encoding, id_: int) -> bytes | None:
    try:
        return encoding.decode_single_token_bytes(id_)
    except KeyError:
        return None


def _of_pieces(tokenizer: str, pieces: Sequence[bytes | None], special: Collection[int]) -> Vocabulary:
    rows = (_row(id_, piece, id_ in special) for id_, piece in enumerate(pieces))
    return _with_arrays(tokenizer, *zip(*rows, strict=True))


def _with_arrays(tokenizer: str, texts: Iterable[str], kinds: Iterable[int], lengths: Iterable[int]) -> Vocabulary:
    kinds, lengths = np.array([*kinds], np.uint8), np.array([*lengths], np.int32)
    return Vocabulary(tokenizer, tuple(texts), read_only(kinds), read_only(lengths))


def _row(id_: int, piece: bytes | None, is_special: bool) -> tuple[str, int, int]:
    """Text, kind and length of one ID."""
    if piece is None:
        return unused(id_), _UNUSED, 0
    text = piece_text(piece)
    if not is_whole(piece):
        return text, _PART, len(piece)
    return text, _SPECIAL if is_special else _kind(text), len(text)


def _kind(text: str) -> int:
    if not text.strip():
        return _BLANK
    if any(map(str.isalpha, text)):
        return _SPACED if text[0] == " " else _UNSPACED
    return _NUMBER if any(unicodedata.category(char)[0] == "N" for char in text) else _MARK
