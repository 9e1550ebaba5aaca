"""The fields that choose which model reads, and which two sentences."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _, listed, translated
from embedviz.base.settings import configured
from embedviz.layers.runnable import runnable
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.fields import BOUND, text_within
from embedviz.ui.inputs.model_runs import RUNS, LanguageModel
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.inputs.own_vectors import uploaded
from embedviz.ui.messages import literal, stop, stop_at_error
from embedviz.ui.slides import reader_caption
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec

# Sentences of two meanings, so that it matters whether a model tells them apart.
REAL_PAIR = ("the dog bites the man", "the man bites the dog")
SMALL_PAIR = ("the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?")


def reader_and_texts(*, default: tuple[str, str] = REAL_PAIR) -> tuple[LanguageModel, list[str]]:
    """Let the visitor choose a model and write two sentences."""
    left, right, place = sentences.columns([3, 3, 2.4])
    of = reader(place)
    if uploaded():
        reader_caption(
            _("Vectors of your own have no layers, so that no model reads them here. Compare shows their strips.")
        )
    say_known_words(of)
    return of, two_sentences((left, right), of, default)


def reader(place: DeltaGenerator, *, runs: Iterable[str] = RUNS) -> LanguageModel:
    """Let the visitor choose a model. runs: the small GPTs among them."""
    names, labels = [*runnable(), *runs], OPTIONS["reader"]
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


def two_sentences(columns: Sequence[DeltaGenerator], model: LanguageModel, default: tuple[str, str]) -> list[str]:
    """The two sentences, at first the usual ones. A small GPT knows only a few words, and has sentences of its own."""
    texts = []
    for column, name, real, small in zip(columns, "AB", default, _small_pair(model), strict=True):
        with column:
            texts.append(_small_sentence(model, name, small) if model.run else sentences.sentence(column, name, real))
    if not all(map(str.strip, texts)):
        st.info(_("Write two sentences, for the model to read both."), icon=":material/edit:")
        stop()
    if not model.run:
        with stop_at_error(model.name):
            tokens = [tokenize_for(text, Spec(source=model.name)) for text in texts]
        for column, each in zip(columns, tokens, strict=False):
            with column:
                sentences.say_if_lost(each)
    return texts


def say_known_words(model: LanguageModel) -> None:
    """Say which words a small GPT knows."""
    if model.run:
        known = listed(sorted(word for word in model.small.vocabulary if word.isalpha()))
        reader_caption(_("Words that {model} knows: {words}.", model=model.title, words=known))


def _small_sentence(model: LanguageModel, name: str, default: str) -> str:
    label, key = _("Sentence {name}", name=name), f"{model.field}_{name.lower()}"
    return text_within(st.text_input, label, default, sentences.MAX_CHARACTERS, key=key)


def _small_pair(model: LanguageModel) -> tuple[str, str]:
    """Two orders of words that a small GPT knows."""
    if not model.run or not model.run.text:
        return SMALL_PAIR
    known = model.small.vocabulary
    if {*REAL_PAIR[0].split()} <= {*known}:
        return REAL_PAIR
    words = [word for word in known if word.isalpha()][:4]
    return " ".join(words), " ".join(words[::-1])


def waiting(model: LanguageModel) -> AbstractContextManager:
    """What stands in place of the result while the model reads, which takes longest the first time."""
    return st.spinner(_("{model} reads.", model=literal(model.title)))
