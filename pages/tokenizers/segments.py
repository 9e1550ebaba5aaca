"""One text and the tokens that several tokenizers make of it, linked by the characters they cover."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from embedviz.base.i18n import N_, _, ngettext, paragraph, translated
from embedviz.figures.theme import N_TOKEN_COLOURS
from embedviz.text.segmentation import Cut, Segmentation
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.inputs.sentences import lost

MAX_SHOWN = 512  # tokens of a row
# The models that read what a tokenizer makes.
READ_BY = {"gpt2": "GPT-2", "cl100k_base": "GPT-4", "o200k_base": N_("GPT-4o to GPT-5, o-series, gpt-oss")}

_SEGMENTS = component(__name__, rows="section")


def segments(
    segmentation: Segmentation,
    *,
    field: str,
    key: str,
    colours: Mapping[str, int] = {},
    other: Segmentation | None = None,
) -> None:
    """Show the text, marked wherever tokenizers differ, and a row of chips for each.

    field: the text area's label. colours: the number of the colour of each word, as `word_colours` has it. other: of
    another sentence, by the same tokenizers; what it has at the same place is pale.
    """
    pieces = {
        "texts": [_lines(segmentation.text[start:end]) for start, end in segmentation.pieces],
        "spans": segmentation.pieces,
        "differs": [start in segmentation.differing for start, _ in segmentation.pieces],
    }
    others = [each.tokens.ids for each in other.cuts] if other else [[]] * len(segmentation.cuts)
    rows = [
        _row(cut, segmentation.differing, colours, beside)
        for cut, beside in zip(segmentation.cuts, others, strict=True)
    ]
    payload = {"field": field, "text": segmentation.text, "pieces": pieces, "rows": rows}
    _SEGMENTS(payload, key=key)


def numbers(cut: Cut) -> str:
    """How many tokens and bytes, and how many of these a token has."""
    n = len(cut.tokens)
    each = [_("{bytes_per_token:.2f} per token", bytes_per_token=cut.bytes_per_token)] if n else []
    tokens, size = ngettext("{n:,} token", "{n:,} tokens", n), ngettext("{n:,} byte", "{n:,} bytes", cut.n_bytes)
    return " · ".join([tokens, size, *each])


def word_colours(segmentations: Sequence[Segmentation]) -> dict[str, int]:
    """The number of the colour of each word of several texts, the same one in all rows: without spaces around it."""
    words = [text.strip() for each in segmentations for cut in each.cuts for text in cut.tokens.texts]
    return {word: n % N_TOKEN_COLOURS for n, word in enumerate(dict.fromkeys(words))}


def _row(cut: Cut, differing: frozenset[int], colours: Mapping[str, int], beside: Sequence[int]) -> dict:
    shown = cut.tokens.head(MAX_SHOWN)
    starts, ends = _edges(shown, differing)
    read_by = translated(READ_BY[shown.tokenizer]) if shown.tokenizer in READ_BY else ""
    return {
        "name": shown.tokenizer,
        "numbers": numbers(cut),
        "read_by": read_by,
        "note": paragraph([_("The first {most} are shown.", most=MAX_SHOWN) if shown.is_cut else "", lost(cut.tokens)]),
        "tokens": {
            "ids": shown.ids,
            "stays": [id_ == other for id_, other in zip_longest(shown.ids, beside[: len(shown.ids)])],
            "texts": [visible(text) for text in shown.texts],
            "spans": shown.spans,
            "partial": shown.partial,
            "starts": starts,
            "ends": ends,
            "colours": [colours[text.strip()] for text in shown.texts] if colours else [],
        },
    }


def _edges(tokens: Tokens, differing: frozenset[int]) -> tuple[list[bool], list[bool]]:
    """Which chips begin, and which end before a gap, at a place where tokenizers differ; none inside a character."""
    spans = tokens.spans
    before, after = [0, *(end for _, end in spans)], {start for start, _ in spans}
    starts = [start in differing and start >= last for (start, _), last in zip(spans, before, strict=False)]
    ends = [end in differing and end not in after for _, end in spans]
    return starts, ends


def _lines(text: str) -> str:
    """The visible text, with its line ends kept after their marks."""
    return "\n".join(visible(line + "\n") for line in text.split("\n"))[:-1]
