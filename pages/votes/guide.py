"""What the page "Votes" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

LOOK = N_("Write a question and its choices, let the hall vote by phone, and show the bars. The Tour does it too.")
WHY = N_("Whoever has chosen wants to know why. Nobody's name is asked, and a vote is gone after two hours.")
GUIDES = {"": Guide(LOOK, WHY, "token position")}
