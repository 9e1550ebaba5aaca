"""A language made of the template: every letter of every text is another one, so what is left in ASCII is no text.

So are its commas, colons and full stops: one of English beside a bracket ⟦ or ⟧ was put there by code.

`python -m tests.pseudo FILE` writes it, to look at pages whose texts are 40 % longer.
"""

import re
import sys
from pathlib import Path

from babel.messages.pofile import read_po, write_po

from embedviz.base.locale.catalogues import TEMPLATE

_LETTERS = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz,;:.()",
    "ÀƁÇÐÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽàƀçðéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýž‚؛꞉․❨❩",
)
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|```[^`]*```)")  # what the program puts in, tags, and code


def pseudo(text: str) -> str:
    """The text in other letters and 40 % longer, what stands in braces and in tags as it was."""
    parts = [part if n % 2 else part.translate(_LETTERS) for n, part in enumerate(_KEPT.split(text))]
    letters = sum(len(part) for part in parts[::2])
    return f"⟦{''.join(parts)}{'~' * max(1, round(0.4 * letters) - 2)}⟧"


def write(path: Path, but: str = "", locale: str = "de") -> None:
    """The language as a translation, plural forms too; all of it but one text. locale: what it passes for."""
    with TEMPLATE.open("rb") as file:
        catalogue = read_po(file, locale=locale)
    for entry in catalogue:
        if entry.id and entry.id != but:
            entry.string = tuple(map(pseudo, entry.id)) if entry.pluralizable else pseudo(entry.id)
    with path.open("wb") as file:
        write_po(file, catalogue)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
