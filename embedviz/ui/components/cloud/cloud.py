"""The map of a vocabulary. Its points are sent once; what is lit, and the colours, are sent apart from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from embedviz.base.i18n import language, translated
from embedviz.text.visible import visible
from embedviz.text.whitespace_tokens import SPACES
from embedviz.ui.components.component import component, pack
from embedviz.vocabulary.token_map import Map
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary

_LONGEST = 78  # characters: what one printable letter can say; the colours end long before

_CLOUD = component(__name__)
# These two show nothing, so no slide has room for them.
_TEXTS = component(f"{__package__}.texts", ideas=":not(*)")
_MARKS = component(f"{__package__}.marks", ideas=":not(*)")


@dataclass(frozen=True)
class Marks:
    """What of the map is lit, picked and coloured.

    near: the IDs to which lines lead from what is picked. axes: names of both, if any. alt: what the map shows now.
    """

    alt: str
    colour: str
    lit: Sequence[int] = ()
    picked: int | None = None
    near: Sequence[int] = ()
    axes: Sequence[str] = ()


def cloud(token_map: Map, *, key: str, height: str, on_pick: Callable[[], None]) -> None:
    """Draw the points; a click on one is the trigger `picked`, its ID."""
    part = token_map.ids.astype(np.float32) if token_map.is_part else None  # else a point's ID is its place
    payload = {"digest": token_map.digest, "height": height, "points": token_map.points.ravel(), "ids": part}
    _CLOUD(payload, key=key, on_picked_change=on_pick)


def texts(tokens: Vocabulary, classes: dict[str, str]) -> None:
    """Send the names of all tokens, and what is known of them, once for each vocabulary."""
    _TEXTS(packed_texts(tokens, tuple(classes.items()), language()), key="cloud_texts")


def marks(marks: Marks, tokens: Vocabulary) -> None:
    """Light up and colour the map."""
    about = {"size": len(tokens), "words": tokens.tokenizer == "words"}
    _MARKS(vars(marks) | about, key="cloud_marks")


@lru_cache(maxsize=8)  # two megabytes each at most
def _packed(tokens: Vocabulary, classes: tuple[tuple[str, str], ...], _language: str) -> bytes:
    """What `texts` sends in the language that is spoken now."""
    class_of = dict(classes)
    class_names = list(dict.fromkeys(class_of.values()))
    codes = [class_names.index(class_of[text]) for text in tokens.texts] if class_of else []
    payload = {
        "name": f"{tokens.tokenizer} {len(tokens)} {hash(tokens.texts)} {len(class_of)}",
        "names": "\n".join(map(name, tokens.texts)),
        "kinds": {"names": [*map(translated, KINDS)], "codes": _letters(tokens.kinds)},
        "lengths": _letters(np.minimum(tokens.lengths, _LONGEST)),
        "classes": {"names": [*map(translated, class_names)], "codes": _letters(np.array(codes, np.int64))},
    }
    return pack(payload)


def packed_texts(tokens: Vocabulary, classes: tuple[tuple[str, str], ...], language: str) -> bytes:
    """The same, which is kept for all visitors unless the texts are one visitor's own."""
    return (_packed.__wrapped__ if tokens.tokenizer == SPACES else _packed)(tokens, classes, language)


def _letters(numbers: np.ndarray) -> str:
    """Write each small number as one printable letter, from "0" on."""
    return (numbers.astype(np.uint8) + ord("0")).tobytes().decode("ascii")


def name(text: str) -> str:
    """Return the visible text; this is quick if spaces are the only signs that must be made visible."""
    return text.replace(" ", "␣") if text.isascii() and text.isprintable() else visible(text)
