"""What the page "Lessons" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "": Guide(
        N_("Choose a lesson. Each of its stations opens a view, with something to do and a question to answer first."),
        N_("Who has written down a guess looks at a picture with other eyes, whether the guess was right or wrong."),
        "token position positional rope base"),
}  # fmt: skip
