"""One word under two token IDs, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from embedviz.tokens import Tokens


@dataclass(frozen=True)
class Variant:
    """A word that occurs under several IDs.

    forms: (text, id), at least two, without a space first. by_space, by_case: what sets the forms apart.
    """

    word: str
    forms: tuple[tuple[str, int], ...]
    by_space: bool
    by_case: bool


def variants(*sentences: Tokens) -> list[Variant]:
    """The words of the sentences that have more than one ID because of a leading space or a capital."""
    forms = {
        (text, id_)
        for tokens in sentences
        for text, id_, part in zip(tokens.texts, tokens.ids, tokens.partial, strict=True)
        if not part and text.strip()
    }
    words = groupby(sorted(forms, key=lambda form: (_word(form[0]), form[0][:1].isspace(), form[1])), key=lambda form: _word(form[0]))
    return [_variant(word, tuple(group)) for word, group in _several(words)]


def _word(text: str) -> str:
    return text.strip().casefold()


def _several(words: Iterable[tuple[str, Iterable]]) -> Iterable[tuple[str, list]]:
    groups = ((word, list(group)) for word, group in words)
    return ((word, group) for word, group in groups if len(group) > 1)


def _variant(word: str, forms: tuple[tuple[str, int], ...]) -> Variant:
    texts = [text for text, _ in forms]
    return Variant(
        word,
        forms,
        by_space=len({text[:1].isspace() for text in texts}) > 1,
        by_case=len({text.strip() for text in texts}) > 1,
    )
