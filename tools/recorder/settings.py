"""A second server with other settings, as narrow as they go, and in a language in which nothing stays as it was."""

import re
from pathlib import Path

from babel.messages.pofile import read_po, write_po

_LETTERS = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "ÀƁÇÐÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽàƀçðéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýž"
)
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|```[^`]*```)")  # what the program puts in, tags, and code
SESSIONS = 3


def other_settings(root: Path, folder: Path) -> dict[str, str]:
    """The variables, with a translation in the folder."""
    return {
        "EMBEDVIZ_LANGUAGE": str(_translation(root, folder / "de.po")),
        "EMBEDVIZ_FRAME_ANCESTORS": "https://course.example https://*.example.org",
        "EMBEDVIZ_SESSIONS": str(SESSIONS),
        "EMBEDVIZ_RETRY_SECONDS": "7",
        "EMBEDVIZ_TOKENS": "16",
        "EMBEDVIZ_DIMENSIONS": "256",
        "EMBEDVIZ_TABLE_MIB": "64",
        "EMBEDVIZ_TABLES_MIB": "256",
        "EMBEDVIZ_TRAINING_STEPS": "300",
        "EMBEDVIZ_UPLOAD_MB": "1",
        "EMBEDVIZ_ADDRESS_KIB": "4",
    }


def texts(root: Path) -> list[str | list[str]]:
    """Every text that can be translated."""
    with _template(root).open("rb") as file:
        found = [entry.id for entry in read_po(file) if entry.id]
    return sorted((list(text) if isinstance(text, tuple) else text for text in found), key=str)


def _translation(root: Path, path: Path) -> Path:
    with _template(root).open("rb") as file:
        catalogue = read_po(file, locale="de")
    for entry in catalogue:
        if entry.id:
            entry.string = tuple(map(other, entry.id)) if entry.pluralizable else other(entry.id)
    with path.open("wb") as file:
        write_po(file, catalogue)
    return path


def _template(root: Path) -> Path:
    """Wherever it lies in the tree."""
    return next(path for path in sorted(root.rglob("*.pot")) if ".venv" not in path.parts)


def other(text: str) -> str:
    """The text in that language."""
    parts = [part if n % 2 else part.translate(_LETTERS) for n, part in enumerate(_KEPT.split(text))]
    return f"⟦{''.join(parts)}⟧"
