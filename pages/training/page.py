"""Training: what do the two tables learn?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.training.queue import runs
from embedviz.ui.components.slider import snapshots
from embedviz.ui.fields import view_of
from pages.training.settings import training_settings
from pages.training.views import VIEWS, program
from pages.training.waiting import button, finished, invitation, is_under_way, run_states, wanted_runs, watch

page = ui.frame()
page.title(_("Vectors that have learned"), _("A small GPT learns to name the next word."))
with page.views:
    view = view_of(_("Show"), VIEWS, key="part")
settings, train = training_settings(page, view)
if settings is None:
    st.stop()

runs.prepare()
wanted = wanted_runs(settings, view)
states = run_states(wanted)
button(train, wanted, states)
with page.body:
    if found := finished(states):
        if view != "order":
            snapshots(found[0], str(hash(found[0].settings)), key="snapshots")
        VIEWS[view](found)
        program(wanted, found)
    elif is_under_way(states):
        watch(wanted, view)
    else:
        invitation(wanted, states)
