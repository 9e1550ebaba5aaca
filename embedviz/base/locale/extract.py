"""All texts of the interface in one file: `python -m embedviz.base.locale.extract` writes the template anew."""

import json
import re
from collections.abc import Iterator
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import write_po

from embedviz.base.i18n import TEMPLATE
from embedviz.base.settings import ROOT

_KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}
_NOTES = ("Translators:",)  # comments that begin so are extracted with the text below them
# Which files are read by which extractor. The names of samples are in data files.
_SOURCES = (("pages/**/*.py", "python"), ("embedviz/**/*.py", "python"), ("embedviz/ui/assets/**/*.js", "javascript"))
_NAMES = ("data/pairs.json", "data/texts/index.json")
_ABOUT = """\
# The texts of embedviz. A translation is a copy of this file, named after its language, such as de.po,
# with the msgstr filled in. Its first msgstr also says "Language: de\\n" and, by the rules of the language,
# "Plural-Forms: nplurals=2; plural=(n != 1);\\n". What stands in braces is put in by the program: it must stand
# in the translation too, letter by letter, wherever the sentence needs it. CONTRIBUTING.md says more."""
# Only the part of the header that a template needs: dates would change even if no text does.
_LEFT_OUT = re.compile(
    rb'"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team'
    rb"|Generated-By): .*\n"
)


def template() -> bytes:
    """The content that the template should have now: each text once, in the order of the files, with the file names."""
    catalogue = Catalog(fuzzy=False, charset="utf-8", header_comment=_ABOUT)
    for file, text, notes in found():
        # Each file is named once, without line numbers, so that moving a text inside a file changes nothing here.
        catalogue.add(text, locations=[(file, 0)], auto_comments=notes)
    for message in catalogue:
        message.flags.discard("python-format")  # "100 % of" is no such format; values stand in braces
    written = BytesIO()
    write_po(written, catalogue, width=110, sort_by_file=False, include_lineno=False)
    return _LEFT_OUT.sub(b"", written.getvalue())


def found() -> Iterator[tuple[str, str | tuple[str, ...], list[str]]]:
    """Every marked text: the file it stands in, the text or its two forms, and notes for translators."""
    for pattern, method in _SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            with path.open("rb") as file:
                for _line, text, notes, _context in extract(method, file, _KEYWORDS, _NOTES):
                    yield path.relative_to(ROOT).as_posix(), text, notes
    for name in _NAMES:
        for row in json.loads((ROOT / name).read_text(encoding="utf-8")):
            yield name, row["name"], []


if __name__ == "__main__":
    TEMPLATE.write_bytes(template())
