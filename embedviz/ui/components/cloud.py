"""The map of a vocabulary. Its points are sent once; what is lit, and the colours, are sent apart from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from embedviz.base.i18n import N_, language, translated
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack
from embedviz.vocabulary.token_map import Map
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary

_LONGEST = 78  # characters: what one printable letter can say; the colours end long before

_CLOUD = component(
    "map/cloud",
    html="""
<div class="map" role="img" tabindex="0" aria-description="{keys}"
  ><canvas></canvas><canvas></canvas></div>
<div class="bar">
  <div class="legend"></div>
  <div class="buttons">
    <button type="button" data-act="out" aria-label="{zoom_out}">−</button>
    <button type="button" data-act="in" aria-label="{zoom_in}">+</button>
    <button type="button" data-act="reset" aria-label="{all_of_it}">⟲</button>
    <button type="button" data-act="table" aria-label="{as_table}" aria-haspopup="dialog">{table}</button>
    <button type="button" data-act="png" aria-label="{png}">PNG</button>
    <button type="button" data-act="svg" aria-label="{svg}">SVG</button>
  </div>
</div>
<dialog aria-labelledby="title">
  <header><h2 id="title">{title}</h2><button type="button">{close}</button></header>
  <p class="says"></p>
  <p class="count"></p>
  <div class="rows" tabindex="0" role="group" aria-label="{tokens}"><table></table></div>
</dialog>
""",
    keys=N_("Arrow keys move the map, + and − zoom, 0 shows all of it."),
    zoom_out=N_("Zoom out"),
    zoom_in=N_("Zoom in"),
    all_of_it=N_("Show all of the map"),
    as_table=N_("Show the map as a table"),
    table=N_("Table"),
    png=N_("Save the map as PNG"),
    svg=N_("Save the map as SVG"),
    title=N_("The map as a table"),
    close=N_("Close"),
    tokens=N_("Tokens"),
    css="""
.map { position: relative; width: 100%; overflow: hidden; border: 1px solid var(--st-border-color);
  border-radius: 0.5rem; touch-action: pan-x pan-y; cursor: grab; user-select: none; }
.map:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.3rem 1rem;
  padding-top: 0.35rem; font-family: var(--st-font); font-size: 0.85rem; color: var(--st-text-color); }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 0.15rem 0.75rem; }
.legend span { display: inline-flex; align-items: center; gap: 0.3rem; }
.legend i { width: 0.7rem; height: 0.7rem; border-radius: 50%; }
.legend b { width: 7rem; height: 0.7rem; border-radius: 0.2rem; }
.buttons { display: var(--ev-tools, flex); gap: 0.25rem; margin-left: auto; }
button { min-width: 1.9rem; height: 1.7rem; padding: 0 0.45rem; border: 1px solid var(--st-border-color);
  border-radius: 0.4rem; background: var(--st-secondary-background-color); color: var(--st-text-color);
  font: inherit; cursor: pointer; }
button:focus-visible, .rows:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
dialog { width: min(48rem, 92vw); max-height: 88vh; border: 1px solid var(--st-border-color); border-radius: 0.6rem;
  background: var(--st-background-color); color: var(--st-text-color); font-family: var(--st-font); font-size: 0.9rem; }
dialog header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
dialog h2 { margin: 0; font-size: 1.1rem; }
.says { overflow-wrap: anywhere; }
.count { font-weight: 600; }
.rows { overflow: auto; max-height: 56vh; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.7rem; text-align: right; white-space: pre;
  border-bottom: 1px solid var(--st-border-color); }
th:first-child { text-align: start; unicode-bidi: isolate; }
""",
)
_TEXTS = component("map/texts", html="<div></div>", css="div { display: none; }")
_MARKS = component("map/marks", html="<div></div>", css="div { display: none; }")
_RANKING = component(
    "map/ranking",
    html='<div class="ranking"></div>',
    css="""
.ranking { display: flex; gap: 0.6rem; overflow-y: auto; font-family: var(--st-font); color: var(--st-text-color); }
section { flex: 1; min-width: 0; }
h2 { margin: 0; font-size: 0.95rem; font-weight: 650; line-height: 1.3; }
p { margin: 0; font-size: 0.85rem; line-height: 1.3; }
ol { columns: var(--ev-columns, auto); list-style: none; margin: 0.15rem 0 0; padding: 3px; }
button { display: flex; justify-content: space-between; gap: 0.5rem; width: 100%; padding: 0.06rem 0.4rem; border: 0;
  border-radius: 0.3rem; background: none; color: inherit; font: inherit; font-size: 0.9rem; line-height: 1.4;
  text-align: left; cursor: pointer; }
