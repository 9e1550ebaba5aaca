"""The tokenizer of a model, built from its `tokenizer.json`, which anybody may have written.

The library `tokenizers` cuts the text. What it panics at is no `Exception` in Python, and is an EmbedvizError here.
"""

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import orjson
from tokenizers import AddedToken, Encoding, Tokenizer

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.text.spelling import Spelling, parts, shown, spelling_of, unused

MAX_BYTES = configured().tokenizer_mib * 2**20  # of a file; Gemma 3's has 33 million
MAX_IDS = 2_000_000  # XLM-V, the largest vocabulary in use, has 0.9 million
_MAX_GROWTH = 1000  # how many times as long all steps before the model may make a text
_MAX_SPECIAL = 64  # tokens put around a text
_PROBES = ("the", "a")


class Pieces(NamedTuple):
    """A text cut into T tokens: their IDs, the bytes that each stands for, and the characters that it covers."""

    ids: list[int]
    pieces: list[bytes]
    spans: list[tuple[int, int]]


@dataclass(frozen=True, eq=False)  # each is one object, in which its properties are kept
class ModelTokenizer:
    """The tokenizer of a model.

    n_ids: every ID is below it. added: what stands in the file beside the model's own vocabulary, by ID.
    Every method raises EmbedvizError if the file makes it impossible.
    """

    name: str
    tokenizer: Tokenizer
    spelling: Spelling
    n_ids: int
    added: Mapping[int, AddedToken]

    @cached_property
    def special(self) -> frozenset[int]:
        """The IDs of the special tokens, such as [CLS]."""
        return frozenset(id_ for id_, token in self.added.items() if token.special)

    @cached_property
    def adds(self) -> tuple[str, ...]:
        """The special tokens that the tokenizer puts around a text, in their order; none for most tokenizers."""
        found = self._encoded("", special_tokens=True)
        return tuple(self.text(id_) for id_, mask in zip(found.ids, found.special_tokens_mask, strict=True) if mask)

    @cached_property
    def prefix_means(self) -> bool:
        """Whether a space before a text changes its first token.

        It does not where spaces are left out, or where the tokenizer itself puts a space before the first word.
        """
        return any(self._changes(probe) for probe in _PROBES)

    def _changes(self, probe: str) -> bool:
        without, with_space = (self.cut(text, special_tokens=False) for text in (probe, f" {probe}"))
        return without.ids != with_space.ids and not (without.pieces and without.pieces[0].startswith(b" "))

    def cut(self, text: str, special_tokens: bool) -> Pieces:
        """Cut a text. special_tokens: whether the tokenizer puts its own around it.

        The name of a special token within the text is ordinary text. A special token covers no character.
        """
        found = self._encoded(text, special_tokens)
        try:
            pieces = [self.piece(id_) for id_ in found.ids]
        except KeyError as error:
            raise _damaged(self.name) from error
        return Pieces(found.ids, pieces, _without_own_space(pieces, _spans(text, found)))

    def ids(self, text: str) -> list[int]:
        """The IDs of a text alone, without special tokens around it."""
        return self._encoded(text, special_tokens=False).ids

    def _encoded(self, text: str, special_tokens: bool) -> Encoding:
        with _in_plain_words(self.name):
            return self.tokenizer.encode(text, add_special_tokens=special_tokens)

    def piece(self, id_: int) -> bytes:
        """The bytes that an ID stands for. Raises KeyError if it stands for no token."""
        token = self.tokenizer.id_to_token(id_) if 0 <= id_ < self.n_ids else None
        if token is None:
            raise KeyError(id_)
        # An added token is spelled as it is, except that Gemma's runs of spaces have SentencePiece's letter.
        literal = id_ in self.added and (self.spelling.letters or id_ in self.special)
        return token.encode() if literal else self.spelling.piece(token)

    def text(self, id_: int) -> str:
        """The text of an ID; an ID that stands for no token is named, such as `<unused 7>`."""
        try:
            return shown(self.piece(id_))
        except KeyError:
            return unused(id_)

    def decoded(self, ids: Sequence[int]) -> str:
        """The text that the tokenizer makes of the IDs. It is not always the one that was cut."""
        with _in_plain_words(self.name):
            return self.tokenizer.decode(ids, skip_special_tokens=False)


