"""The pages of the site and the shell around them. Streamlit runs this file."""

from pathlib import Path

import streamlit as st

from embedviz import ui

_PAGES = Path(__file__).resolve().parents[2] / "pages"

st.set_page_config(page_title="embedviz", layout="wide")
ui.style()
st.navigation(
    [
        st.Page(
            _PAGES / "compare.py",
            title="Compare",
            icon=":material/compare_arrows:",
            default=True,
            help="Two sentences of the same words through one embedding backend.",
        )
    ],
    position="top",
).run()
