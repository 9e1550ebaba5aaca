"""One text and the tokens that several tokenizers make of it, linked by the characters they cover."""

from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.text.segmentation import Cut, Segmentation
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack
from embedviz.ui.sentences import lost

MAX_SHOWN = 512  # tokens of a row

_SEGMENTS = component(
    "parts/segments",
    html='<div class="segments"><p class="room"></p></div>',
    css="""
.segments { display: grid; gap: var(--ev-gap, 0.3rem); font-family: var(--st-font); color: var(--st-text-color); }
.segments:empty { display: none; }
.room { height: 16rem; }
p, h2, ol { margin: 0; padding: 0; }
.text { padding: 0.1rem 0.7rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem;
  max-height: 6.2rem; overflow-y: auto; font-size: 1.25rem; line-height: 1.6; white-space: pre-wrap;
  overflow-wrap: anywhere; unicode-bidi: plaintext; }
.piece { border-radius: 0.2rem; cursor: pointer; padding: 0.1rem 0; }
.piece.differs { border-left: 3px solid var(--st-orange-color); margin-left: 1px; padding-left: 1px;
  border-top-left-radius: 0; border-bottom-left-radius: 0; }
.piece.differs.left { border-left: 0; margin-left: 0; padding-left: 0; border-radius: 0.2rem 0 0 0.2rem;
  border-right: 3px solid var(--st-orange-color); margin-right: 1px; padding-right: 1px; }
section { display: grid; grid-template-columns: 13.6rem 1fr; gap: 0.2rem 0.8rem; align-items: center;
  padding-top: var(--ev-gap, 0.3rem); border-top: 1px solid var(--st-border-color); }
.text + section { border-top: 0; }
h2 { font-size: 1.02rem; font-weight: 650; line-height: 1.25; overflow-wrap: anywhere; }
.head p { font-size: 0.82rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.head .note { font-weight: 600; }
ol { display: flex; flex-wrap: wrap; gap: 0.25rem 2px; padding: 3px; list-style: none;
  max-height: 9.5rem; overflow-y: auto; }
li { max-width: 100%; }
button { display: flex; flex-direction: column; align-items: center; min-width: 2rem; max-width: 100%;
  padding: 0.08rem 0.4rem; border: 1.5px solid transparent; border-radius: 0.3rem; font: inherit; line-height: 1.2;
  color: var(--st-text-color); background: var(--even); cursor: pointer; }
.segments { --even: color-mix(in srgb, var(--st-primary-color) 11%, var(--st-background-color));
  --odd: color-mix(in srgb, var(--st-primary-color) 25%, var(--st-background-color)); }
li:nth-child(even) button { background: var(--odd); }
button.part { border: 1.5px dashed color-mix(in srgb, var(--st-text-color) 60%, transparent); }
button.starts { border-inline-start: 3px solid var(--st-orange-color); }
button.ends { border-inline-end: 3px solid var(--st-orange-color); }
button:focus-visible, .text:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.token { font-size: 1.02rem; font-weight: 600; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.part .token { font-family: var(--st-code-font); font-size: 0.85rem; font-weight: 500; line-height: 1.45; }
.id { font-size: max(0.75rem, var(--ev-least, 0rem)); font-variant-numeric: tabular-nums; }
.mark { font-weight: 400; opacity: 0.72; }
.piece.lit, li button.lit { background: var(--st-primary-color); color: var(--st-background-color); }
.lit .mark { opacity: 1; }
@media (max-width: 640px) { section { grid-template-columns: 1fr; } .head { display: flex; flex-wrap: wrap;
  column-gap: 0.6rem; align-items: baseline; } }
""",
)


def segments(found: Segmentation, *, field: str, key: str) -> None:
    """Show the text, with a mark wherever the tokenizers differ, and a row of chips for each of them.

    field: the label of the text area that the text comes from; it updates while one types.
    """
    pieces = {
        "texts": [_lines(found.text[start:end]) for start, end in found.pieces],
        "spans": found.pieces,
        "differs": [start in found.differing for start, _ in found.pieces],
    }
    rows = [_row(cut, found.differing) for cut in found.cuts]
    payload = {"field": field, "text": found.text, "pieces": pieces, "rows": rows}
    _SEGMENTS(data=pack(payload), key=key)


def numbers(cut: Cut) -> str:
    """How many tokens and bytes, and how many of these a token has."""
    n = len(cut.tokens)
    each = " " + _("· {bytes_per_token:.2f} per token", bytes_per_token=cut.bytes_per_token) if n else ""
    tokens, size = ngettext("{n:,} token", "{n:,} tokens", n), ngettext("{n:,} byte", "{n:,} bytes", cut.n_bytes)
    return f"{tokens} · {size}{each}"


def _row(cut: Cut, differing: frozenset[int]) -> dict:
    shown = cut.tokens.head(MAX_SHOWN)
    starts, ends = _edges(shown, differing)
    return {
        "name": shown.tokenizer,
        "numbers": numbers(cut),
        "note": paragraph([_("The first {most} are shown.", most=MAX_SHOWN) if shown.is_cut else "", lost(cut.tokens)]),
        "tokens": {
            "ids": shown.ids,
            "texts": [visible(text) for text in shown.texts],
            "spans": shown.spans,
            "partial": shown.partial,
            "starts": starts,
            "ends": ends,
        },
    }


def _edges(tokens: Tokens, differing: frozenset[int]) -> tuple[list[bool], list[bool]]:
    """Which chips begin, and which end before a gap, at a place where the tokenizers differ.

    The later tokens of one character begin inside it, which is no place between characters.
    """
    spans = tokens.spans
    before, after = [0, *(end for _, end in spans)], {start for start, _ in spans}
    starts = [start in differing and start >= last for (start, _), last in zip(spans, before, strict=False)]
    ends = [end in differing and end not in after for _, end in spans]
    return starts, ends


def _lines(text: str) -> str:
    """The visible text, with its line ends kept after their marks."""
    return "\n".join(visible(line + "\n") for line in text.split("\n"))[:-1]
