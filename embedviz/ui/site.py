"""The pages of the site and the shell around them. Streamlit runs this file."""

import streamlit as st

from embedviz import ui
from embedviz.training.queue import runs
from embedviz.ui.inputs.visitor import visitor
from embedviz.ui.messages import stop_at_error
from embedviz.ui.turns import turn

page = st.navigation(ui.site_pages(), position="hidden")  # server/head.py writes the menu
ui.window(page.title)
ui.style()
if page.url_path not in ("training", "next_word"):
    runs.leave(visitor())  # a visitor who goes to another page no longer waits for a training
with turn():
    ui.share()
    with stop_at_error(st.query_params.get("source")):  # whatever no part of the page has said
        page.run()
