"""Lessons: which ways lead through the views, for a class or for one reader?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.lessons.lessons import LESSONS

VIEWS = (LESSONS,)

if __name__ == "__main__":
    ui.page(_("Lessons"), VIEWS)
