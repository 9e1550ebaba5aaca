"""What the page "Votes" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Write a question and its choices, let the hall vote by phone, and show the bars. The Tour's questions have "
           "the same button."),
        N_("Whoever has chosen before the answer comes wants to know why. Nobody's name is asked, and after two hours "
           "a vote is gone."),
        "token position"),
}  # fmt: skip
