"""The view of the page "Tokenizers": one text, as each of several tokenizers cuts it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, translated
from embedviz.models import is_name
from embedviz.programs.inputs import pytorch_tokenizers
from embedviz.text.segmentation import Segmentation, segment
from embedviz.text.tokens import build_vocabulary
from embedviz.ui import Card, Guide, Picture, Program, View, challenges, presenting
from pages.tokenizers.segments import segments, word_colours
from pages.tokenizers.settings import FIELD, Asked, fields, settings
from pages.tokenizers.words import about_pair, about_segmentation


class Result(NamedTuple):
    """Both sentences or another text as they are cut, and why a model's tokenizer that was chosen cuts nothing."""

    segmentations: list[Segmentation]
    why_not: str = ""


def cut(asked: Asked) -> Result:
    """Cut the texts by all that are chosen. If a model's tokenizer cannot, the others do."""
    others = [name for name in asked.tokenizers if not is_name(name)]
    why_not, chosen = "", asked.tokenizers
    try:
        segmentations = _cut(asked, chosen)
    except EmbedvizError as error:
        if not 0 < len(others) < len(chosen):
            raise
        segmentations, why_not = _cut(asked, others), str(error)
    return Result(segmentations, why_not)


def _cut(asked: Asked, tokenizers: list[str]) -> list[Segmentation]:
    vocabulary = build_vocabulary(asked.texts, lower_case=False) if len(asked.texts) > 1 else ()
    return [
        segment(text, tokenizers, asked.prefix_space, special_tokens=asked.special_tokens, vocabulary=vocabulary)
        for text in asked.texts
    ]


def findings(result: Result) -> list[Card]:
    """Where the cuts differ; of both sentences, whether their tokens are the same."""
    if len(result.segmentations) > 1:
        return about_pair(*result.segmentations)
    return about_segmentation(result.segmentations[0])


def pictures(result: Result) -> list[Picture]:
    """A row of chips for each tokenizer; both sentences side by side."""
    missing = [Picture(partial(ui.show_error, result.why_not), None)] if result.why_not else []
    return [*missing, Picture(partial(_rows, result.segmentations))]


def _rows(segmentations: Sequence[Segmentation]) -> None:
    if len(segmentations) == 1:
        segments(segmentations[0], field=translated(FIELD), key="segments")
        return
    is_hall = presenting.is_on()
    places = [st.container() for _each in segmentations] if is_hall else st.columns(len(segmentations))
    drawn = [*map(_first_row, segmentations)] if is_hall else segmentations
    colours = word_colours(segmentations)
    for place, name, each, other in zip(places, "AB", drawn, reversed(drawn), strict=True):
        with place:
            field = _("Sentence {name}", name=name)
            segments(each, field=field, key=f"segments_{name}", colours=colours, other=other)


def _first_row(segmentation: Segmentation) -> Segmentation:
    """The cuts of the first tokenizer whose list of tokens was not made of these texts: a hall has room for one row."""
    row = next((each for each in segmentation.cuts if each.tokens.tokenizer != "words"), segmentation.cuts[0])
    return replace(segmentation, cuts=(row,))


def program(result: Result) -> Program:
    """The same cuts in Python."""
    cut = result.segmentations[0]
    names = [each.tokens.tokenizer for each in cut.cuts]
    text = pytorch_tokenizers([each.text for each in result.segmentations], names, cut.prefix_space, cut.special_tokens)
    return Program(text, _("One text, several ways to cut it"))


TOKENIZERS = View(
    page="tokenizers",
    name="",
    guide=Guide(
        N_("Each row cuts the same text with another tokenizer. Point at a token to find its letters in the others."),
        N_("Models read subwords, since no list holds every word: frequent words stay whole, and rare ones are spelled "
           "in parts."),
        "token id subwords byte prefix_space vocabulary",
    ),
    settings=settings,
    fields=fields,
    compute=cut,
    findings=findings,
    pictures=pictures,
    program=program,
    when_shown=lambda result: challenges.check("two-cuts", result.segmentations[0]),
    examples=(
        {},
        {"prefix_space": "false"},
        {"a": "The cat", "b": "the dog 猫"},
        {"text": "The cat the mat 🐈"},
        {"text": "", "tokenizers": "gpt2"},
    ),
)  # fmt: skip
