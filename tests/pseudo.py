"""A language made of the template: every letter of every text is another one, so what is left in ASCII is no text.

So are its commas, colons and full stops: one of English beside a bracket ⟦ or ⟧ was put there by code.

`python -m tests.pseudo FILE` writes it, to look at pages whose texts are 40 % longer. `python -m tests.pseudo FILE ar`
writes one that runs to the left, with Arabic letters, whose texts are as long as they were.
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
_TO_THE_LEFT = str.maketrans(dict(zip("abcdefghijklmnopqrstuvwxyz", "ابتثجحدذرزعغفقكلمنهويابتثج", strict=True)))
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|```[^`]*```)")  # what the program puts in, tags, and code


def pseudo(text: str) -> str:
    """The text in other letters and 40 % longer, what stands in braces and in tags as it was."""
    parts = [part if n % 2 else part.translate(_LETTERS) for n, part in enumerate(_KEPT.split(text))]
    letters = sum(len(part) for part in parts[::2])
    return f"⟦{''.join(parts)}{'~' * max(1, round(0.4 * letters) - 2)}⟧"


def mirrored(text: str) -> str:
    """The text with an Arabic letter for each of its own."""
    parts = [part if n % 2 else part.lower().translate(_TO_THE_LEFT) for n, part in enumerate(_KEPT.split(text))]
    return "".join(parts)


def write(path: Path, but: str = "", locale: str = "de") -> None:
    """The language as a translation, plural forms too; all of it but one text. locale: what it passes for."""
    say = mirrored if locale == "ar" else pseudo
    with TEMPLATE.open("rb") as file:
        catalogue = read_po(file, locale=locale)
    for entry in catalogue:
        if entry.id and entry.id != but:
            forms = [entry.id[0], *[entry.id[1]] * (catalogue.num_plurals - 1)] if entry.pluralizable else []
            entry.string = tuple(map(say, forms)) if forms else say(entry.id)
    with path.open("wb") as file:
        write_po(file, catalogue)


if __name__ == "__main__":
    write(Path(sys.argv[1]), locale=(sys.argv[2:] or ["de"])[0])
