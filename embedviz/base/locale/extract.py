"""All texts of the interface in one file: `python -m embedviz.base.locale.extract` writes the template anew.

It also brings the translations up to date and says how complete each of them is.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from embedviz.base.i18n import TEMPLATE
from embedviz.base.settings import LOCALE, ROOT

ERRORS = ("EmbedvizError", "Unavailable", "Missing", "Full", "NotDownloaded")  # they mark their own messages
_KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)} | dict.fromkeys(ERRORS)
_NOTES = ("Translators:",)  # comments that begin so are extracted with the text below them
# Which files are read by which extractor. The names of samples are in data files.
_SOURCES = [
    (f"{room}/**/*.{end}", read)
    for end, read in (("py", "python"), ("js", "javascript"))
    for room in ("pages", "embedviz")
]
_NAMES = ("data/pairs.json", "data/texts/index.json")
_ABOUT = """\
# The texts of embedviz. A translation is a file such as de.po beside this one, with each msgstr filled in.
# What stands in braces is put in by the program: it must stand in the translation too, letter by letter,
# wherever the sentence needs it. CONTRIBUTING.md says more."""
_ABOUT_TRANSLATION = "# The texts of embedviz in another language. glossary/{name}.md says how its terms were chosen."
# Only the part of the header that a template needs: dates would change even if no text does.
_LEFT_OUT = re.compile(
    rb'"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team'
    rb"|Generated-By): .*\n"
)


def template() -> bytes:
    """The content that the template should have now: each text once, in the order of the files, with the file names."""
    return _written(_filled(Catalog(fuzzy=False, charset="utf-8", header_comment=_ABOUT)))


def up_to_date(path: Path) -> tuple[bytes, int, int]:
    """The content that a translation should have now, how many of its texts are translated, and how many there are.

    It has the texts of the template in their order. What the interface no longer says is left out.
    """
    with path.open("rb") as file:
        old = read_po(file)
    said = {entry.id: entry.string for entry in old if not entry.fuzzy}
    about = _ABOUT_TRANSLATION.format(name=path.stem)
    new = _filled(Catalog(path.stem, fuzzy=False, charset="utf-8", header_comment=about))
    texts = [entry for entry in new if entry.id]
    for entry in texts:
        entry.string = said.get(entry.id, entry.string)
    return _written(new), sum(_is_said(entry) for entry in texts), len(texts)


def _is_said(entry: Message) -> bool:
    return all(entry.string) if entry.pluralizable else bool(entry.string)


def _filled(catalogue: Catalog) -> Catalog:
    """The catalogue with all texts of today added."""
    for file, text, notes in found():
        # Each file is named once, without line numbers, so that moving a text inside a file changes nothing here.
        catalogue.add(text, locations=[(file, 0)], auto_comments=notes)
    for message in catalogue:
        message.flags.discard("python-format")  # "100 % of" is no such format; values stand in braces
    return catalogue


def _written(catalogue: Catalog) -> bytes:
    """The content of the catalogue's file."""
    written = BytesIO()
    write_po(written, catalogue, width=110, sort_by_file=False, include_lineno=False)
    return _LEFT_OUT.sub(b"", written.getvalue())


@cache
def found() -> tuple[tuple[str, str | tuple[str, ...], list[str]], ...]:
    """Every marked text: the file it stands in, the text or its two forms, and notes for translators."""
    return tuple(_found())


def _found() -> Iterator[tuple[str, str | tuple[str, ...], list[str]]]:
    for pattern, method in _SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            with path.open("rb") as file:
                for _line, text, notes, _context in extract(method, file, _KEYWORDS, _NOTES):
                    yield path.relative_to(ROOT).as_posix(), text, notes
    for name in _NAMES:
        for row in json.loads((ROOT / name).read_text(encoding="utf-8")):
            if "language" not in row:  # what is in another language has its name in that language
                yield name, row["name"], []


def main() -> None:
    """Write the template and the translations anew, and print how complete these are."""
    TEMPLATE.write_bytes(template())
    for path in sorted(LOCALE.glob("*.po")):
        content, n_said, n = up_to_date(path)
        path.write_bytes(content)
        print(f"{path.stem:8} {n_said:,} of {n:,} texts, {n_said / n:.1%}")


if __name__ == "__main__":
    main()
