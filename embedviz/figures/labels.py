"""Token texts made safe and visible for a picture."""

import html
import unicodedata

_MARKS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Zs"}
_JOINERS = "\u200c\u200d"
_ISOLATE, _POP = "\u2068", "\u2069"
_MAX_IN_FIGURE = 14


def visible(text: str) -> str:
    """Show what cannot be seen: spaces and line ends as marks, control characters as escapes.

    A mark that combines stays on the letter before it, and gets a dotted circle where there is none in the
    token; a joiner stays where it changes the shape of its neighbours, as in emoji of several persons.
    """
    around = zip(text, " " + text, text[1:] + " ", strict=False)
    return "".join(_visible(char, before, after) for char, before, after in around)


def _visible(char: str, before: str, after: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    category = unicodedata.category(char)
    if char in _JOINERS and _joins(before, after):
        return char
    if category in _UNSEEN:
        return char.encode("unicode_escape").decode()
    return "◌" + char if category.startswith("M") and not _carries(before) else char


def _carries(char: str) -> bool:
    """Whether a mark can stand on it."""
    return char not in _MARKS and unicodedata.category(char) not in _UNSEEN


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between the two shows: between symbols, Arabic letters, or after a mark of an Indic one."""
    kinds = unicodedata.category(before)[0], unicodedata.category(after)[0]
    if "S" in kinds:
        return kinds[1] == "S" and kinds[0] in "SM"
    return unicodedata.category(after) == "Lo" and (kinds[0] == "M" or unicodedata.bidirectional(before) == "AL")


def quoted(text: str) -> str:
    """The visible text, kept from reordering what stands around it when it runs right to left."""
    return f"{_ISOLATE}{visible(text)}{_POP}"


def in_figure(text: str) -> str:
    """The visible text, literal: Plotly reads tags and entities in its strings, and a right-to-left
    word would reorder its neighbours. Long ones are cut short."""
    shown = visible(text)
    if len(shown) > _MAX_IN_FIGURE:
        shown = shown[: _MAX_IN_FIGURE - 1] + "…"
    return f"{_ISOLATE}{html.escape(shown, quote=False)}{_POP}"
