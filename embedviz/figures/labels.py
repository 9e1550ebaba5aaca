"""Token texts made safe and visible for a picture."""

import html
import unicodedata

_MARKS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Zs"}
_ISOLATE, _POP = "\u2068", "\u2069"
_MAX_IN_FIGURE = 14


def visible(text: str) -> str:
    """Show what cannot be seen: spaces and line ends as marks, control characters as escapes."""
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    category = unicodedata.category(char)
    if category in _UNSEEN:
        return char.encode("unicode_escape").decode()
    return "◌" + char if category.startswith("M") else char


def quoted(text: str) -> str:
    """The visible text, kept from reordering what stands around it when it runs right to left."""
    return f"{_ISOLATE}{visible(text)}{_POP}"


def in_figure(text: str) -> str:
    """The visible text, literal: Plotly reads tags and entities in its strings, and a right-to-left
    word would reorder its neighbours. Long ones are cut short."""
    return f"{_ISOLATE}{html.escape(_cut(text), quote=False)}{_POP}"


def in_words(text: str) -> str:
    """The visible text within a sentence that is shown as it is, cut short like in a figure."""
    return f"{_ISOLATE}{_cut(text)}{_POP}"


def _cut(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _MAX_IN_FIGURE else shown[: _MAX_IN_FIGURE - 1] + "…"
