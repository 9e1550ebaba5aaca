"""The texts of the interface in the language that EMBEDVIZ_LANGUAGE names.

The English text is the key, as in GNU gettext, and stays where it is used: `_("{n:,} tokens on the map", n=n)`.
`make texts` collects all of them in `locale/embedviz.pot`; a translation is one file beside it, or anywhere else.
Values are put in after the translation and never read as a text themselves, so what a visitor typed may hold braces.
"""

import re
from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import ENGLISH, LOCALE, configured, translation

TEMPLATE = LOCALE / "embedviz.pot"
_TAG = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]+)*")


def _(text: str, /, **values: object) -> str:
    """Translate a text into the server's language, and put the values in the places of their names."""
    found = _catalogue().gettext(text)
    return found.format(**values) if values else found


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Translate a text in the singular or plural form that fits the number n. {n} in the text stands for n."""
    return _catalogue().ngettext(one, many, n).format(n=n, **values)


def N_(text: str) -> str:
    """Mark a text, such as an option of a control, that is translated only where it is shown."""
    return text


def translated(text: str, /, **values: object) -> str:
    """Translate a text that N_ marked into the server's language, and put the values in the places of their names."""
    return _(text, **values) if text else ""


def joined(words: Sequence[str]) -> str:
    """Join several words for a sentence, with "and" before the last."""
    if len(words) < 2:
        return "".join(words)
    return _("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


@cache
def _catalogue() -> NullTranslations:
    """The translations, which are read when the first text is needed: while the modules are loaded."""
    path = translation(configured().language)
    return read(path)[0] if path else NullTranslations()


def language() -> str:
    """The language of the texts, as HTML names it: "en", "de", "pt-BR"."""
    path = translation(configured().language)
    return read(path)[1] if path else ENGLISH


@cache
def read(path: Path) -> tuple[GNUTranslations, str]:
    """Read a translation and its language. Texts that it lacks or marks as fuzzy stay English.

    Raises EmbedvizError, which names the entry, if it is no .po file or if one of its texts could fail on a page.
    """
    from babel.messages.mofile import write_mo  # noqa: PLC0415 a server in English needs neither
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415

    compiled = BytesIO()
    try:
        with path.open("rb") as file:
            found = read_po(file, abort_invalid=True)
        write_mo(compiled, found)
        compiled.seek(0)
        catalogue = GNUTranslations(compiled)
    except (OSError, ValueError, PoFileError) as error:
        raise EmbedvizError(f"{path} cannot be read as a translation: {error}") from error
    for entry in found:
        if entry.id and not entry.fuzzy:
            _check(path, entry.id, entry.string)
    tag = found.locale_identifier or path.stem
    return catalogue, tag.replace("_", "-") if _TAG.fullmatch(tag) else ENGLISH


def _check(path: Path, original: str | tuple[str, ...], translated: str | tuple[str, ...]) -> None:
    """Check that a translation has the same fields as its original. A plural form may leave the number out."""
    is_plural = isinstance(original, tuple)
    wanted = set().union(*map(fields, original)) if is_plural else fields(original)
    for text in filter(None, translated if is_plural else (translated,)):
        try:
            found = fields(text) if wanted else set()
        except ValueError as error:
            raise EmbedvizError(f"{path}: {text!r} has a brace too many or too few ({error}).") from error
        missing = wanted - found - ({field for field in wanted if field[0] == "n"} if is_plural else set())
        if missing or found - wanted:
            raise EmbedvizError(
                f"{path}: {text!r} has {_listed(found)} where the original, {_first(original)!r}, "
                f"has {_listed(wanted)}."
            )


def fields(text: str) -> set[tuple[str, str]]:
    """The names in braces, each with its format. Raises ValueError for a brace that has no partner."""
    return {
        (name, (f"!{conversion}" if conversion else "") + (spec or ""))
        for _text, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }


def _first(original: str | tuple[str, ...]) -> str:
    return original if isinstance(original, str) else original[0]


def _listed(found: set[tuple[str, str]]) -> str:
    return ", ".join("{" + name + (f":{spec}" if spec else "") + "}" for name, spec in sorted(found)) or "none"


@cache
def for_scripts() -> dict[str, str]:
    """The translations of the texts in JavaScript, by their originals. In English, which the scripts hold, none."""
    path = translation(configured().language)
    if path is None:
        return {}
    from babel.messages.pofile import read_po  # noqa: PLC0415 as in `read`

    with TEMPLATE.open("rb") as file:
        marked = [entry.id for entry in read_po(file) if any(name.endswith(".js") for name, _line in entry.locations)]
    return {text: translated(text) for text in marked}
