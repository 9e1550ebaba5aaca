"""The controls of the page "Relative", and which of its views to draw."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import tables
from embedviz.embedding import tokenize_for
from embedviz.errors import EmbedvizError, Unavailable
from embedviz.layer import make_layer
from embedviz.lengths import MAX_LENGTH
from embedviz.relative import MAX_REACH, N_HEADS, Sentence
from embedviz.settings import configured
from embedviz.sources import SOURCES
from embedviz.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, TOKENIZERS, Spec
from embedviz.texts import N_, _
from embedviz.ui import relative_views, turns
from embedviz.ui.controls import chosen_source, seed_field, shown_as_fixed, size_field
from embedviz.ui.fields import text_within, view_of, whole_number
from embedviz.ui.literal import literal
from embedviz.ui.unavailable import unavailable

MAX_CHARACTERS, MAX_TOKENS = 1000, min(64, configured().tokens)
VIEWS = (N_("Scores"), N_("Shift test"), N_("By distance"), N_("Longer texts"), N_("Which one"))
_TEXT = "the cat sat on the mat"
# "words" would need a vocabulary of its own for every text.
_TOKENIZERS = tuple(name for name in TOKENIZERS if name != "words")


def settings(head: DeltaGenerator, more: DeltaGenerator) -> tuple[dict[str, object], int]:
    """The Spec's settings, and the head, from 0."""
    with head:
        number = whole_number(_("Head"), 1, N_HEADS, 1, key="head", help=_("Of {n_heads}.", n_heads=N_HEADS))
    with more, st.popover(_("More"), width="stretch", key="more"):
        source = chosen_source()
        found: dict[str, object] = {
            "source": source,
            "tokenizer": _tokenizer(source),
            "output_dim": size_field("output_dim", source, MAX_OUTPUT_DIM),
            "seed": seed_field(source, seeded=True),  # of the head's matrices too
            "context_length": size_field(
                "context_length", source, MAX_CONTEXT_LENGTH, help=_("Rows of the learned positional table.")
            ),
        }
    return found, number - 1


def _tokenizer(source: str) -> str:
    if fixed := SOURCES[source].fixed.get("tokenizer"):
        return shown_as_fixed("tokenizer", fixed)
    return st.selectbox(_("Tokenizer"), _TOKENIZERS, _TOKENIZERS.index("gpt2"), key="tokenizer", bind="query-params")


def view() -> str:
    """Which of the five pictures."""
    return view_of(_("Show"), VIEWS, key="relative")


def sentence(chosen: dict[str, object], head: int) -> Sentence:
    """The sentence and its settings; a message, and nothing after it, if they do not go together."""
    text = text_within(
        st.text_input, _("Sentence"), _TEXT, MAX_CHARACTERS, key="sentence", label_visibility="collapsed"
    )
    try:
        return _sentence(text, Spec(**chosen), head)
    except Unavailable as error:
        unavailable(error, chosen["source"])
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()


def _sentence(text: str, spec: Spec, head: int) -> Sentence:
    # RoPE asks most of the sizes: each head needs pairs.
    make_layer("rope", spec.output_dim, N_HEADS, 0)
    whole = tokenize_for(text, spec)
    tokens = whole.head(MAX_TOKENS)
    if not tokens.ids:
        raise EmbedvizError(_("The sentence is empty: type a few words."))
    if tokens.is_cut:
        st.warning(
            _("{n:,} tokens are too many to show; the first {most} are used.", n=len(whole), most=MAX_TOKENS),
            icon=":material/content_cut:",
        )
    found = Sentence(tokens, spec, head)
    if not tables.is_ready(tokens.vocab_size, spec, tokens.ids):
        with turns.pause():
            _made = found.token_embeddings
            tables.position_table(tokens.vocab_size, spec)
    return found


def draw(name: str, beside: DeltaGenerator, chosen: dict[str, object], head: int) -> None:
    """The view of this name, with what it needs to know in the column beside the list of views."""
    if name == "Which one":
        relative_views.table_of_schemes()
    elif name == "Longer texts":
        with beside:
            left, right = st.columns(2)
        with left:
            trained = whole_number(_("Trained on (tokens)"), 1, MAX_LENGTH, 64, key="trained")
        with right:
            used = whole_number(_("Used on (tokens)"), 1, MAX_LENGTH, 192, key="used")
        relative_views.longer(trained, used, chosen["output_dim"])
    elif name == "By distance":
        with beside:
            left, right = st.columns([2, 1], vertical_alignment="bottom")
        with right:
            reach = whole_number(_("Up to distance"), 1, MAX_REACH, 160, key="reach")
        with left:
            found = sentence(chosen, head)
        relative_views.distance(found, reach)
    else:
        with beside:
            found = sentence(chosen, head)
        {"Scores": relative_views.scores, "Shift test": relative_views.shift}[name](found)
