"""One sentence on what being near means on this map, and the way to the opposite: learned vectors or random ones."""

import numpy as np
import streamlit as st

from embedviz.base.i18n import _
from embedviz.training.drift import same_class
from embedviz.ui import presenting
from embedviz.vectors import tables
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of


def contrast(spec: Spec, tokens: Vocabulary) -> None:
    """Show them side by side; in projection the sentence alone."""
    is_random = spec.source == "random"
    if presenting.is_on():
        st.caption(said(spec, tokens))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said(spec, tokens), width="stretch")
        st.button(
            _("Show learned vectors") if is_random else _("Compare with random vectors"),
            key="contrast",
            on_click=lambda: st.session_state.update(source="trained" if is_random else "random"),
        )


def said(spec: Spec, tokens: Vocabulary) -> str:
    """Whether neighbours mean anything here."""
    if spec.source == "random":
        return _("These vectors are random numbers: which tokens are neighbours is chance.")
    classes = classes_of(tokens)
    if not classes:
        return _("These vectors have learned: tokens that are used alike are often neighbours.")
    names = tuple(classes[text] for text in tokens.texts)
    counted = np.array([names.count(name) > 1 for name in names])
    alike = same_class(tables.token_table(len(tokens), spec).weights, names) & counted
    return _(
        "These vectors have learned: the nearest neighbour of {n} of {total} words is of the same word class.",
        n=int(alike.sum()),
        total=int(counted.sum()),
    )
