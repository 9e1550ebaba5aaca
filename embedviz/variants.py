"""One word under two token IDs, and why."""

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
        if not part and any(map(str.isalnum, text))
    }
    in_order = sorted(forms, key=lambda form: (_word(form), form[0].startswith(" "), form[1]))
    words = ((word, tuple(group)) for word, group in groupby(in_order, key=_word))
    return [_variant(word, group) for word, group in words if len(group) > 1]


def _word(form: tuple[str, int]) -> str:
    return form[0].removeprefix(" ").lower()


def _variant(word: str, forms: tuple[tuple[str, int], ...]) -> Variant:
    texts = [text for text, _ in forms]
    return Variant(
        word,
        forms,
        by_space=len({text.startswith(" ") for text in texts}) > 1,
        by_case=len({text.removeprefix(" ") for text in texts}) > 1,
    )
