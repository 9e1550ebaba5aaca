"""A sentence on what nearness means on this map, and a link to the opposite map, of learned or of random vectors."""

import numpy as np
import streamlit as st

from embedviz.base.i18n import _
from embedviz.training.drift import same_class
from embedviz.vectors import tables
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of
from pages.vocabulary.source import learned


def contrast(spec: Spec, tokens: Vocabulary) -> None:
    """Show them side by side."""
    is_random = spec.source == "random"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said(spec, tokens), width="stretch")
        clicked = st.button(
            _("Show learned vectors") if is_random else _("Compare with random vectors"),
            key="contrast",
            on_click=lambda: st.session_state.update(source=learned() if is_random else "random"),
        )
    if clicked:
        st.rerun()  # the whole page: the field of the source is outside this part


def said(spec: Spec, tokens: Vocabulary) -> str:
    """Say whether neighbours on this map mean anything."""
    if spec.source == "random":
        return _("Random numbers: which tokens are neighbours is chance, and a map does not keep them together.")
    classes = classes_of(tokens)
    if not classes:
        return _("These vectors have learned: neighbours are often used alike, as hot and cold are.")
    names = tuple(classes[text] for text in tokens.texts)
    counted = np.array([names.count(name) > 1 for name in names])
    alike = same_class(tables.token_table(len(tokens), spec).weights, names) & counted
    return _(
        "These vectors have learned: the nearest neighbour of {n} of {total} words is of the same class, so it is used "
        "alike.",
        n=int(alike.sum()),
        total=int(counted.sum()),
    )
