"""The view of the page "Tokenizers": one text, as each of several tokenizers cuts it."""

from functools import partial
from typing import NamedTuple

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, translated
from embedviz.models import is_name
from embedviz.programs.inputs import pytorch_tokenizers
from embedviz.text.segmentation import Segmentation, segment
from embedviz.ui import Guide, Picture, Program, View, challenges
from pages.tokenizers.segments import segments
from pages.tokenizers.settings import FIELD, Asked, fields
from pages.tokenizers.words import about_segmentation


class Result(NamedTuple):
    """The text as it is cut, and why a model's tokenizer that was chosen is not among those that cut it."""

    segmentation: Segmentation
    why_not: str = ""


def cut(asked: Asked) -> Result:
    """Cut the text by all that are chosen. If a model's tokenizer cannot, the others do."""
    others = [name for name in asked.tokenizers if not is_name(name)]
    why_not, chosen = "", asked.tokenizers
    try:
        segmentation = _cut(asked, chosen)
    except EmbedvizError as error:
        if not 0 < len(others) < len(chosen):
            raise
        segmentation, why_not = _cut(asked, others), str(error)
    return Result(segmentation, why_not)


def _cut(asked: Asked, tokenizers: list[str]) -> Segmentation:
    return segment(asked.text, tokenizers, asked.prefix_space, special_tokens=asked.special_tokens)


def pictures(result: Result) -> list[Picture]:
    """A row of chips for each tokenizer."""
    rows = partial(segments, result.segmentation, field=translated(FIELD), key="segments")
    missing = [Picture(partial(ui.show_error, result.why_not), None)] if result.why_not else []
    return [*missing, Picture(rows, is_brief=True)]


def program(result: Result) -> Program:
    """The same cuts in Python."""
    cut = result.segmentation
    names = [each.tokens.tokenizer for each in cut.cuts]
    text = pytorch_tokenizers(cut.text, names, cut.prefix_space, cut.special_tokens)
    return Program(text, _("One text, several ways to cut it"))


TOKENIZERS = View(
    page="tokenizers",
    name="",
    guide=Guide(
        N_("Each row cuts the same text with another tokenizer. Point at a token to find its letters in the others."),
        N_("Models read subwords, since no list holds every word: frequent words stay whole, and rare ones are spelled "
           "in parts."),
        "token id subwords vocabulary",
    ),
    fields=fields,
    compute=cut,
    findings=lambda result: about_segmentation(result.segmentation),
    are_findings_below=True,
    pictures=pictures,
    program=program,
    when_shown=lambda result: challenges.check("two-cuts", result.segmentation),
    examples=({}, {"text": "The cat the mat 🐈"}, {"text": "", "tokenizers": "gpt2"}),
)  # fmt: skip
