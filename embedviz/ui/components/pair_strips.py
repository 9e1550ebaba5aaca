"""Each token of A, its copy in B and their difference, as strips of colour that move as positions are added."""

import numpy as np

from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.figures.heatmaps import limit_of
from embedviz.figures.theme import token_marks
from embedviz.text.variants import some
from embedviz.text.visible import quoted, visible
from embedviz.ui import alt_text, presenting
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.copies import Copies

_STRIPS = component(
    "parts/pairs",
    html="""
<div class="head"><p></p><span class="scale"><i></i><canvas></canvas><i></i></span></div>
<ol></ol>
<button type="button" class="all"></button>
<p class="alone"></p>
""",
    css="""
:host, .head, ol, li { font-family: var(--st-font); color: var(--st-text-color); }
p { margin: 0; font-size: 0.9rem; line-height: 1.3; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.head { display: flex; flex-wrap: wrap; gap: 0.1rem 1.2rem; justify-content: space-between;
  align-items: center; }
.scale { display: inline-flex; align-items: center; gap: 0.4rem; font-size: 0.8rem; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.scale i { font-style: normal; }
.scale canvas { width: 6rem; height: 0.6rem; border: 1px solid var(--st-border-color); }
ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 29rem), 1fr));
  gap: var(--ev-gap, 0.45rem) 2.2rem; margin: 0.25rem 0 0; padding: 0; list-style: none; }
li { display: grid; align-items: center;
  grid-template: var(--ev-pair, "word names strips apart" auto / 5rem 2.2rem minmax(0, 1fr) 6.6rem);
  column-gap: 0.5rem; padding: var(--ev-row, 0.1rem) 0; transition: opacity 80ms; }
li.dim { opacity: 0.35; }
.word { grid-area: word; justify-self: start; max-width: 100%; padding: 0.05rem 0.4rem; border: 2px solid var(--colour);
  border-radius: 0.4rem; box-sizing: border-box; overflow: hidden; text-overflow: ellipsis; }
.text { color: var(--colour); font-size: var(--ev-word, 1.1rem); font-weight: 650; white-space: pre;
  unicode-bidi: isolate; }
.text.part { font-family: var(--st-code-font); font-size: 0.85rem; font-weight: 500; }
.mark { font-weight: 400; }
.names { grid-area: names; display: grid; }
.strips { grid-area: strips; display: grid; }
.names, .strips { grid-template-rows: repeat(3, var(--ev-strip, 0.98rem)); row-gap: 2px;
  font-size: max(0.75rem, var(--ev-least, 12px)); font-variant-numeric: tabular-nums; }
.names span { place-self: center end; line-height: 1; white-space: nowrap; }
.strips canvas { width: 100%; height: 100%; display: block; box-sizing: border-box; image-rendering: pixelated; }
.strips.many canvas { image-rendering: auto; }
.difference { border: 2px solid var(--st-orange-color); position: relative; overflow: hidden; }
.same .difference { border-color: var(--st-green-color); }
.same .difference canvas { visibility: hidden; }
.apart { grid-area: apart; font-variant-numeric: tabular-nums; line-height: 1.15; text-align: var(--ev-side, start); }
.apart strong { display: block; font-size: var(--ev-far, 1.05rem); font-weight: 650; }
.apart small { font-size: max(0.78rem, var(--ev-least, 12px)); }
.all { display: var(--ev-tools, inline-block); margin-top: 0.5rem; padding: 0.2rem 0.9rem; cursor: pointer;
  font: inherit; font-size: 0.9rem;
  color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: 0.45rem; }
.all:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.all[hidden], .alone:empty, li[hidden] { display: none; }
.alone { margin-top: 0.3rem; }
@media (max-width: 560px) {
  li { grid-template: "word word apart" auto "names strips strips" auto / 2.2rem minmax(0, 1fr) auto; row-gap: 0.1rem;
    padding-bottom: 0.35rem; }
  .apart { text-align: end; }
}
@media (prefers-reduced-motion: reduce) { li { transition: none; } }
""",
)
_MOST = 12  # pairs that are drawn before somebody asks for the rest; a hall has a slide for each


def pair_strips(copies: Copies, n_numbers: int | None, *, key: str) -> None:
    """Show A's token, B's copy and their difference of each pair, the first n_numbers of their vectors, or all.

    The strips move with the slider "Positions shown" in the browser; distances are over all D dimensions.
    """
    c = copies.comparison
    shown = slice(n_numbers)
    tokens = {id_: n for n, id_ in enumerate(dict.fromkeys(c.ids[0][i] for i, _j in copies.pairs))}
    first = {id_: c.ids[0].index(id_) for id_ in tokens}
    longer = max(c.a, c.b, key=lambda each: len(each.tokens))
    token_rows = c.a.token_embeddings[list(first.values()), shown]  # (U, n)
    unrelated = copies.comparison.unrelated
    payload = {
        "label": alt_text.strips(copies),
        "head": _head(copies, n_numbers),
        "limit": limit_of(c.a.token_embeddings[:, shown], c.a.input_embeddings[:, shown]),
        "tokens": np.ascontiguousarray(token_rows),
        "positions": np.ascontiguousarray(longer.positional_embeddings[:, shown]),  # (max(T_A, T_B), n)
        "pairs": [_pair(c, i, j, tokens, first) for i, j in copies.pairs],
        "most": len(copies.pairs) if presenting.is_on() else _MOST,
        "all": _("Show all {n} pairs", n=len(copies.pairs)),
        "unrelated": [unrelated.before, unrelated.after, unrelated.positions] if unrelated else None,
        "alone": _alone(copies),
    }
    marks = token_marks([*c.ids[0], *c.ids[1]])
    for pair in payload["pairs"]:
        pair["colour"], pair["again"] = marks[pair["id"]]
    _STRIPS(data=pack(payload), key=key)


def _head(copies: Copies, n_numbers: int | None) -> str:
    """Say what the strips show, how many numbers of it, and what the numbers beside the strips are."""
    total = copies.comparison.a.spec.output_dim
    if not copies.pairs:
        return ""
    if n_numbers is None or n_numbers >= total:
        which = ngettext("The one number", "All {n:,} numbers", total)
    else:
        which = _("First {n} of {total:,} numbers", n=n_numbers, total=total)
    return _(
        "{which}: A’s token, B’s copy, and A − B. Distances are over all {total:,}. “Unrelated” is the typical "
        "distance of tokens with different IDs (root mean square).",
        which=which,
        total=total,
    )


def _pair(c: Comparison, i: int, j: int, tokens: dict[int, int], first: dict[int, int]) -> dict[str, object]:
    id_ = c.ids[0][i]
    return {
        "id": id_,
        "text": visible(c.texts[0][i]),
        "part": c.a.tokens.partial[first[id_]],
        "names": [f"A{i}", f"B{j}", "A − B"],
        "token": tokens[id_],
        "places": [i, j],
        "distance": float(c.after.distances[i, j]),
        "same": bool(c.after.same[i, j]),
    }


def _alone(copies: Copies) -> str:
    """The tokens that have no copy in the other sentence."""
    said = []
    for own, other, texts, places in zip("AB", "BA", copies.comparison.texts, copies.alone, strict=True):
        if places:
            named = some(listed, [f"{quoted(texts[place])} ({own}{place})" for place in places])
            said.append(_("Without a copy in {sentence}: {tokens}.", sentence=other, tokens=named))
    return paragraph(said)
