"""The other process of tokenizer_process.py: it builds one tokenizer from its file and answers questions, in limits.

The first message to it is the file. Each later message names a method of Worker and what it is given. Every message
begins with the seconds of the processor that the answer may take, and every answer with "ok", or with the word for what
was wrong. It imports nothing that takes long, so that it starts at once.
"""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import cast

import orjson
from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordLevel, WordPiece

from embedviz.base.concurrency import pipe_messages
from embedviz.text.model_tokenizers.coverage import Coverage, adapted
from embedviz.text.model_tokenizers.spelling import piece_text, spelling_of

try:
    import resource
except ImportError:  # not on Windows, where the server alone counts seconds
    resource = None

MAX_IDS = 2**20  # XLM-V, the largest vocabulary in use, has 0.9 million
_MAX_ADDED = 100_000  # tokens beside the model's own vocabulary; Gemma 3 has 6,000
_MAX_NAME = 4096  # characters of a token's name; the longest in use have some hundred
_MAX_AROUND = 64  # tokens put around a text
_MAX_GROWTH = 16  # tokens, and bytes of them, for each byte of a text; NFKC makes 33 of the three of U+FDFA
_MAX_PART = 60  # characters of a part of a text that is named
_WORD, _PART = re.compile(r"\S+"), re.compile(r"\w+|[^\w\s]")
_PROBES = ("the", "a")
_HAS_BYTES = re.compile(rb'"byte_fallback"\s*:\s*true')


class Refused(Exception):
    """The file or the text makes an answer impossible. args: the parts of the answer that says so."""