button:hover, button.lit { background: var(--st-primary-color); color: var(--st-background-color); }
button.own { font-weight: 700; }
button:focus-visible { outline: 3px solid var(--st-primary-color); }
.name { overflow: hidden; text-overflow: ellipsis; white-space: pre; unicode-bidi: isolate; }
.value { font-variant-numeric: tabular-nums; white-space: nowrap; }
""",
)


@dataclass(frozen=True)
class Marks:
    """What of the map is lit (IDs), picked (an ID) and coloured, and how.

    axes: their names. arrow: two points, shape (2, 3), or None. alt: what the map shows now.
    """

    alt: str
    flat: bool
    colour: str
    lit: Sequence[int] = ()
    picked: int | None = None
    axes: Sequence[str] = ()
    arrow: np.ndarray | None = None


def cloud(found: Map, *, key: str, height: str, on_pick: Callable[[], None]) -> None:
    """Draw the points; a click on one is the trigger `picked`, its ID."""
    part = found.ids.astype(np.float32) if found.is_part else None  # else a point's ID is its place
    payload = {"digest": found.digest, "height": height, "points": found.points.ravel(), "ids": part}
    _CLOUD(data=pack(payload), key=key, on_picked_change=on_pick)


def texts(tokens: Vocabulary, classes: dict[str, str]) -> None:
    """Send the names of all tokens, and what is known of them, once for each vocabulary."""
    _TEXTS(data=packed_texts(tokens, tuple(classes.items()), language()), key="cloud_texts")


def marks(shown: Marks, tokens: Vocabulary) -> None:
    """Light up and colour the map."""
    payload = {
        "alt": shown.alt,
        "flat": shown.flat,
        "colour": shown.colour,
        "lit": list(shown.lit),
        "picked": shown.picked,
        "axes": list(shown.axes),
        "arrow": None if shown.arrow is None else shown.arrow.tolist(),
        "size": len(tokens),
        "words": tokens.tokenizer == "words",
    }
    _MARKS(data=pack(payload), key="cloud_marks")


@dataclass(frozen=True)
class Ranked:
    """A token in a list. own: True if the list is about this token."""

    id: int
    name: str
    value: str
    own: bool = False


@dataclass(frozen=True)
class Ranking:
    """A list of tokens under a title."""

    title: str
    rows: Sequence[Ranked]
    note: str = ""


def rankings(lists: Sequence[Ranking], *, key: str, height: str, on_pick: Callable[[], None]) -> None:
    """Show lists side by side; a click on a token is the trigger `picked`, its ID."""
    _RANKING(data=pack({"lists": list(lists), "height": height}), key=key, on_picked_change=on_pick)


@lru_cache(maxsize=8)  # two megabytes each at most
def packed_texts(tokens: Vocabulary, classes: tuple[tuple[str, str], ...], _language: str) -> bytes:
    """What `texts` sends in the language that is spoken now."""
    class_of = dict(classes)
    class_names = list(dict.fromkeys(class_of.values()))
    codes = [class_names.index(class_of[text]) for text in tokens.texts] if class_of else []
    payload = {
        "name": f"{tokens.tokenizer} {len(tokens)} {hash(tokens.texts)} {len(class_of)}",
        "names": "\n".join(map(name, tokens.texts)),
        "kinds": {"names": [*map(translated, KINDS)], "codes": _letters(tokens.kinds)},
        "lengths": _letters(np.minimum(tokens.lengths, _LONGEST)),
        "classes": {"names": class_names, "codes": _letters(np.array(codes, np.int64))},
    }
    return pack(payload)


def _letters(numbers: np.ndarray) -> str:
    """Write each small number as one printable letter, from "0" on."""
    return (numbers.astype(np.uint8) + ord("0")).tobytes().decode("ascii")


def name(text: str) -> str:
    """Return the visible text; this is quick if spaces are the only signs that must be made visible."""
    return text.replace(" ", "␣") if text.isascii() and text.isprintable() else visible(text)
