"""All texts of the interface in one file: `python -m embedviz.base.locale.extract` writes the template anew.

It also brings the translations up to date and says how complete each of them is. pybabel does all of this;
`pyproject.toml` says which files it reads, and how.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from embedviz.base.locale.catalogues import IN_HTML, TEMPLATE
from embedviz.base.settings import LOCALE

ERRORS = ("EmbedvizError", "Unavailable", "Missing", "NotDownloaded")  # they mark their own messages
_WIDE = "--width=110"
_KEYWORDS = (f"--keyword={name}" for name in ("N_", *ERRORS))
_EXTRACT = (
    *("extract", "--mapping=pyproject.toml", *_KEYWORDS, "--add-comments=Translators:", _WIDE),
    # Files are named without lines, so that moving a text inside a file changes nothing here.
    *("--omit-header", "--add-location=file"),
    *("pages", "embedviz", "data/lessons", "data/pairs.json", "data/texts/index.json"),
)
_UPDATE = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", _WIDE)


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


def in_html(file: BinaryIO, *_about: object, **_options: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """The texts in the HTML of a component."""
    return ((0, None, text, []) for text in IN_HTML.findall(file.read().decode()))


def write_template(path: Path) -> None:
    """Write each text once, in the order of the files. Run this in the project's folder."""
    _pybabel(*_EXTRACT, f"--output={path}")


def bring_up_to_date(path: Path, template: Path = TEMPLATE) -> None:
    """Give a translation the texts of the template in their order. What the interface no longer says is left out."""
    _pybabel(*_UPDATE, f"--input-file={template}", f"--output-file={path}", f"--locale={path.stem}")


def completeness(path: Path) -> tuple[int, int]:
    """How many of its texts a translation says, and how many there are."""
    with path.open("rb") as file:
        texts = [entry for entry in read_po(file) if entry.id]
    said = [all(entry.string or ()) if entry.pluralizable else bool(entry.string) for entry in texts if not entry.fuzzy]
    return sum(said), len(texts)


def _pybabel(*arguments: str) -> None:
    CommandLineInterface().run(["pybabel", "--quiet", *arguments])


def main() -> None:
    """Write the template and the translations anew, and print how complete these are."""
    write_template(TEMPLATE)
    for path in sorted(LOCALE.glob("*.po")):
        bring_up_to_date(path)
        n_said, n = completeness(path)
        print(f"{path.stem:8} {n_said:,} of {n:,} texts, {n_said / n:.1%}")


if __name__ == "__main__":
    main()
