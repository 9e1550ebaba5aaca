"""The controls of the page "Relative"."""

from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.attention.lengths import MAX_LENGTH
from embedviz.attention.one_head import N_HEADS, Sentence, check_heads
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.positions import SCHEMES
from embedviz.text.tokens import TOKENIZERS
from embedviz.ui import sentences, turns
from embedviz.ui.controls import chosen_source, seed_field, size_field, tokenizer_field
from embedviz.ui.fields import literal, text_within, whole_number
from embedviz.ui.messages import stop, stop_at_error
from embedviz.ui.shell import Frame
from embedviz.vectors import tables
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.sources import RANDOM
from embedviz.vectors.spec import MAX_CONTEXT_LENGTH, MAX_OUTPUT_DIM, Spec

MAX_CHARACTERS, MAX_TOKENS = 1000, min(64, configured().tokens)
_TEXT = "the cat sat on the mat"
# "words" would need a vocabulary of its own for every text.
_TOKENIZERS = tuple(name for name in TOKENIZERS if name != "words")


def sentence_field(page: Frame) -> tuple[Sentence, DeltaGenerator]:
    """The sentence, and the room beside it for one more field; a message, and nothing after it, if it does not fit.

    Which of the heads is a setting that all these views share.
    """
    page.lead(
        _("Positions in {n} ways, one of which is to leave them out; all matrices are untrained.", n=len(SCHEMES))
    )
    with page.settings():
        settings = _spec()
    text, which, room = page.inputs.columns([4, 1, 1], vertical_alignment="bottom")
    head = whole_number(_("Head"), 1, N_HEADS, 1, key="head", help=_("Of {n_heads}.", n_heads=N_HEADS), place=which) - 1
    with text:
        typed = text_within(st.text_input, _("Sentence"), _TEXT, MAX_CHARACTERS, key="sentence")
    with page.messages, stop_at_error(settings["source"]):
        return _sentence(typed, Spec(**settings), head), room


def _spec() -> dict[str, object]:
    source = chosen_source()
    return {
        "source": source.name,
        "tokenizer": tokenizer_field(source, _TOKENIZERS),
        "output_dim": size_field("output_dim", source, MAX_OUTPUT_DIM),
        "seed": seed_field(source, seeded=True),  # of the head's matrices too
        "context_length": size_field(
            "context_length", source, MAX_CONTEXT_LENGTH, help=_("Rows of the learned positional table.")
        ),
    }


def _sentence(text: str, spec: Spec, head: int) -> Sentence:
    # RoPE asks most of the sizes: each head needs pairs.
    check_heads(spec.output_dim)
    whole = tokenize_for(text, spec)
    tokens = whole.head(MAX_TOKENS)
    sentences.say_if_lost(whole)
    if sentences.is_empty(tokens):
        st.info(_("The sentence is empty: type a few words."), icon=":material/edit:")
    if not tokens.ids:
        stop()
    if tokens.is_cut:
        st.warning(
            _("{n:,} tokens are too many to show; the first {most} are used.", n=len(whole), most=MAX_TOKENS),
            icon=":material/content_cut:",
        )
    found = Sentence(tokens, spec, head)
    with nullcontext() if tables.is_ready(tokens.vocab_size, spec, tokens.ids) else turns.pause():
        _made = found.token_embeddings  # here, where the page can say why there are none
        if spec.origin.has_positions:
            tables.position_table(tokens.vocab_size, spec)
    return found


def with_learned(page: Frame) -> Sentence:
    """The sentence for a view of all schemes. A message says so if the source has no table for the scheme "Learned"."""
    sentence, _room = sentence_field(page)
    source = sentence.spec.origin
    if not source.has_positions:
        said = _("{about} So “Learned” is left out here: there is no table to add.", about=source.about_positions())
        page.messages.info(literal(said), icon=":material/info:")
    return sentence


def length_fields(page: Frame) -> tuple[int, int, int]:
    """How long the texts are that a model was trained on, and those that it is used on; output_dim."""
    trained, used, size = page.inputs.columns(3)
    with trained:
        # Beyond T5's last bucket, which begins at 113, and as long as DeBERTa's table.
        short = whole_number(_("Trained on (tokens)"), 1, MAX_LENGTH, 512, key="trained")
    long = whole_number(_("Used on (tokens)"), 1, MAX_LENGTH, 1024, key="used", place=used)
    with size:
        return short, long, size_field("output_dim", RANDOM, MAX_OUTPUT_DIM)
