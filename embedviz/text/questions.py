"""Questions of the site's own language: which one two sentences can be asked, and what the right answer is."""

from collections.abc import Sequence
from functools import cache

from embedviz.text import grammar

_RIGHT_WORDS = {item[:-2]: item[-2] for item in (*grammar.LEARNED, *grammar.HELD_OUT)}  # by question


def question_of(texts: Sequence[str]) -> str:
    """The question of the language that all of these sentences can be asked; empty if there is none."""
    asked = [" ".join(text.split()) for text in texts]

    def fits(end: str) -> bool:
        return all(tuple(f"{text} {end}".split()) in _RIGHT_WORDS for text in asked)

    return next(filter(fits, questions()), "")


def asked(texts: Sequence[str]) -> list[str]:
    """The sentences with the question that all of them can be asked after them; without one if there is none."""
    question = question_of(texts)
    return [f"{text.strip()} {question}".strip() for text in texts]


def right_word(tokens: Sequence[str]) -> str | None:
    """The right answer to a question of the language; None if it is none."""
    return _RIGHT_WORDS.get(tuple(tokens))


@cache
def questions() -> list[str]:
    """All questions of the language, each with the comma before it."""
    return list(dict.fromkeys(" ".join(item[item.index(",") :]) for item in _RIGHT_WORDS))


def patterns() -> list[tuple[str, str]]:
    """Regular expressions, for JavaScript, of all sentences with their questions, and which noun is the answer: n or m.

    An item of the language has two different nouns, which the expressions do not ask for.
    """
    nouns, places = "|".join(grammar.NOUNS), f"(?:{'|'.join(grammar.PLACES)})"
    n, m = f"(?<n>{nouns})", f"(?<m>{nouns})"
    verbs = {form: grammar.RESTS if "{place}" in text else grammar.PARTICIPLES for form, text in grammar.FORMS.items()}
    items = [grammar.item(form, n, verb, m, places) for form, known in verbs.items() for verb in known]
    return [(f"^{' '.join(item[:-2]).replace(' ?', ' [?]')}$", "n" if item[-2] == n else "m") for item in items]
