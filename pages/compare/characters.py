"""What the page says of tokens that are bytes of a character, and the tokenizer that it offers instead."""

from collections.abc import Sequence

import streamlit as st

from embedviz.base.i18n import _, first_and_more
from embedviz.text.tokens import Tokens
from embedviz.text.visible import quoted
from embedviz.ui.inputs.controls import fixed_fields
from embedviz.ui.inputs.sentences import cut_best
from embedviz.ui.messages import literal
from embedviz.vectors.spec import Spec


def say_if_cut(tokens: Sequence[Tokens], texts: Sequence[str], spec: Spec) -> None:
    """Say that chips which touch are one character, if there are any, and offer a tokenizer that cuts fewer."""
    cut = [each.text[each.spans[n][1] - 1] for each in tokens for n, part in enumerate(each.partial) if part]
    if not cut:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="cut_characters"):
        said = _(
            "{tokenizer} cuts {character} into its bytes, which are tokens. Chips that touch are one character.",
            tokenizer=spec.tokenizer,
            character=first_and_more([*map(quoted, dict.fromkeys(cut))]),
        )
        st.info(literal(said), icon=":material/data_array:")
        if "tokenizer" not in fixed_fields(spec.origin) and (better := cut_best(texts, spec.tokenizer)):
            st.button(_("Cut with {tokenizer}", tokenizer=better), key="cut_better", on_click=_take, args=(better,))


def _take(tokenizer: str) -> None:
    st.session_state.update({"tokenizer": tokenizer, "took_pair": True})
