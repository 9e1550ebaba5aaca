"""All texts of the interface in one file: `python -m embedviz.base.locale.extract` writes the template anew.

It also brings the translations up to date and says how complete each of them is. Babel does this; `pyproject.toml` says
which files it reads, and how.

If the English of a text is changed, its translation may say something else now. It becomes fuzzy, with a comment on the
English that it was made from, and is no translation until somebody has read it. Only where nothing but the names in
braces is renamed, and all else is the same to the letter, the translation follows by itself.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po, write_po

from embedviz.base.locale.catalogues import IN_HTML, TEMPLATE
from embedviz.base.settings import LOCALE

ERRORS = ("EmbedvizError", "Unavailable", "Missing", "NotDownloaded")  # they mark their own messages
_WIDTH = 110
_WIDE = f"--width={_WIDTH}"
_BEFORE = "The English was: "
_NAME = re.compile(r"\{([A-Za-z]\w*)")
_KEYWORDS = (f"--keyword={name}" for name in ("N_", "NP_:1c,2", *ERRORS))
_EXTRACT = (
    *("extract", "--mapping=pyproject.toml", *_KEYWORDS, "--add-comments=Translators:", _WIDE),
    # Files are named without lines, so that moving a text inside a file changes nothing here.
    *("--omit-header", "--add-location=file"),
    *("pages", "embedviz", "data/lessons", "data/pairs.json", "data/texts/index.json"),
)


def names(file: BinaryIO, *_about: object, **_options: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """The names of samples in a data file. What is in another language has its name in that language."""
    for row in json.load(file):
        if "language" not in row:
            yield 0, None, row["name"], []


def lesson(file: BinaryIO, *_about: object, **_options: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """The texts of a lesson, each with the lesson's title and what it is there as a note for translators."""
    said = tomllib.load(file)
    for row in (said, *said["stations"]):
        for field, text in row.items():
            if isinstance(text, str) and field not in ("view", "then"):
                yield 0, None, text, [f"Translators: {field} in the lesson “{said['title']}”"]


def in_html(file: BinaryIO, *_about: object, **_options: Any) -> Iterator[tuple]:
    """The texts in the HTML of a component."""
    for context, text in IN_HTML.findall(file.read().decode()):
        yield (0, "pgettext", (context, text), []) if context else (0, None, text, [])


def write_template(path: Path) -> None:
    """Write each text once, in the order of the files. Run this in the project's folder."""
    _pybabel(*_EXTRACT, f"--output={path}")


def bring_up_to_date(path: Path, template: Path = TEMPLATE) -> None:
    """Give a translation the texts of the template in their order. What the interface no longer says is left out."""
    with path.open("rb") as said, template.open("rb") as now:
        catalogue, texts = read_po(said), read_po(now)
    known = {_key(entry) for entry in catalogue}
    catalogue.update(texts, no_fuzzy_matching=True, update_creation_date=False)
    gone = [entry for entry in catalogue.obsolete.values() if all(_forms(entry.string))]
    for entry in catalogue:
        if _key(entry) in known:
            entry.user_comments = entry.user_comments if entry.fuzzy else _without_english_before(entry.user_comments)
        else:
            _take_over(entry, [old for old in gone if old.pluralizable == entry.pluralizable])
    with path.open("wb") as file:
        write_po(file, catalogue, width=_WIDTH, ignore_obsolete=True)


def _take_over(entry: Message, gone: Sequence[Message]) -> None:
    """Give a new text the translation of the text that it was before, if there is one that is similar."""
    if renamed := [old for old in gone if _without_names(old) == _without_names(entry)]:
        entry.string, entry.flags = _renamed(renamed[0], entry), renamed[0].flags
    elif near := get_close_matches(str(entry.id), [str(old.id) for old in gone], 1):
        old = next(old for old in gone if str(old.id) == near[0])
        entry.string, entry.flags = old.string, entry.flags | {"fuzzy"}
        entry.user_comments = [*entry.user_comments, _BEFORE + " / ".join(_forms(old.id))]


def _without_english_before(comments: Sequence[str]) -> list[str]:
    """Translators' comments, but for the last of several lines, which says what a fuzzy translation was made from."""
    return [*takewhile(lambda line: not line.startswith(_BEFORE), comments)]


def _renamed(old: Message, now: Message) -> str | tuple[str, ...]:
    """The translation of a text, for one whose values have other names."""
    pairs = zip(_forms(old.id), _forms(now.id), strict=True)
    names = {before: after for was, is_ in pairs for before, after in zip(_names(was), _names(is_), strict=True)}
    forms = [_NAME.sub(lambda found: "{" + names.get(found[1], found[1]), form) for form in _forms(old.string)]
    return tuple(forms) if old.pluralizable else forms[0]


def _key(entry: Message) -> tuple[object, object]:
    return entry.id, entry.context


def _without_names(entry: Message) -> tuple[object, ...]:
    return entry.context, *(_NAME.sub("{", form) for form in _forms(entry.id))


def _names(text: str) -> list[str]:
    return [found[1] for found in _NAME.finditer(text)]


def _forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else (str(text),)


def completeness(path: Path) -> tuple[int, int]:
    """How many of its texts a translation says, and how many there are."""
    with path.open("rb") as file:
        texts = [entry for entry in read_po(file) if entry.id]
    said = [all(entry.string or ()) if entry.pluralizable else bool(entry.string) for entry in texts if not entry.fuzzy]
    return sum(said), len(texts)


def _pybabel(*arguments: str) -> None:
    CommandLineInterface().run(["pybabel", "--quiet", *arguments])


def main() -> None:
    """Write the template and the translations anew, and print how complete these are. What is fuzzy is missing."""
    write_template(TEMPLATE)
    for path in sorted(LOCALE.glob("*.po")):
        bring_up_to_date(path)
        n_said, n = completeness(path)
        print(f"{path.stem:8} {n_said:,} of {n:,} texts, {n_said / n:.1%}")


if __name__ == "__main__":
    main()
