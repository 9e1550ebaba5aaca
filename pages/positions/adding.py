"""The view "Adding" of the page "Positions": does adding a position hurt the token?"""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.programs import positions as export
from embedviz.programs.rows import of_sentence
from embedviz.text.tokens import TokenIds
from embedviz.ui import controls, sentences, turns
from embedviz.ui.fields import BOUND, literal, text_within, whole_number
from embedviz.vectors.adding import add_or_concatenate, added, nearest_tokens
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.spec import Spec
from pages.positions import words
from pages.positions.real_models import has_none

_MAX_CHARACTERS = 300
_MAX_TOKENS = 12  # of the sentence to which positions are added
_SENTENCE = "the cat sat on the mat"


def adding(settings: TableSettings) -> None:
    """Show what adding positions does to the tokens of a sentence."""
    if "learned" not in settings.kinds:
        has_none(settings.origin)
        return
    left, scheme, scale, root = st.columns([3, 1.4, 1.4, 1.2], vertical_alignment="bottom")
    with left:
        text = text_within(st.text_input, _("Sentence"), _SENTENCE, _MAX_CHARACTERS, key="sentence")
    position = scheme.selectbox(_("Position scheme"), ("learned", "sinusoidal"), key="position", **BOUND)
    position_scale = scale.slider(_("Position scale"), 0.0, 4.0, 1.0, 0.05, key="position_scale", **BOUND)
    scaled = root.toggle(_("Token vectors × √d"), key="scale_embeddings", help=controls.scaling_help(), **BOUND)
    spec = Spec(
        source=settings.source,
        output_dim=settings.output_dim,
        seed=settings.seed,
        position=position,
        position_scale=position_scale,
        scale_embeddings=scaled,
    )
    tokens = tokenize_for(text, spec).head(_MAX_TOKENS)
    sentences.say_if_lost(tokens)
    if sentences.is_empty(tokens):
        st.info(_("The sentence is empty: type a few words."), icon=":material/edit:")
    if not tokens.ids:
        return
    with turns.pause():
        embedded = embed_tokens(tokens, spec)
    _effects(embedded)


def _effects(embedded: Embedded) -> None:
    found = added(embedded)
    spec, tokens = embedded.spec, embedded.tokens
    ui.cards(words.about_adding(found, add_or_concatenate(spec.output_dim, spec.output_dim), spec.source), key="about")
    columns = [_("token"), _("length of token"), _("of position"), _("of the sum"), _("angle"), _("share of the token")]
    shares = zip(found.token, found.position, found.total, found.angle, found.share, strict=True)
    rows = [
        [words.quoted(text), *(f"{value:.2f}" for value in lengths), f"{angle:.1f}°", f"{share:.0%}"]
        for text, (*lengths, angle, share) in zip(tokens.texts, shares, strict=True)
    ]
    with ui.slide():
        ui.table(
            columns, rows, key="effects", label=_("What adding does to each token"), numbers=range(1, len(columns))
        )
    left, right = st.columns([1, 6], vertical_alignment="center")
    n = whole_number(_("Token at position"), 0, len(tokens) - 1, min(1, len(tokens) - 1), key="token_at", place=left)
    with right:
        _nearest(embedded, n)
    ui.program(export.pytorch_adding(embedded), _("What adding does"), rows=partial(of_sentence, embedded))


def _nearest(embedded: Embedded, n: int) -> None:
    """Return the tokens nearest to token n. For GPT-2 this needs its whole table on this machine."""
    tokens = embedded.tokens
    try:
        with turns.pause():
            near = nearest_tokens(embedded, n)
    except Unavailable as error:
        st.info(literal(_("Nearest tokens: {error}", error=error)), icon=":material/cloud_off:")
        return
    names = [[_name(int(id_), embedded.spec) for id_ in each.ids] for each in near]
    stages = (_("{token} before", token=words.quoted(tokens.texts[n])), _("After its position was added"))
    about = zip(stages, near, names, strict=True)
    ui.cards([words.nearest_card(stage, each, name, tokens.ids[n]) for stage, each, name in about], key="nearest")


def _name(id_: int, spec: Spec) -> str:
    return TokenIds(spec.tokenizer, np.array([id_]), id_ + 1, spec.vocabulary).texts([id_])[0]
