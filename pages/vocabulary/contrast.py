"""A sentence on what nearness means on this map, and the switch between learned and random vectors."""

import numpy as np
import streamlit as st

from embedviz.base.i18n import _, first_and_more, in_parentheses, ngettext
from embedviz.training.drift import same_class
from embedviz.ui import literal, presenting
from embedviz.ui.components.cloud.cloud import name
from embedviz.vectors import tables
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import word_map
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of
from pages.vocabulary.source import WORD_MAP

_NAMED = 3  # of the tokens without a row; the others are counted


def sentence_and_switch(sentence: str, *, is_random: bool) -> None:
    """Show the sentence beside the switch; in projection the sentence alone."""
    if st.session_state.pop("contrasted", False):
        st.rerun()  # the whole page: the field of the source is outside this part
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(sentence, width="stretch")
        if presenting.is_on():
            return
        st.session_state["contrast"] = is_random
        st.toggle(_("Random vectors"), key="contrast", on_change=_switch)


def _switch() -> None:
    source = "random" if st.session_state["contrast"] else WORD_MAP
    st.session_state.update(source=source, contrasted=True)


def without_rows(tokens: Vocabulary) -> str:
    """Name the tokens that are left out, since the model's table has no rows for them; nothing if there are none."""
    if not tokens.beyond:
        return ""
    named = [in_parentheses(literal(name(token)), id_) for id_, token in tokens.beyond.items()]
    return ngettext(
        "{n:,} token of the tokenizer has no row in the model's table, which ends at {last:,}: {names}.",
        "{n:,} tokens of the tokenizer have no rows in the model's table, which ends at {last:,}: {names}.",
        len(named),
        last=len(tokens) - 1,
        names=first_and_more(named, _NAMED),
    )


def nearness(spec: Spec, tokens: Vocabulary) -> str:
    """Say whether neighbours on this map mean anything."""
    if spec.source == "random":
        return _("Random numbers: which tokens are neighbours is chance, and a map does not keep them together.")
    rows = tables.token_table(len(tokens), spec)
    if not spec.origin.is_shared:
        return _("These are your own vectors. What nearness means among them, only you know.")
    if (rows[:, 0] == rows[0, 0]).all() and (rows == rows[0]).all():
        return _("All these vectors are equal, so none is nearer to another. PCA draws them as one point.")
    classes = classes_of(tokens)
    if not classes:
        return _("These vectors are trained: neighbours are often used alike, as hot and cold are.")
    names = tuple(classes[text] for text in tokens.texts)
    counted = np.array([names.count(name) > 1 for name in names])
    alike = same_class(rows, names) & counted
    return _(
        "These vectors are trained: for {n} of {total} words the nearest one is of the same class.",
        n=int(alike.sum()),
        total=int(counted.sum()),
    )


def nearness_on_word_map() -> str:
    """What the map is that comes with the app, and what distances mean on it."""
    return _(
        "{n:,} words of {model}, laid out by t-SNE (perplexity {perplexity}, seed {seed}). Distances between groups "
        "mean little.",
        n=word_map.N_WORDS,
        model=word_map.MODEL,
        perplexity=word_map.PERPLEXITY,
        seed=word_map.SEED,
    )