def built(name: str, data: bytes) -> ModelTokenizer:
    """Build the tokenizer of a model from its tokenizer.json.

    It neither pads nor truncates, though the file may ask for it, and a token's space counts as part of it.

    Raises EmbedvizError for a file that is too large, is no such file, or asks for what no tokenizer needs.
    """
    if len(data) > MAX_BYTES:
        raise EmbedvizError(
            _(
                "The tokenizer.json of {name} has {size:,} bytes; {most:,} are the most.",
                name=name,
                size=len(data),
                most=MAX_BYTES,
            )
        )
    with _in_plain_words(name):
        config = _adapted(orjson.loads(data))
        tokenizer = Tokenizer.from_buffer(orjson.dumps(config))
        tokenizer.encode_special_tokens = True  # their names in a text are ordinary text
        added = tokenizer.get_added_tokens_decoder()
        last = max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
        n_ids = max(tokenizer.get_vocab_size(with_added_tokens=True), last + 1)
        n_special = tokenizer.num_special_tokens_to_add(False)
    if n_ids > MAX_IDS or n_special > _MAX_SPECIAL or _growth(config) > _MAX_GROWTH:
        raise EmbedvizError(
            _("The tokenizer.json of {name} asks for more than any tokenizer needs; it is not used.", name=name)
        )
    return ModelTokenizer(name, tokenizer, spelling_of(config), n_ids, added)


def _adapted(config: dict) -> dict:
    changed = config | {"padding": None, "truncation": None}
    for section in ("pre_tokenizer", "post_processor"):
        for step in parts(changed.get(section)):
            if "trim_offsets" in step:  # it would take the space out of the span, though it is in the token
                step["trim_offsets"] = False
    return changed


def _growth(config: Mapping) -> float:
    """About how many times as long the steps before the model can make a text."""
    steps = [step for section in ("normalizer", "pre_tokenizer") for step in parts(config.get(section))]
    return math.prod(map(_growth_of, steps))


def _growth_of(step: Mapping) -> int:
    if step.get("type") == "ByteLevel":
        return 2  # a letter that stands for a byte may itself have two bytes
    return max(1, *(len(str(step.get(name, ""))) for name in ("content", "prepend")))


def _spans(text: str, found: Encoding) -> list[tuple[int, int]]:
    """The characters of each token. A special token stands at one end of the text, or after the token before it."""
    spans: list[tuple[int, int]] = []
    rest = found.special_tokens_mask.count(0)
    for (start, end), special in zip(found.offsets, found.special_tokens_mask, strict=True):
        rest -= not special
        if special:
            place = (spans[-1][1] if spans else 0) if rest else len(text)
            spans.append((place, place))
        else:
            spans.append((min(start, len(text)), min(end, len(text))))  # of a strange file they are beyond it
    return _with_marks(text, spans)


def _with_marks(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Let a token cover the accents that stand on its last letter, which a normalizer may have taken away."""
    longer = []
    for (start, end), (next_start, _next_end) in pairwise([*spans, (len(text), len(text))]):
        last = end
        while start < end <= last < next_start and unicodedata.category(text[last]).startswith("M"):
            last += 1
        longer.append((start, last))
    return longer


def _without_own_space(pieces: list[bytes], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Let a token cover nothing if it is just the space that the tokenizer has put before the first word.

    The library says that such a space comes from the text's first character, which the next token covers.
    """
    first = next((n for n, (start, end) in enumerate(spans) if start < end), len(spans))
    if first + 1 < len(spans) and pieces[first] == b" " and spans[first][0] == spans[first + 1][0]:
        return [*spans[:first], (0, 0), *spans[first + 1 :]]
    return spans


@contextmanager
def _in_plain_words(name: str) -> Iterator[None]:
    """Turn the library's errors into EmbedvizError, so that no text of the file's reaches the page."""
    try:
        yield
    except BaseException as error:  # the library raises bare exceptions, and its panics are not even that
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise _damaged(name) from error


def _damaged(name: str) -> EmbedvizError:
    return EmbedvizError(_("The tokenizer.json of {name} is damaged, or of a kind that is not known here.", name=name))
