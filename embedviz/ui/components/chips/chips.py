"""The tokens of a sentence as chips."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from embedviz.base.i18n import _, numeral
from embedviz.figures.theme import token_marks
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component

_CHIPS = component(__name__, style="chip")


class NextWord(NamedTuple):
    """The word that a model expects to follow, with its probability.

    tone: "right" or "wrong", "pale" if it is beside the point, or nothing.
    """

    id: int
    text: str
    chance: float
    tone: str = ""


def chips(
    tokens: Tokens,
    *,
    key: str,
    label: str,
    colour_order: Iterable[int],
    places: Sequence[int] | None = None,
    padding: int | None = None,
    next_word: NextWord | None = None,
) -> None:
    """Show each token's position, text and ID. places: positions, if not counted.

    padding: pads before the tokens. With a number, 0 too, all chips are equally wide and without IDs, so that padded
    sentences stand below each other.
    """
    n_pads = padding or 0
    places = range(n_pads + len(tokens)) if places is None else [int(place) for place in places]
    pads = [{"pad": True, "position": place, "text": _("pad")} for place in places[:n_pads]]
    marks = token_marks(colour_order)
    shown = described(tokens, marks, places[n_pads:])
    expected = [_expected(next_word, marks)] if next_word else []
    _CHIPS({"label": label, "chips": [*pads, *shown, *expected], "even": padding is not None}, key=key)


def _expected(word: NextWord, marks: Mapping[int, tuple[int, int]]) -> dict[str, object]:
    """The chip of the word that is expected to follow."""
    (colour, again), text = marks[word.id], visible(word.text)
    name = _("next word: {text}, probability {chance:.2f}", text=text, chance=word.chance)
    said = {"position": _("next"), "text": text, "share": numeral(word.chance, ".2f"), "name": name, "tone": word.tone}
    return {"id": word.id, "colour": colour, "again": again, "part": False, "joined": False, **said}


def described(tokens: Tokens, marks: Mapping[int, tuple[int, int]], places: Iterable[int]) -> list[dict[str, object]]:
    """What chips.js needs of each token. marks: as `token_marks` gives them; places: the position of each."""
    rows = zip(places, tokens.ids, tokens.texts, tokens.partial, _joined(tokens), strict=True)
    return [
        {
            "id": id_,
            "position": position,
            "text": visible(text),
            "colour": marks[id_][0],
            "again": marks[id_][1],
            "part": part,
            "joined": joined,
            "name": _("position {position}: {text}, ID {id}", position=position, text=visible(text), id=id_),
        }
        for position, id_, text, part, joined in rows
    ]


def _joined(tokens: Tokens) -> list[bool]:
    """Which tokens go on with the character that the token before them has begun."""
    met = [of[0] < before[1] for before, of in pairwise(tokens.spans)]
    parts = zip([False, *met], tokens.partial, [False, *tokens.partial], strict=False)
    return [all(each) for each in parts]
