"""The tokens of a sentence as chips."""

from collections.abc import Iterable, Sequence

from embedviz.base.i18n import _
from embedviz.figures.theme import token_colours
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_CHIPS = component(
    "parts/chips",
    html="<ol></ol>",
    css="""
ol {
  display: flex; flex-wrap: wrap; gap: 0.3rem; margin: -0.35rem 0 0; padding: 0.4rem 0.4rem 2px 3px; list-style: none;
  max-height: 8.4rem; overflow-y: auto; font-family: var(--st-font);
}
ol:empty { min-height: 4rem; }
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
.position, .id { font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.text { color: var(--colour); font-size: 1.05rem; font-weight: 650; white-space: pre; unicode-bidi: isolate; }
.text.part { font-family: var(--st-code-font); font-size: 0.85rem; font-weight: 500; }
.mark { font-weight: 400; }
.pad { display: flex; flex-direction: column; align-items: center; padding: 0.1rem 0.45rem; line-height: 1.2;
  border: 1.5px dashed var(--st-border-color); border-radius: 0.45rem; }
@media (prefers-reduced-motion: reduce) { button { transition: none; } }
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
    colours = {id_: colour[len("var(--token-") : -1] for id_, colour in token_colours(colour_order).items()}
    places = range(padding + len(tokens)) if places is None else [int(place) for place in places]
    rows = zip(places[padding:], tokens.ids, tokens.texts, tokens.partial, strict=True)
    pads = [{"pad": True, "position": place, "text": _("pad")} for place in places[:padding]]
    shown = [
        {
            "id": id_,
            "position": position,
            "text": visible(text),
            "colour": colours[id_],
            "part": part,
            "name": _("position {position}: {text}, ID {id}", position=position, text=visible(text), id=id_),
        }
        for position, id_, text, part in rows
    ]
    _CHIPS(data=pack({"label": label, "chips": [*pads, *shown]}), key=key)