class Worker:
    """A tokenizer. Its public methods answer questions; each raises Refused."""

    def __init__(self, data: bytes) -> None:
        with _refusing(b"damaged"):
            self._tokenizer = Tokenizer.from_buffer(data)  # which takes half the memory that Python would
            sections = adapted(self._tokenizer)
            self._spelling = spelling_of(sections, has_bytes=bool(_HAS_BYTES.search(data)))
            self._added = self._tokenizer.get_added_tokens_decoder()
            if self._tokenizer.get_vocab_size() > MAX_IDS or len(self._added) > _MAX_ADDED:
                raise Refused(b"more")
            names = self._tokenizer.get_vocab(with_added_tokens=True)
            self.n_ids = max(self._tokenizer.get_vocab_size(), 1 + max(names.values(), default=-1))
            if self.n_ids > MAX_IDS or max(map(len, names), default=0) > _MAX_NAME:
                raise Refused(b"more")
            self._coverage = Coverage(self._tokenizer, sections.get("normalizer"))

    def about(self) -> list[bytes]:
        """What is true of any text, as JSON; the IDs of the special tokens, and of all that were added."""
        said = {
            "n_ids": self.n_ids,
            "adds": self._adds(),
            "prefix_means": any(map(self._changes, _PROBES)),
            "has_spaces": self._spelling.has_spaces,
        }
        special = (id_ for id_, token in self._added.items() if token.special)
        return [orjson.dumps(said), pipe_messages.packed(special), pipe_messages.packed(self._added)]

    def _adds(self) -> list[str]:
        with _refusing(b"damaged"):  # an empty text has nothing that could be wrong
            found = self._tokenizer.encode("")
        if len(found) > _MAX_AROUND:
            raise Refused(b"more")
        own = [id_ for id_, special in zip(found.ids, found.special_tokens_mask, strict=True) if special]
        return [piece_text(piece) for piece in self._known(own)]

    def _changes(self, probe: str) -> bool:
        """Whether a space before the probe changes its first token. The tokenizer may put one there itself."""
        try:
            without, with_space = (self._encoded(text, special_tokens=False).ids for text in (probe, f" {probe}"))
            return without != with_space and not b"".join(self._known(without)).startswith(b" ")
        except Refused:  # it does not know the probe
            return False

    def cut(self, text: bytes, special_tokens: bytes) -> list[bytes]:
        """The tokens of a text: their IDs, starts and ends, the places of characters in none, and the pieces."""
        whole = text.decode()
        found = self._encoded(whole, special_tokens == b"1")
        pieces = self._known(found.ids)
        if sum(map(len, pieces)) > _MAX_AROUND * _MAX_NAME + _MAX_GROWTH * len(text):
            raise Refused(b"more")
        spans = self._coverage.spans(whole, found, pieces)
        edges = (pipe_messages.packed(span[side] for span in spans) for side in (0, 1))
        dropped = pipe_messages.packed(self._coverage.dropped(whole, spans, pieces))
        return [pipe_messages.packed(found.ids), *edges, dropped, *pipe_messages.join_pieces(pieces)]

    def ids(self, text: bytes) -> list[bytes]:
        """The IDs of a text alone, without special tokens around it."""
        return [pipe_messages.packed(self._encoded(text.decode(), special_tokens=False).ids)]

    def pieces(self, ids: bytes) -> list[bytes]:
        """The pieces of IDs, and none for an ID that stands for no token."""
        return pipe_messages.join_pieces(map(self._piece, pipe_messages.numbers(ids)))

    def vocabulary(self) -> list[bytes]:
        """The pieces of all IDs."""
        return pipe_messages.join_pieces(map(self._piece, range(self.n_ids)))

    def decoded(self, ids: bytes) -> list[bytes]:
        """The text that the tokenizer makes of IDs. It is not always the one that was cut."""
        with _refusing(b"undecodable"):
            return [self._tokenizer.decode(pipe_messages.numbers(ids), skip_special_tokens=False).encode()]

    def _encoded(self, text: str, special_tokens: bool) -> Encoding:
        try:
            with _refusing(b"fails"):
                found = self._tokenizer.encode(text, add_special_tokens=special_tokens)
        except Refused as refused:
            if "unk" in str(refused.__cause__).lower():
                raise Refused(b"unknown", self._culprit(text).encode()) from refused
            raise
        if len(found) > _MAX_AROUND + _MAX_GROWTH * len(text.encode()):
            raise Refused(b"more")
        return found

    def _culprit(self, text: str) -> str:
        """The first part of a text that fails alone: a character, or a word if the model looks words up."""
        word = self._first(_WORD.findall(text), text)
        if isinstance(self._tokenizer.model, WordLevel | WordPiece):
            return self._first(_PART.findall(word), word)[:_MAX_PART]
        # A character may have no token of its own and be known as a part of others, so it is tried with those before.
        starts = [word[:n] for n in range(min(len(word), _MAX_PART), 0, -1)]
        known = next((start for start in starts if not self._fails(start)), "")
        return word[len(known) :][:1]

    def _first(self, parts: list[str], otherwise: str) -> str:
        return next(filter(self._fails, dict.fromkeys(parts)), otherwise)

    def _fails(self, part: str) -> bool:
        try:
            with _refusing(b"fails"):
                self._tokenizer.encode(part, add_special_tokens=False)
        except Refused:
            return True
        return False

    def _known(self, ids: Iterable[int]) -> list[bytes]:
        pieces = [self._piece(id_) for id_ in ids]
        if None in pieces:
            raise Refused(b"damaged")
        return cast("list[bytes]", pieces)

    def _piece(self, id_: int) -> bytes | None:
        """The bytes that an ID stands for."""
        token = self._tokenizer.id_to_token(id_)
        if token is None:
            return None
        # An added token is spelled as it is, except that Gemma's runs of spaces have SentencePiece's letter.
        literal = id_ in self._added and (self._spelling.letters or self._added[id_].special)
        return token.encode() if literal else self._spelling.piece(token)


@contextmanager
def _refusing(word: bytes) -> Iterator[None]:
    """Turn the library's errors into Refused. They are bare exceptions, and its panics are not even that."""
    try:
        yield
    except (MemoryError, Refused):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise Refused(word) from error


def _allow(seconds: float) -> None:
    """Let the system end this process if it computes for longer, since the library lets no other thread look."""
    if resource:
        _now, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, most))


def main() -> None:
    """Answer until nobody asks any more. The argument is how many bytes of memory this may take."""
    if resource:
        with suppress(ValueError, OSError):  # macOS limits no memory
            most = int(sys.argv[1])
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    questions, answers, worker = sys.stdin.buffer, sys.stdout.buffer, None
    while True:
        seconds, *asked = pipe_messages.receive(questions)
        _allow(float(seconds))
        try:
            if not worker:
                worker, answer = Worker(*asked), []
            else:
                method, *given = asked
                answer = getattr(worker, method.decode())(*given)
            pipe_messages.send(answers, [b"ok", *answer])
        except Refused as refused:
            pipe_messages.send(answers, refused.args)
        except MemoryError:
            pipe_messages.send(answers, [b"memory"])


if __name__ == "__main__":
    main()
