"""Training: what do the two tables learn?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.training.queue import runs
from embedviz.ui.fields import view_of
from embedviz.ui.messages import stop
from pages.training.guide import GUIDES
from pages.training.settings import training_settings
from pages.training.stage import run_states, shown, stage, state_of, wanted_runs
from pages.training.views import VIEWS, program
from pages.training.waiting import button

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="part")
page.title(_("Vectors that have learned"), GUIDES[view], _("A small GPT learns to predict the next word."))
settings, train = training_settings(page, view)
if settings is None:
    stop()

runs.prepare()
wanted = wanted_runs(settings, view)
found = run_states(wanted)
state = state_of(wanted, found)
with train, ui.on_every_slide("train"):
    button(wanted, state)
with page.body:
    stage(wanted, view, state)
    program(wanted, shown(wanted, found, state))
