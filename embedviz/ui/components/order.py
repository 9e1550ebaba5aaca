"""Two sentences one above the other, a line from each token to its copy, and how many copies are identical."""

from collections.abc import Callable, Sequence

from embedviz.base.i18n import N_, _
from embedviz.figures.theme import token_marks
from embedviz.text.tokens import Tokens
from embedviz.ui.components.cards import Card
from embedviz.ui.components.chips import CHIP_STYLE, described
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_ORDER = component(
    "parts/order",
    html="""
<div class="order">
  <div class="scroll"><div class="grid">
    <span class="sentence">A</span><ol></ol>
    <svg role="img"></svg>
    <span class="sentence">B</span><ol class="moves"></ol>
  </div></div>
  <div class="counts"></div>
  <div class="tools" role="group" aria-label="{tools}">
    <button type="button" data-does="shuffle">{shuffle}</button><button type="button" data-does="swap">{swap}</button>
    <button type="button" data-does="same">{same}</button><button type="button" data-does="undo">{undo}</button>
    <span>{hint}</span>
  </div>
  <div class="said" role="status"></div>
</div>
""",
    tools=N_("Another order of B"),
    shuffle=N_("Shuffle B"),
    swap=N_("Swap A and B"),
    same=N_("B = A"),
    undo=N_("Undo"),
    hint=N_("Drag the tokens of B, or move one with Alt + ← and Alt + →."),
    css=CHIP_STYLE
    + """
.order { display: grid; grid-template-columns: var(--ev-order, minmax(0, 1fr) 19em); gap: 0.3em 1.6em;
  align-items: center; font-family: var(--st-font); color: var(--st-text-color); font-size: 1rem; }
.scroll { overflow-x: auto; padding: 4px 4px 3px 0; }
.grid { position: relative; display: grid; gap: 0 0.45em; max-width: calc(9.4em * var(--columns, 1) + 2em);
  grid-template-columns: max-content repeat(var(--columns, 1), minmax(max-content, 1fr)); }
.sentence { position: sticky; left: 0; z-index: 1; align-self: center; padding-right: 0.3em; font-size: 1.5em;
  font-weight: 700; background: var(--st-background-color); }
ol { grid-column: 2 / -1; display: grid; grid-template-columns: subgrid; margin: 0; padding: 0; list-style: none;
  min-height: 2.6em; }
svg { grid-column: 1 / -1; width: 100%; height: var(--ev-lines, 3.4em); display: block; overflow: visible; }
path { fill: none; stroke-width: 0.22em; transition: opacity 80ms; }
.after path:not(.same) { stroke-width: 0.13em; opacity: 0.65; }
path.dim { opacity: 0.15 !important; }
ol button { display: grid; grid-template: "text text" auto "position id" auto / auto auto; justify-content: normal;
  align-content: center; column-gap: 0.5em; width: 100%; min-width: 2.9em; max-width: 15em; padding: 0.15em 0.4em;
  border-width: 2px; }
ol button[style*="double"] { border-width: 4px; }
ol .text { grid-area: text; justify-self: center; max-width: 100%; overflow: hidden; text-overflow: ellipsis;
  font-size: var(--ev-order-text, 1.35em); }
ol .text.part { font-size: 1.1em; line-height: 1.45; }
ol .position, ol .id { grid-area: position; justify-self: start; line-height: 1.15;
  font-size: max(0.75em, var(--ev-least, 12px)); }
ol .id { grid-area: id; justify-self: end; }
ol .id::before { content: var(--ev-id, "ID "); }
.moves.live li { touch-action: pan-y; }
.moves.live button { cursor: grab; }
.moves li.dragged { position: relative; z-index: 2; }
.moves li.dragged button { cursor: grabbing; box-shadow: 0 4px 14px rgb(0 0 0 / 0.35); }
.counts { display: var(--ev-tally, grid); grid-template-columns: var(--ev-counts, none); gap: 0.6em 1.5em; }
.counts section { display: var(--ev-beside, block); grid-template-columns: auto 1fr; align-items: center;
  column-gap: 0.6em; padding-left: 0.8rem; border-left: 5px solid var(--st-border-color); }
.counts section.same { border-color: var(--st-green-color); }
.counts section.different { border-color: var(--st-orange-color); }
.counts section:not([aria-current]) { opacity: 0.75; }
.counts section[aria-current] { border-left-width: 9px; padding-left: calc(0.8rem - 4px); }
h2 { margin: 0; white-space: nowrap; font-size: calc(2.1 * var(--ev-count, 1em)); font-weight: 700; line-height: 1.1; }
p { margin: 0; font-size: 0.95em; line-height: 1.25; overflow-wrap: anywhere;
  unicode-bidi: plaintext; }
.tools { grid-column: 1 / -1; display: var(--ev-tools, flex); flex-wrap: wrap; align-items: center; gap: 0.3rem 0.5rem;
  font-size: 0.88rem; }
.tools button { display: inline-block; min-width: 0; padding: 0.15rem 0.7rem; line-height: 1.5;
  border: 1px solid var(--st-border-color); background: var(--st-secondary-background-color); }
.tools button:disabled { opacity: 0.45; cursor: default; }
.tools[hidden], .compact .tools { display: none; }
.compact { --ev-lines: 1.8em; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 900px) {
  .order { grid-template-columns: minmax(0, 1fr); }
  .counts { grid-template-columns: 1fr 1fr; align-items: start; order: 1; padding: 0.4em 0; }
}
@media (max-width: 560px) {
  .grid { column-gap: 0.2rem; }
  ol .id::before { content: ""; }
  ol button { padding: 0.15em 0.15em; min-width: 2.75em; column-gap: 0.2em; }
  ol .text { font-size: 1.1em; }
  .tools span { display: none; }
}
@media (prefers-reduced-motion: reduce) { path { transition: none; } }
""",
)


def order(
    tokens: Sequence[Tokens],
    pairs: Sequence[tuple[int, int]],
    counts: Sequence[Card],
    *,
    key: str,
    alt: str,
    same_after: Sequence[bool] = (),
    can_undo: bool = False,
    is_compact: bool = False,
    turn: int = 0,
    on_move: Callable[[], None],
    on_press: Callable[[], None],
) -> None:
    """Show the tokens of A above those of B, with a line for each pair (i of A, j of B) of copies.

    alt: what the lines show, for those who cannot see them. same_after: which pairs stay identical. is_compact:
    shorter lines, no buttons. turn: another number makes the page draw the tokens anew. After the visitor has moved a
    token `on_move` is called, and `st.session_state[key].moved` has the IDs of B in their new order; `on_press` after
    a button, named by `pressed`.
    """
    marks = token_marks(id_ for each in tokens for id_ in each.ids)
    payload = {
        "labels": [_("Tokens of {name}", name=name) for name in "AB"],
        "sentences": [described(each, marks, range(len(each))) for each in tokens],
        "pairs": [[i, j, int(same)] for (i, j), same in zip(pairs, same_after or [True] * len(pairs), strict=True)],
        "counts": list(counts),
        "alt": alt,
        "fixed": any(each.is_cut for each in tokens),
        "undo": can_undo,
        "compact": is_compact,
        "turn": turn,
    }
    _ORDER(data=pack(payload), key=key, on_moved_change=on_move, on_pressed_change=on_press)
