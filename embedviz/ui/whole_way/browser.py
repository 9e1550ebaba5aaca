"""What a page without a server gets, so that the browser leads a visitor's own sentences the whole way.

The weights of each small GPT are one file for all pages. A page has the sentences that are said, for every case that
there is, with places for words and numbers. `computed.js` beside the picture computes, and chooses.
"""

from base64 import b64encode
from collections.abc import Iterator
from itertools import product
from typing import Any

from embedviz.base.i18n import _
from embedviz.figures.theme import N_TOKEN_COLOURS, PERCENTILE
from embedviz.text import grammar
from embedviz.text.questions import patterns, questions
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import WORD_PATTERN
from embedviz.training.run import Run
from embedviz.training.train import shape
from embedviz.ui.components.component import pack
from embedviz.ui.components.way.picture import N_NUMBERS
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.ui.whole_way.pair import AS_IT_FITS, Asked, WholeWay, whole_way_of
from embedviz.ui.whole_way.words import (
    Case,
    columns,
    entry_words,
    headline_of,
    model_words,
    models_nearby,
    question_words,
)

_ENTRIES = ("positions", "attention", "mask", None)
_BOTH = (False, True)


def gpt_of(run: Run) -> dict[str, object]:
    """A run of the small GPT as `gpt.js` reads it: its words, its sizes and its weights."""
    return {
        "vocabulary": list(run.vocabulary),
        "positions": run.settings.positions,
        "heads": shape(run.settings, len(run.vocabulary)).n_heads,
        "context_length": run.settings.context_length,
        "word": WORD_PATTERN,
        "weights": dict(run.weights),
    }


def packed_gpts() -> dict[str, str]:
    """The same of each run that a page offers, by its name, as text: base64 of what `pack` makes of it."""
    return {name: b64encode(pack(gpt_of(LanguageModel(name).small))).decode() for name in _offered()}


def own_way(texts: tuple[str, str]) -> dict[str, Any]:
    """What a page that opens on these says of any two sentences that a small GPT reads.

    In `runs` are the small GPTs by their names, and what the page says of each alone.
    """
    offered = _offered()
    run = LanguageModel(next(iter(offered))).small
    known = " ".join(sorted(run.vocabulary, key=lambda word: not word.isalnum()))  # marks come last
    return {
        "texts": texts,
        "names": [_("Sentence {name}", name=name) for name in "AB"],
        "known": [_("The words that this model knows"), known],
        "models": list(offered.items()),
        "asked": question_words("{question}"),
        "next": _("next word"),
        "others": _("others"),
        "questions": questions(),
        "forms": patterns(),
        "nouns": list(grammar.NOUNS),
        "colours": N_TOKEN_COLOURS,
        "percentile": PERCENTILE,
        "numbers": N_NUMBERS,
        "refusals": {
            "empty": _("Type at least one word, for the model to say what comes next."),
            "unknown": _("Not in the vocabulary: {unknown}. It holds {known}.", unknown="{unknown}", known=known),
            "long": _(
                "The text has {n} words and marks, and this model has learned from no more than {most} at a time. "
                "Shorten the text.",
                n="{n}",
                most=run.settings.context_length,
            ),
        },
        "runs": {name: _said_of(_usual_way(name)) for name in offered},
    }


def _offered() -> dict[str, str]:
    """The small GPTs that a page offers, by their names, and what they are called."""
    return {name: label for name, label, _is_here in models_nearby(_usual_way())}


def _usual_way(name: str = AS_IT_FITS) -> WholeWay:
    """That of the site's own pair, which all of them can read."""
    return whole_way_of(Asked((usual_pair().a, usual_pair().b), name))


def _said_of(way: WholeWay) -> dict[str, object]:
    n_layers = len(way.full.a.attentions)
    return {
        "shares": list(way.traces),
        "words": columns(way, "{token}"),
        "headlines": dict(_headlines(n_layers)),
        "entries": dict(_entries(n_layers)),
        "model": model_words(way),
    }


def _headlines(n_layers: int) -> Iterator[tuple[str, str]]:
    """The headline of every case, by what decides it."""
    for kind in ("same", "apart", "words"):
        yield kind, headline_of(Case(kind, True, None, False, False, n_layers, True))
    for is_on, entry, is_one, ends_differ in product(_BOTH, _ENTRIES, _BOTH, _BOTH):
        key = f"{is_on:d},{entry or ''},{is_one:d},{ends_differ:d}"
        yield key, headline_of(Case("orders", is_on, entry, is_one, ends_differ, n_layers, True))


def _entries(n_layers: int) -> Iterator[tuple[str, str]]:
    """Where order enters in every case that has copies, likewise. Two words stand for more: all languages say so."""
    places = {name: f"{{{name}}}" for name in ("words", "last", "b", "n", "layer")}
    for entry, is_one, ends_differ, n_moved in product(_ENTRIES, _BOTH, _BOTH, (1, 2)):
        case = Case("orders", True, entry, is_one, ends_differ, n_layers, True)
        yield f"{entry or ''},{is_one:d},{ends_differ:d},{n_moved}", entry_words(case, n_moved, **places)
