"""The tokens of a sentence as chips."""

from collections.abc import Iterable, Mapping, Sequence

from embedviz.base.i18n import _
from embedviz.figures.theme import token_marks
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

# The style of every chip. When colours begin again from the first, parts/chips.js draws marks that tell them apart.
CHIP_STYLE = """
button {
  display: flex; flex-direction: column; align-items: center; gap: 0;
  min-width: 2.6rem; padding: 0.1rem var(--ev-chip, 0.45rem); border: 1.5px solid var(--colour);
  border-radius: 0.45rem; background: var(--st-background-color);
  color: var(--st-text-color); font: inherit; line-height: 1.2; cursor: pointer;
  transition: background-color 80ms, opacity 80ms;
}
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
button.lit { background: var(--colour); }
button.lit, button.lit .text, button.lit .mark { color: var(--st-background-color); }
button.dim { opacity: 0.45; }
button[aria-pressed="true"] { opacity: 1; position: relative; outline: 3px solid var(--st-text-color);
  outline-offset: 0; }
button[aria-pressed="true"]::after { content: ""; position: absolute; top: -0.4rem; right: -0.4rem; width: 0.6rem;
  height: 0.6rem; border-radius: 50%; background: var(--st-text-color); border: 2px solid var(--st-background-color); }
.position, .id { font-size: max(0.75rem, var(--ev-least, 0rem)); font-variant-numeric: tabular-nums; }
.text { color: var(--colour); font-size: var(--ev-chip-text, 1.05rem); font-weight: 650; white-space: pre;
  unicode-bidi: isolate; }
.text.part { font-family: var(--st-code-font); font-size: 0.85rem; font-weight: 500; }
.mark { font-weight: 400; }
@media (prefers-reduced-motion: reduce) { button { transition: none; } }
"""

_CHIPS = component(
    "parts/chips",
    html="<ol></ol>",
    css=CHIP_STYLE
    + """
ol {
  display: flex; flex-wrap: wrap; gap: 0.3rem; margin: -0.35rem 0 0; padding: 0.4rem 0.4rem 2px 3px; list-style: none;
  max-height: var(--ev-chips, 8.4rem); overflow-y: auto; font-family: var(--st-font);
}
@media (max-width: 560px) { ol { gap: 0.2rem; } button { min-width: 2.1rem; padding-inline: 0.2rem; } }
ol::before { content: attr(aria-label); display: var(--ev-name, none); width: 100%; font-weight: 650; }
.pad { display: flex; flex-direction: column; align-items: center; padding: 0.1rem 0.45rem; line-height: 1.2;
  border: 1.5px dashed var(--st-border-color); border-radius: 0.45rem; }
""",
)


def chips(
    tokens: Tokens,
    *,
    key: str,
    label: str,
    colour_order: Iterable[int],
    places: Sequence[int] | None = None,
    padding: int = 0,
) -> None:
    """Show each token with its position, text and ID; pointing at one lights it up all over the page.

    colour_order: the IDs of everything on the page, in the order that the figures use. padding: how many
    pads stand before the tokens; places: the position of each pad and token, if not simply counted.
    """
    places = range(padding + len(tokens)) if places is None else [int(place) for place in places]
    pads = [{"pad": True, "position": place, "text": _("pad")} for place in places[:padding]]
    shown = described(tokens, token_marks(colour_order), places[padding:])
    _CHIPS(data=pack({"label": label, "chips": [*pads, *shown]}), key=key)


def described(tokens: Tokens, marks: Mapping[int, tuple[int, int]], places: Iterable[int]) -> list[dict[str, object]]:
    """What parts/chips.js needs of each token. marks: as `token_marks` gives them; places: the position of each."""
    rows = zip(places, tokens.ids, tokens.texts, tokens.partial, strict=True)
    return [
        {
            "id": id_,
            "position": position,
            "text": visible(text),
            "colour": marks[id_][0],
            "again": marks[id_][1],
            "part": part,
            "name": _("position {position}: {text}, ID {id}", position=position, text=visible(text), id=id_),
        }
        for position, id_, text, part in rows
    ]
