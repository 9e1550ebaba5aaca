"""What a visitor is told about a limit that is not met by a control."""

import time

import streamlit as st

from embedviz.settings import configured
from embedviz.slowed import HEADER, slowed
from embedviz.texts import _

_WHILE = 3.0  # seconds after the last edit that was held up; the next run later than that takes the message away
_STYLE = """<style>
.st-key-slowed { position: fixed; right: clamp(0.75rem, 2.5vw, 3rem); bottom: 1rem; width: min(30rem, 100vw - 1.5rem);
  z-index: 1000; animation: ev-told-{when} 1s 6s forwards; border-radius: 0.5rem;
  background: light-dark(#ffffff, #0f1218); box-shadow: 0 2px 12px rgb(0 0 0 / 0.4); }
@keyframes ev-told-{when} { to { opacity: 0; visibility: hidden; } }
</style>"""


def tell_slowed() -> None:
    """Say at the end of a run that edits came faster than they are taken, if it was so.

    Not as a toast: a run that the next one cuts short would take it along. The last run of a flood is never cut short.
    """
    last = slowed.get(st.context.headers.get(HEADER), 0.0) if slowed else 0.0
    if time.monotonic() - last > _WHILE:
        return
    with st.container(key="slowed"):
        # Under another name the message begins to fade anew: it stays as long as a flood does.
        st.html(_STYLE.replace("{when}", str(round(last * 1000))))
        st.warning(
            _(
                "More than {rate} changes a second: some in between were not drawn. The last one counts.",
                rate=configured().edits_per_second,
            ),
            icon=":material/speed:",
        )
