"""The fields that choose which model reads, and which two sentences."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, joined, translated
from embedviz.base.settings import configured
from embedviz.layers.runnable import runnable
from embedviz.text.questions import asked, question_of
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import tokenize
from embedviz.text.visible import quoted
from embedviz.ui import presenting
from embedviz.ui.inputs import download_field, sentences
from embedviz.ui.inputs.fields import BOUND, CURRENT_PLACE, give_way, mistake_place
from embedviz.ui.inputs.model_runs import RUNS, LanguageModel
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.inputs.own_vectors import uploaded
from embedviz.ui.messages import literal, stop, stop_at_error
from embedviz.ui.slides import reader_caption
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec


def reader_field(sheet: DeltaGenerator, messages: DeltaGenerator) -> LanguageModel:
    """Let the visitor choose a model on the sheet of the settings, or bring another one. messages: how one is had."""
    say_how_to_get_one(messages)
    with sheet:
        model = reader(CURRENT_PLACE)
        download_field.download_field()
    return model


def texts_and_place(model: LanguageModel) -> tuple[list[str], DeltaGenerator]:
    """Two sentences for the model, and the place beside them."""
    left, right, place = sentences.columns([2.2, 2.2, 4.4], vertical_alignment="bottom")
    if uploaded():
        reader_caption(
            _("Vectors of your own have no layers, so that no model reads them here. Compare shows their strips.")
        )
    return two_sentences((left, right), model), place


def reader(place: DeltaGenerator, *, runs: Iterable[str] = RUNS) -> LanguageModel:
    """Let the visitor choose a model. runs: the small GPTs among them."""
    names, labels = [*runnable(), *runs], OPTIONS["reader"]
    give_way("reader", names[0])
    shown = {name: translated(labels.get(name, name)) for name in names}
    return LanguageModel(place.selectbox(_("Model"), names, 0, format_func=shown.__getitem__, key="reader", **BOUND))


def of_another_kind(model: LanguageModel) -> LanguageModel | None:
    """A model with another position scheme that reads the same two sentences, if there is one."""
    others = map(LanguageModel, RUNS if model.run else runnable())
    return next((each for each in others if each.scheme != model.scheme), None)


def say_how_to_get_one(place: DeltaGenerator) -> None:
    """Say how a real model is had, if there is none on this machine."""
    if runnable():
        return
    if configured().forward_mib:
        said = _(
            "No real model is on this machine. The command `make minilm` brings a small one, MiniLM (91 MB), and the "
            "settings bring others."
        )
    else:
        said = _("This server runs no real models. On a machine of your own, `make run` brings one, MiniLM (91 MB).")
    place.info(said, icon=":material/download:")


def two_sentences(columns: Sequence[DeltaGenerator], model: LanguageModel) -> list[str]:
    """The two sentences, at first the usual ones, as the model reads them.

    A small GPT reads the question of its language after them, if they can be asked one. If it lacks a word of theirs,
    a message says so, and it reads the usual ones.
    """
    pair = _usual_texts(model)
    texts = [sentences.sentence(column, name, text) for column, name, text in zip(columns, "AB", pair, strict=True)]
    if not all(map(str.strip, texts)):
        st.info(_("Write two sentences, for the model to read both."), icon=":material/edit:")
        stop()
    if model.run:
        return _asked(model, texts, pair)
    with stop_at_error(model.name):
        tokens = [tokenize_for(text, Spec(source=model.name)) for text in texts]
    for column, each in zip(columns, tokens, strict=False):
        with column:
            sentences.say_if_lost(each)
    return texts


def known_or_usual(model: LanguageModel, texts: Sequence[str], default: Sequence[str]) -> Sequence[str]:
    """The sentences if a small GPT knows their words; else a message that says so, and these others."""
    try:
        for text in texts:
            tokenize(text, "words", vocabulary=model.small.vocabulary)
    except EmbedvizError as error:
        pair = joined([quoted(text).replace("␣", " ") for text in default])
        named = {"model": model.title, "pair": pair}
        if presenting.is_on():  # where the words that it knows would leave no room for the picture
            said = _("{model} does not know all of these words. It reads {pair} instead.", **named)
        else:
            said = _("{error} {model} reads {pair} instead.", error=error, **named)
        mistake_place("pair").warning(literal(said), icon=":material/swap_horiz:")
        return default
    return texts


def _asked(model: LanguageModel, texts: Sequence[str], default: Sequence[str]) -> list[str]:
    """The sentences as a small GPT reads them, which knows only a few words."""
    texts = known_or_usual(model, texts, default)
    question = question_of(texts)
    if not {*question.split()} <= {*model.small.vocabulary}:  # of another text, which has no questions
        return [*texts]
    if question:
        said = _("After both, {model} reads the question “{question}”.", model=model.title, question=question)
        reader_caption(said)
    return asked(texts)


def _usual_texts(model: LanguageModel) -> tuple[str, str]:
    """The site's pair, or two orders of words that a model of another text knows."""
    pair = usual_pair()
    if not model.run or not model.run.text or {*pair.a.split()} <= {*model.small.vocabulary}:
        return pair.a, pair.b
    words = [word for word in model.small.vocabulary if word.isalpha()][:4]
    return " ".join(words), " ".join(words[::-1])


def waiting(model: LanguageModel) -> AbstractContextManager:
    """What stands in place of the result while the model reads, which takes longest the first time."""
    return st.spinner(_("{model} reads.", model=literal(model.title)))
