"""The texts of the interface, each in the language of the visitor who reads it.

The English text is the key, as in GNU gettext, and stays where it is used: `_("{n:,} tokens on the map", n=n)`.
`make texts` collects all of them in `locale/embedviz.pot`, and a translation is one file beside it. Values are put in
after the translation and never read as a text themselves, so what a visitor typed may hold braces.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce
from numbers import Real
from typing import Any, NamedTuple

from embedviz.base.errors import translates_errors
from embedviz.base.locale.catalogues import TEMPLATE, catalogue, default_language, languages
from embedviz.base.settings import ENGLISH

NARROW_SPACE = "\u202f"
AFTER_CONTEXT = "\x04"  # parts a context from its text, as in gettext's own files
_WITH_COMMA = str.maketrans({",": NARROW_SPACE, ".": ","})
_DECIMALS = re.compile(r"\d,\d")

# Each thread and each request has a language of its own. Without a visitor it is the server's.
_language: ContextVar[str | None] = ContextVar("language", default=None)
_providers: list[Callable[[], str | None]] = []


def language() -> str:
    """The language of the texts here and now, as HTML names it: "en", "de", "pt-BR"."""
    return _language.get() or (_providers[0]() if _providers else None) or default_language()


def set_language_provider(visitors: Callable[[], str | None]) -> None:
    """Ask this function, wherever no language is spoken, for that of the visitor for whom a thread works, if any."""
    _providers[:] = [visitors]


@contextmanager
def use_language(tag: str) -> Iterator[None]:
    """Say all texts in a language while this lasts, in this thread alone."""
    before = _language.set(tag)
    try:
        yield
    finally:
        _language.reset(before)


def _(text: str, /, **values: Any) -> str:
    """Translate a text into the visitor's language, and put the values in the places of their names."""
    said = catalogue(language()).gettext(text)
    return _filled(said, values) if values else said


def pgettext(context: str, text: str, /, **values: Any) -> str:
    """Translate a text that has another meaning elsewhere. context: a few words that say which meaning it has here."""
    said = catalogue(language()).pgettext(context, text)
    return _filled(said, values) if values else said


def ngettext(one: str, many: str, n: int, /, **values: Any) -> str:
    """Translate a text in the singular or plural form that fits the number n. {n} in the text stands for n."""
    return _filled(catalogue(language()).ngettext(one, many, n), {"n": n, **values})


def numeral(value: Real | float, form: str = ",") -> str:
    """A number as the visitor's language writes it. form: as `format` knows it, such as ",.1f".

    Where the language has a comma before decimals, "1.000" would be read as a thousand and "19,869" as twenty. There
    decimals get their comma, and thousands a narrow space, which no language reads as anything else.
    """
    written = format(value, form)
    return written.translate(_WITH_COMMA) if _writing(language()).has_decimal_comma else written


class _Writing(NamedTuple):
    """How a language is written. direction: where its lines run to, as HTML says it. is_usual: as English is."""

    direction: str = "ltr"
    has_decimal_comma: bool = False
    is_usual: bool = True


@cache
def _writing(tag: str) -> _Writing:
    if tag == ENGLISH:
        return _Writing()
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 English does not need it

    try:
        found = Locale.parse(tag, sep="-")
    except UnknownLocaleError:  # a file may translate into any language, also into one that nobody speaks
        return _Writing()
    has_comma = found.number_symbols["latn"]["decimal"] == ","
    return _Writing(found.text_direction, has_comma, found.text_direction == "ltr" and not has_comma)


def direction(tag: str) -> str:
    """Where the lines of a language run to, as HTML says it: "ltr", to the right, or "rtl"."""
    return _writing(tag).direction


class _Numerals(string.Formatter):
    """Puts values into a text, with numbers as the visitor's language writes them. str.format is ten times as fast."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if not isinstance(value, Real):
            return format(value, format_spec)
        said = numeral(value, format_spec)
        return f"\u2066{said}\u2069" if direction(language()) == "rtl" else said  # or its sign would change sides


def _filled(text: str, values: dict[str, object]) -> str:
    if not (_writing(language()).is_usual or all(isinstance(value, str) for value in values.values())):
        return _Numerals().vformat(text, (), values)
    return text.format(**values)


def N_(text: str) -> str:
    """Mark a text, such as an option of a control, that is translated only where it is shown."""
    return text


def NP_(context: str, text: str) -> str:
    """Mark a text that has another meaning elsewhere, and that is translated only where it is shown."""
    return f"{context}{AFTER_CONTEXT}{text}"


@translates_errors
def translated(text: str, /, **values: Any) -> str:
    """Translate a text that N_ or NP_ marked into the visitor's language, and put the values into it."""
    context, sign, said = text.rpartition(AFTER_CONTEXT)
    if sign:
        return pgettext(context, said, **values)
    return _(text, **values) if text else ""


def joined(words: Sequence[str]) -> str:
    """Join several words for a sentence, with "and" before the last."""
    if len(words) < 2:
        return "".join(words)
    return _("{words} and {last}", words=listed(words[:-1]), last=words[-1])


def listed(words: Iterable[str]) -> str:
    """Join several words with commas, as the language writes them in a list; numbers with commas by semicolons."""
    words = list(words)
    if _writing(language()).has_decimal_comma and any(map(_DECIMALS.search, words)):
        return join_semicolons(words)
    return _chain(words, lambda words, word: _("{words}, {next}", words=words, next=word))


def first_and_more(named: Sequence[str], most: int = 6, join: Callable[[Sequence[str]], str] = listed) -> str:
    """Several words, joined, or the first of them and how many more there are."""
    more = len(named) - most
    return _("{names} and {n} more", names=listed(named[:most]), n=more) if more > 0 else join(named)


def join_semicolons(parts: Iterable[str]) -> str:
    """Join parts that may hold commas, as the language separates them."""
    return _chain(parts, lambda text, part: _("{text}; {next}", text=text, next=part))


def label_value(name: object, value: object) -> str:
    """A name, and after a colon what is said of it."""
    return _("{name}: {said}", name=name, said=value)


def in_parentheses(text: object, remark: object) -> str:
    """A text, and a remark in brackets."""
    return _("{text} ({remark})", text=text, remark=remark)


def full_stop(text: str) -> str:
    """A text with the language's full stop."""
    return _("{text}.", text=text)


def paragraph(sentences: Iterable[str]) -> str:
    """Join sentences with a space, in languages that have one there."""
    return _chain(sentences, lambda text, sentence: _("{text} {next}", text=text, next=sentence))


def _chain(parts: Iterable[str], join: Callable[[str, str], str]) -> str:
    first, *others = [*filter(None, parts)] or [""]
    return reduce(join, others, first)


def own_names() -> dict[str, str]:
    """The name of each language that a visitor may choose, in that language, by its tag."""
    # Translators: The name of your own language, in your language, as a menu of languages shows it.
    name = N_("English")
    return {tag: catalogue(tag).gettext(name) for tag in languages()}


@cache
def for_scripts(tag: str) -> dict[str, str]:
    """The translations of the texts in JavaScript, by their originals. In English, which the scripts hold, none.

    Before an original that has a context stand this and AFTER_CONTEXT.
    """
    if tag == ENGLISH:
        return {}
    from babel.messages.pofile import read_po  # noqa: PLC0415 English does not need it

    with TEMPLATE.open("rb") as file:
        marked = [entry for entry in read_po(file) if any(name.endswith(".js") for name, _line in entry.locations)]
    texts = [NP_(entry.context, str(entry.id)) if entry.context else str(entry.id) for entry in marked]
    with use_language(tag):
        return {text: translated(text) for text in texts}
