"""Token texts made safe and visible for a picture, and whether a text's script has spaces."""

import html
import unicodedata
from itertools import accumulate

import regex

_MARKS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Zs"}
_JOINERS = "\u200c\u200d"
_ISOLATE, _POP = "\u2068", "\u2069"
_LEFT_TO_RIGHT = "\u200e"
_WITHOUT_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]")
_LETTER = regex.compile(r"\p{L}")
_MAX_IN_FIGURE = 14  # columns
_MAX_ON_AXIS = 13  # of a name: its place and its text


def visible(text: str) -> str:
    """Show what cannot be seen: spaces and line ends as marks, control characters as escapes, accents on a circle."""
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
    can_stand = before not in _MARKS and unicodedata.category(before) not in _UNSEEN  # if it is a mark that combines
    return "◌" + char if category.startswith("M") and not can_stand else char


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between the two has an effect: between symbols or Arabic letters, or after an Indic mark."""
    kinds = unicodedata.category(before)[0], unicodedata.category(after)[0]
    if "S" in kinds:
        return kinds[1] == "S" and kinds[0] in "SM"
    return unicodedata.category(after) == "Lo" and (kinds[0] == "M" or unicodedata.bidirectional(before) == "AL")


def quoted(text: str) -> str:
    """The visible text, kept from reordering what stands around it when it runs right to left."""
    return _kept_apart(visible(text))


def isolated(name: str) -> str:
    """A visible text as it stands in a sentence: kept apart if any of it runs right to left."""
    return _kept_apart(name) if any(unicodedata.bidirectional(char) in ("R", "AL") for char in name) else name


def in_figure(text: str, most: int = _MAX_IN_FIGURE) -> str:
    """The visible text, literal: Plotly reads tags and entities in its strings, and a right-to-left
    word would reorder its neighbours. Those longer than `most` characters are cut short."""
    return _literal(_cut(visible(text), most))


def on_axis(name: str) -> str:
    """A name that ends in a visible text, cut to the room beside the rows."""
    head, isolate, text = name.partition(_ISOLATE)
    shown = html.unescape(text[:-1]).removeprefix(_LEFT_TO_RIGHT)
    return head + _literal(_cut(shown, _MAX_ON_AXIS - len(head))) if isolate else name


def in_words(text: str) -> str:
    """The visible text within a sentence that is shown as it is, cut short like in a figure."""
    return _kept_apart(_cut(visible(text), _MAX_IN_FIGURE))


def _literal(text: str) -> str:
    return _kept_apart(html.escape(text, quote=False))


def _kept_apart(text: str) -> str:
    """A text whose direction is its own among its neighbours: that of its first letter, but left to right for bytes."""
    mark = _LEFT_TO_RIGHT if "\\x" in text else ""
    return f"{_ISOLATE}{mark}{text}{_POP}"


def _cut(text: str, most: int) -> str:
    """The text, or as much of it as takes less than `most` columns and an ellipsis."""
    if sum(map(_columns, text)) <= most:
        return text
    ends = accumulate(map(_columns, text))
    return "".join(char for char, end in zip(text, ends, strict=True) if end < most) + "…"


def _columns(char: str) -> int:
    """About how many letters wide a character is: 2 for Chinese and emoji, 0 for a mark that stands on a letter."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def has_spaces(text: str) -> bool:
    """Whether a text's script, by its first letter, puts spaces between words. Chinese, Japanese and Thai do not."""
    first = _LETTER.search(text)
    return not (first and _WITHOUT_SPACES.match(first[0]))
