"""The training on screen as a program, and its tables to take along."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from embedviz.program import pytorch_training
from embedviz.run import Run
from embedviz.takeaway import of_run
from embedviz.texts import _, translated
from embedviz.training import Settings
from embedviz.ui import presenting
from embedviz.ui.program import fold, listing, take_along
from embedviz.ui.training_views import ORDER


def code(of: Sequence[Settings], found: Sequence[Run]) -> None:
    """Show the PyTorch of one run, or of the one that the reader picks; not in projection."""
    if presenting.is_on():
        return
    with fold() as opened:
        n = 0
        if len(of) > 1:
            name = st.segmented_control(
                _("Run"), ORDER, default=ORDER[0], format_func=translated, required=True, key="program"
            )
            n = ORDER.index(name)
        text = pytorch_training(of[n])
        take_along(text, _("Vectors that have learned"), rows=partial(of_run, found[n]))
        listing(text, is_open=opened.open, height=380)
