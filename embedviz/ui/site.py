"""The pages of the site and the shell around them. Streamlit runs this file."""

from pathlib import Path

import streamlit as st

from embedviz import ui
from embedviz.runs import runs
from embedviz.ui import presenting
from embedviz.ui.turns import turn
from embedviz.ui.visitor import visitor

_PAGES = Path(__file__).resolve().parents[2] / "pages"

ui.frame()
page = st.navigation(
    [
        st.Page(
            _PAGES / "compare.py",
            title="Compare",
            icon=":material/compare_arrows:",
            default=True,
            help="Two sentences of the same words through one embedding backend.",
        ),
        st.Page(
            _PAGES / "tour.py",
            title="Tour",
            icon=":material/tour:",
            help="From text to input embeddings in thirteen steps, on your own two sentences, with questions.",
        ),
        st.Page(
            _PAGES / "lookup.py",
            title="Lookup",
            icon=":material/table_rows:",
            help="What an embedding layer does with an ID, number by number.",
        ),
        st.Page(
            _PAGES / "tokenizers.py",
            title="Tokenizers",
            icon=":material/segment:",
            help="One text cut by up to four tokenizers, side by side.",
        ),
        st.Page(
            _PAGES / "batches.py",
            title="Batches",
            icon=":material/view_week:",
            help="Sliding windows over a text, and one batch through the layers.",
        ),
        st.Page(
            _PAGES / "positions.py",
            title="Positions",
            icon=":material/format_list_numbered:",
            help="Tables of absolute positions: their numbers, pairs, similarities, ends, and what adding does.",
        ),
        st.Page(
            _PAGES / "relative.py",
            title="Relative",
            icon=":material/straighten:",
            help="Nine position schemes inside attention: scores, the shift test, distances, longer texts.",
        ),
        st.Page(
            _PAGES / "attention.py",
            title="Attention",
            icon=":material/hub:",
            help="One layer over both sentences: what order changes, and what a mask does.",
        ),
        st.Page(
            _PAGES / "training.py",
            title="Training",
            icon=":material/model_training:",
            help="A small GPT learns, and its two tables take shape.",
        ),
        st.Page(
            _PAGES / "vocabulary.py",
            title="Vocabulary",
            icon=":material/scatter_plot:",
            help="All tokens of a tokenizer at once, as a map: search, neighbours, axes, t-SNE and UMAP.",
        ),
    ],
    position="top",
)
presenting.carry(page.url_path)
ui.style()
ui.share()
if page.url_path != "training":
    runs.leave(visitor())  # who goes to another page waits for no training any more
with turn():
    page.run()
