"""What the views of the page "Attention" share: the layer's settings, and one sentence of them."""

from collections.abc import Sequence
from dataclasses import replace

from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.layer import MAX_HEADS
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.figures.axes import MAX_LABELS
from embedviz.text.samples import pairs
from embedviz.ui import controls, presenting, sentences
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.fields import whole_number
from embedviz.ui.messages import stop
from embedviz.ui.shell import Frame
from embedviz.vectors.embedding import Embedded

MAX_TOKENS = min(64, configured().tokens)  # a picture of weights has as many cells as the square of it


def vector_settings() -> dict[str, object]:
    """The settings of the vectors; the seed fills the layer's matrices too."""
    return controls.backend(seeded=True)


def heads_field(below: DeltaGenerator) -> int:
    """How many heads there are."""
    return whole_number(_("Heads"), 1, MAX_HEADS, 4, key="n_heads", below=below)


def layer_settings(page: Frame) -> tuple[dict[str, object], int, int]:
    """The settings of the vectors, how many heads there are, and the one to draw, from 0."""
    with page.settings():
        n_heads = heads_field(page.messages)
        head = whole_number(_("Head"), 1, n_heads, 1, key="head", below=page.messages) - 1
        return vector_settings(), n_heads, head


def window_field() -> int:
    """How many tokens a token sees, itself among them."""
    return whole_number(
        _("Window (tokens)"),
        1,
        MAX_TOKENS,
        3,
        key="window",
        help=_("A token sees itself and those before it, so many in all. Models call this sliding_window."),
    )


def height_of_maps(n_tokens: int) -> str:
    """What a screen has left for matrices of so many tokens, as a CSS length; at least a line for each named row."""
    named = -(-n_tokens // -(-n_tokens // MAX_LABELS))
    return f"clamp({max(16, 7 + 0.9 * named):.1f}rem, calc(100vh - 28.9rem), 44rem)"


def sentence_a(text_column: DeltaGenerator, settings: dict[str, object]) -> Embedded:
    """Sentence A as chips and as vectors. If there are none, show a message and stop the page there."""
    text = sentences.sentence(text_column, "A", pairs()[0].a)
    spec = sentences.spec_or_message(settings, text)
    place = text_column.container()
    tokens = sentences.tokens([text_column], [text], spec, MAX_TOKENS)
    if not tokens[0].ids:
        stop()  # it has its message already
    sentences.as_chips([place], tokens)
    (embedded,) = sentences.embed_or_message(tokens, spec)
    return embedded


def in_a_hall(cards: Sequence[Card]) -> list[Card]:
    """Findings as a slide has room for them: in projection a picture stands beside one sentence."""
    return [replace(card, text="") for card in cards] if presenting.is_on() else list(cards)
