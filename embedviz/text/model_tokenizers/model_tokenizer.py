"""The tokenizer of a model, from its `tokenizer.json`, which anybody may have written. Another process runs it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import cachetools
import numpy as np
import orjson

from embedviz.base.concurrency import pipe_messages
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_
from embedviz.text.model_tokenizers import tokenizer_process
from embedviz.text.model_tokenizers.spelling import piece_text, unused
from embedviz.text.model_tokenizers.tokenizer_process import MAX_FILE, Refused
from embedviz.text.visible import isolated, visible

_CUTS_BYTES = 2**23  # of recent texts with their tokens
_REFUSALS = {
    "damaged": N_("The tokenizer.json of {name} is damaged, or of a kind that is not known here."),
    "more": N_("The tokenizer.json of {name} asks for more than any tokenizer needs; it is not used."),
    "slow": N_(
        "The tokenizer of {name} took too long and was stopped. Choose another model, or try a shorter text in a "
        "minute."
    ),
    "memory": N_("The tokenizer of {name} needs more memory than this server gives it. Choose another model."),
    "ended": N_("The tokenizer of {name} ended in the middle of its work. Change the text to try again."),
    "fails": N_("The tokenizer of {name} fails at this text. Change the text, or choose another model."),
    "unknown": N_("{name} has no token for '{part}' and none for unknown text. Leave it out."),
    "full": N_("Too many are waiting for the tokenizer of {name}. Try again in a minute."),
    "undecodable": N_("The tokenizer of {name} cannot turn its tokens back into a text. Choose another model."),
}


class File(NamedTuple):
    """The tokenizer.json of a model."""

    name: str
    data: bytes

    def ask(self, method: str, *parts: bytes) -> list[bytes]:
        """What a method of tokenizer_worker.Worker answers. Raises EmbedvizError as ModelTokenizer does."""
        try:
            return tokenizer_process.ask(self.data, method, *parts)
        except Refused as refused:
            kind = Unavailable if refused.word == "full" else EmbedvizError
            part = isolated(visible(refused.part))
            raise kind(_REFUSALS[refused.word], name=self.name, part=part) from refused


class Pieces(NamedTuple):
    """A text cut into T tokens: IDs, the bytes and characters of each, and the places of characters in no token."""

    ids: tuple[int, ...]
    pieces: tuple[bytes, ...]
    spans: tuple[tuple[int, int], ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True, eq=False)  # each is one object, so that the object itself can be a key
class ModelTokenizer:
    """The tokenizer of a model.

    n_ids: every ID is below it. special: the IDs of the special tokens, such as [CLS]. added: those and the IDs of all
    other tokens that stand beside the model's own vocabulary. adds: the special tokens that the tokenizer puts around a
    text, in their order; none for most tokenizers. prefix_means: whether a space before a text changes
    its first token; it does not where spaces are left out, or where the tokenizer itself puts a space before the first
    word. has_spaces: whether spaces are parts of tokens; WordPiece leaves them out.

    Every method raises EmbedvizError if the file or the text makes it impossible, or if it takes too long, and
    Unavailable if too many others are waiting.
    """

    file: File
    n_ids: int
    special: frozenset[int]
    added: frozenset[int]
    adds: tuple[str, ...]
    prefix_means: bool
    has_spaces: bool

    def cut(self, text: str, special_tokens: bool) -> Pieces:
        """Cut a text, in which names of special tokens are ordinary text. special_tokens: whether to add its own."""
        return _cut(self.file, text, special_tokens)

    def ids(self, text: str) -> np.ndarray:
        """The IDs of a text alone, without special tokens around it: int32 of shape (N,)."""
        (ids,) = self.file.ask("ids", text.encode())
        return np.frombuffer(ids, np.int32)

    def pieces(self, ids: Iterable[int]) -> list[bytes | None]:
        """The bytes that each ID stands for, or None for an ID that stands for no token."""
        known = [int(id_) if 0 <= id_ < self.n_ids else self.n_ids for id_ in ids]
        return pipe_messages.split(*self.file.ask("pieces", pipe_messages.packed(known)))

    def vocabulary(self) -> list[bytes | None]:
        """The bytes that each of all IDs stands for, or None for one that stands for no token."""
        return pipe_messages.split(*self.file.ask("vocabulary"))

    def texts(self, ids: Iterable[int]) -> list[str]:
        """The text of each ID; an ID that stands for no token is named, such as `<unused 7>`."""
        ids = list(ids)
        pieces = zip(ids, self.pieces(ids), strict=True)
        return [unused(id_) if piece is None else piece_text(piece) for id_, piece in pieces]

    def decoded(self, ids: Iterable[int]) -> str:
        """The text that the tokenizer makes of the IDs. It is not always the one that was cut."""
        (text,) = self.file.ask("decoded", pipe_messages.packed(ids))
        return text.decode()


def built(name: str, data: bytes) -> ModelTokenizer:
    """The tokenizer of a model, from its tokenizer.json.

    It neither pads nor truncates, though the file may ask for it, and a token's space counts as part of it.

    Raises EmbedvizError for a file that is too large, is no such file, asks for what no tokenizer needs, or takes too
    long or too much memory; and Unavailable if too many others are waiting.
    """
    if len(data) > MAX_FILE:
        raise EmbedvizError(
            "The tokenizer.json of {name} has {size:,} bytes, and at most {most:,} are read.",
            name=name,
            size=len(data),
            most=MAX_FILE,
        )
    file = File(name, data)
    said, *ids = file.ask("about")
    special, added = (frozenset(pipe_messages.numbers(part)) for part in ids)
    found = orjson.loads(said)
    return ModelTokenizer(file, special=special, added=added, **found | {"adds": tuple(found["adds"])})


_cuts = cachetools.LRUCache[Any, Pieces](
    _CUTS_BYTES, lambda pieces: 300 * (1 + len(pieces.ids))
)  # what Python takes for a token


@cachetools.cached(_cuts, lambda file, *cut: (tokenizer_process.digest(file.data), *cut), condition=Waiting())
def _cut(file: File, text: str, special_tokens: bool) -> Pieces:
    ids, starts, ends, dropped, *pieces = file.ask("cut", text.encode(), b"%d" % special_tokens)
    numbers = [tuple(pipe_messages.numbers(part)) for part in (ids, starts, ends, dropped)]
    cut = tuple(cast("list[bytes]", pipe_messages.split(*pieces)))  # of a text, each token has its bytes
    return Pieces(numbers[0], cut, tuple(zip(numbers[1], numbers[2], strict=True)), numbers[3])
