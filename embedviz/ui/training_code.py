"""The training on screen as a program, and its tables to take along."""

from collections.abc import Sequence

import streamlit as st

from embedviz.program import pytorch_training
from embedviz.training import Settings
from embedviz.ui import presenting
from embedviz.ui.training_views import ORDER


def code(of: Sequence[Settings]) -> None:
    """Show the PyTorch of one run, or of the one that the reader picks; not in projection."""
    if presenting.is_on():
        return
    with st.expander("Show the PyTorch", icon=":material/code:", key="code"):
        chosen = of[0]
        if len(of) > 1:
            name = st.segmented_control("Run", ORDER, default=ORDER[0], required=True, key="program")
            chosen = of[ORDER.index(name)]
        st.code(pytorch_training(chosen), height=380)
