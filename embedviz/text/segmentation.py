"""One text cut by several tokenizers, and where they agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.tokens import Tokens, prefixed, tokenize


@dataclass(frozen=True)
class Cut:
    """The text under one tokenizer. n_bytes: of what it covers. boundaries: places between characters where it cuts."""

    tokens: Tokens
    n_bytes: int
    boundaries: frozenset[int]

    @property
    def bytes_per_token(self) -> float:
        """How many bytes a token has on average; NaN if there are no tokens."""
        return self.n_bytes / len(self.tokens) if len(self.tokens) else float("nan")

    @property
    def split(self) -> frozenset[int]:
        """The places of the characters that are spread over several tokens."""
        covered = Counter(n for start, end in self.tokens.spans for n in range(start, end))
        return frozenset(n for n, times in covered.items() if times > 1)


@dataclass(frozen=True)
class Segmentation:
    """One text under several tokenizers.

    text: lone surrogates replaced. special_tokens: whether models have put their own around it. differing: the places
    where some of the tokenizers cut and others do not; shared: where all of them cut; pieces: (start, end) of the
    stretches between which any token starts or ends.
    """

    text: str
    prefix_space: bool
    special_tokens: bool
    cuts: tuple[Cut, ...]
    differing: frozenset[int]
    shared: frozenset[int]
    pieces: tuple[tuple[int, int], ...]


def segment(
    text: str,
    tokenizers: Sequence[str],
    prefix_space: bool = False,
    *,
    special_tokens: bool = True,
    vocabulary: tuple[str, ...] = (),
) -> Segmentation:
    """Cut the text by each of the tokenizers, at least one; see tokenize for the settings and for errors."""
    found = [
        tokenize(text, name, prefix_space, special_tokens=special_tokens, vocabulary=vocabulary) for name in tokenizers
    ]
    text = found[0].text
    cuts = tuple(Cut(tokens, _n_bytes(tokens, prefix_space), boundaries(tokens)) for tokens in found)
    shared = frozenset.intersection(*(cut.boundaries for cut in cuts))
    every = frozenset.union(*(cut.boundaries for cut in cuts))
    pieces = tuple(pairwise(sorted({0, len(text)}.union(*map(_edges, found)))))
    return Segmentation(text, prefix_space, special_tokens, cuts, every - shared, shared, pieces)


def boundaries(tokens: Tokens) -> frozenset[int]:
    """The places between two characters where a token starts or ends, and which are inside no token."""
    inside = {n for start, end in tokens.spans for n in range(start + 1, end)}
    return frozenset(_edges(tokens) - inside - {0, len(tokens.text)})


def _edges(tokens: Tokens) -> set[int]:
    return {edge for span in tokens.spans for edge in span}


def _n_bytes(tokens: Tokens, prefix_space: bool) -> int:
    if tokens.tokenizer == "words":  # leaves white space out
        return len("".join(tokens.texts).encode())
    if not (model := model_tokens.tokenizer_of(tokens.tokenizer)):  # leaves nothing out
        return len(prefixed(tokens.text, prefix_space).encode())
    left_out = set(tokens.uncovered)
    covered = "".join(char for n, char in enumerate(tokens.text) if n not in left_out)
    added = prefixed(tokens.text, prefix_space and model.prefix_means).removesuffix(tokens.text)
    return len(f"{covered}{added}".encode())
