"""The translations as files: which languages there are, and what each file says.

A language is known by the tag that HTML and browsers use, such as "de" or "pt-BR". Its file has an underscore for the
hyphen, as gettext has it: `pt_BR.po`.
"""

import re
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

from embedviz.base.errors import SetupError
from embedviz.base.settings import ENGLISH, LOCALE, configured, translation

TEMPLATE = LOCALE / "embedviz.pot"
# The texts in a component's HTML, with a context before them if they have one. A rule of a style begins with a space.
IN_HTML = re.compile(r"\{(?:([^\s|{}][^|{}]*)\|)?(\S[^{}|]*)\}")
_TAG = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]+)*")


@cache
def languages() -> Mapping[str, Path | None]:
    """The file of each language that may be chosen, by tag, in order; that of EMBEDVIZ_LANGUAGE comes before ours."""
    files = {path.stem.replace("_", "-"): path for path in LOCALE.glob("*.po")}
    named = translation(configured().language)
    if named and named not in files.values():
        files[read(named)[1]] = named
    return dict(sorted({ENGLISH: None, **files}.items()))


@cache
def default_language() -> str:
    """The tag of the language for visitors who ask for none that is here: what EMBEDVIZ_LANGUAGE says."""
    file = translation(configured().language)
    return next(tag for tag, path in languages().items() if path == file)


@cache
def catalogue(tag: str) -> NullTranslations:
    """The translations into a language, which are read when the first text is needed."""
    path = languages()[tag]
    return read(path)[0] if path else NullTranslations()


@cache
def read(path: Path) -> tuple[GNUTranslations, str]:
    """Read a translation and its tag. What is missing or fuzzy stays English. Raises SetupError, which says where."""
    from babel.messages.mofile import write_mo  # noqa: PLC0415 a program in English needs neither
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415

    compiled = BytesIO()
    try:
        with path.open("rb") as file:
            found = read_po(file, abort_invalid=True)
        write_mo(compiled, found)
        compiled.seek(0)
        texts = GNUTranslations(compiled)
    except PoFileError as error:
        raise SetupError(f"{path}, line {error.lineno + 1}: this is no translation: {error}") from error
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} cannot be read as a translation: {error}") from error
    for entry in found:
        if entry.id and not entry.fuzzy:
            _check(f"{path}, line {entry.lineno}", _texts_of(entry.id), _texts_of(entry.string))
    tag = found.locale_identifier or path.stem
    return texts, tag.replace("_", "-") if _TAG.fullmatch(tag) else ENGLISH


def _texts_of(entry: object) -> tuple[str, ...]:
    """The text of an entry, or its singular and plural."""
    return tuple(map(str, entry)) if isinstance(entry, (tuple, list)) else (str(entry),)


def _check(place: str, original: tuple[str, ...], translated: tuple[str, ...]) -> None:
    """Check that a translation has the same fields as its original. A plural form may leave the number out."""
    is_plural = len(original) > 1
    wanted = set().union(*map(fields, original))
    for text in filter(None, translated):
        try:
            found = fields(text) if wanted else set()
        except ValueError as error:
            raise SetupError(f"{place}: {text!r} has a brace too many or too few ({error}).") from error
        missing = wanted - found - ({field for field in wanted if field[0] == "n"} if is_plural else set())
        if missing or found - wanted:
            raise SetupError(
                f"{place}: {text!r} has {_listed(found)} where the original, {original[0]!r}, has {_listed(wanted)}."
            )


def fields(text: str) -> set[tuple[str, str]]:
    """The names in braces, each with its format. Raises ValueError for a brace that has no partner."""
    return {
        (name, (f"!{conversion}" if conversion else "") + (spec or ""))
        for _text, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }


def _listed(links: set[tuple[str, str]]) -> str:
    return ", ".join("{" + name + (f":{spec}" if spec else "") + "}" for name, spec in sorted(links)) or "none"
