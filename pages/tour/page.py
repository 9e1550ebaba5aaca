"""Tour: where word order enters a model, told step by step on one picture."""

import streamlit as st

from embedviz.ui import lessons, presenting
from pages.tour.tour import TOUR, tour

VIEWS = (TOUR,)

if __name__ == "__main__":
    with st.container(gap="xsmall"):  # which has its own rows
        if not presenting.is_on():
            lessons.lesson_strip(TOUR.page)
        tour()
