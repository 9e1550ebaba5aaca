"""One word under two token IDs, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat

from embedviz.base.i18n import _, first_and_more, full_stop, in_parentheses, join_semicolons, joined, label_value
from embedviz.text.tokens import Tokens
from embedviz.text.visible import quoted


@dataclass(frozen=True)
class Variant:
    """A word of several IDs. forms: (text, id), those without a space first. by_space, by_case: what differs."""

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
    texts = [text for text, _id in forms]
    return Variant(
        word,
        forms,
        by_space=len({text.startswith(" ") for text in texts}) > 1,
        by_case=len({text.removeprefix(" ") for text in texts}) > 1,
    )


def reasons(variants: Sequence[Variant], labels: Iterable[str] = repeat("")) -> list[str]:
    """A sentence for each reason of several IDs, with its words. labels: what stands before each word's forms."""
    words: dict[str, list[str]] = {}
    for variant, label in zip(variants, labels, strict=False):
        forms = joined([in_parentheses(quoted(text), id_) for text, id_ in variant.forms])
        words.setdefault(_why(variant), []).append(label + forms)
    return [full_stop(label_value(first_and_more(forms, join=join_semicolons), why)) for why, forms in words.items()]


def _why(variant: Variant) -> str:
    if variant.by_space and variant.by_case:
        return _("the space before a word is part of its token, and a capital makes another one")
    if variant.by_space:
        return _("the space before a word is part of its token")
    return _("a capital makes another token")
