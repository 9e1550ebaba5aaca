"""Training: what do the two tables learn?"""

import streamlit as st

from embedviz import ui
from embedviz.runs import runs
from embedviz.texts import _
from embedviz.ui import trainings
from embedviz.ui.training_code import code
from embedviz.ui.training_views import VIEWS, snapshots

page = st.container(gap="xsmall")
with page:
    title, *controls, train = st.columns([2.9, 1.5, 0.85, 0.85, 0.9, 0.9], vertical_alignment="bottom")
    below = st.container()
    left, right = st.columns([1, 2.2], vertical_alignment="center")
with title:
    ui.title(_("Vectors that have learned"), _("A small GPT learns to name the next word."))
with left:
    view = trainings.view()
settings = trainings.settings(controls, below, view)
if settings is None:
    st.stop()

runs.prepare()
wanted = trainings.wanted(settings, view)
states = trainings.states(wanted)
trainings.button(train, wanted, states)
with page:
    if found := trainings.finished(states):
        if view != "Order":
            with right:
                snapshots(found[0])
        VIEWS[view](found)
        code(wanted, found)
    elif trainings.is_under_way(states):
        trainings.watch(wanted, view)
    else:
        trainings.invitation(wanted, states)
