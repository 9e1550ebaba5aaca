"""A sentence on what nearness means on this map, and a link to the opposite map, of learned or of random vectors."""

import numpy as np
import streamlit as st

from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.training.drift import same_class
from embedviz.ui import presenting
from embedviz.ui.components.cloud.cloud import name
from embedviz.ui.fields import literal
from embedviz.vectors import tables
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of
from pages.vocabulary.source import learned

_NAMED = 3  # of the tokens without a row; the others are counted


def contrast(spec: Spec, tokens: Vocabulary) -> None:
    """Show them side by side; in projection the sentence alone."""
    is_random = spec.source == "random"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(paragraph([said(spec, tokens), without_rows(tokens)]), width="stretch")
        if presenting.is_on():
            return
        clicked = st.button(
            _("Show learned vectors") if is_random else _("Compare with random vectors"),
            key="contrast",
            on_click=lambda: st.session_state.update(source=learned() if is_random else "random"),
        )
    if clicked:
        st.rerun()  # the whole page: the field of the source is outside this part


def without_rows(tokens: Vocabulary) -> str:
    """Name the tokens that are left out, since the model's table has no rows for them; nothing if there are none."""
    if not tokens.beyond:
        return ""
    named = [f"{literal(name(token))} ({id_})" for id_, token in tokens.beyond.items()]
    return ngettext(
        "{n:,} token of the tokenizer has no row in the model's table, which ends at {last:,}: {names}.",
        "{n:,} tokens of the tokenizer have no rows in the model's table, which ends at {last:,}: {names}.",
        len(named),
        last=len(tokens) - 1,
        names=listed(named[:_NAMED]) + ("…" if named[_NAMED:] else ""),
    )


def said(spec: Spec, tokens: Vocabulary) -> str:
    """Say whether neighbours on this map mean anything."""
    if spec.source == "random":
        return _("Random numbers: which tokens are neighbours is chance, and a map does not keep them together.")
    rows = tables.token_table(len(tokens), spec)
    if (rows[:, 0] == rows[0, 0]).all() and (rows == rows[0]).all():
        return _("All these vectors are equal, so none is nearer to another. PCA draws them as one point.")
    classes = classes_of(tokens)
    if not classes:
        return _("These vectors have learned: neighbours are often used alike, as hot and cold are.")
    names = tuple(classes[text] for text in tokens.texts)
    counted = np.array([names.count(name) > 1 for name in names])
    alike = same_class(rows, names) & counted
    return _(
        "These vectors have learned: the nearest neighbour of {n} of {total} words is of the same class, so it is used "
        "alike.",
        n=int(alike.sum()),
        total=int(counted.sum()),
    )
