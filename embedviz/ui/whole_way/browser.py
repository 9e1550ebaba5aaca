"""What a page without a server gets, so that the browser leads a visitor's own sentences the whole way.

The small GPT's weights are one file for all pages. Each page has the sentences that are said, for every case that there
is, with places for words and numbers. `computed.js` beside the picture computes and chooses.
"""

from base64 import b64encode
from collections.abc import Iterator
from itertools import product

from embedviz.base.i18n import _
from embedviz.figures.theme import N_TOKEN_COLOURS, PERCENTILE
from embedviz.text import grammar
from embedviz.text.questions import patterns, questions
from embedviz.text.tokens import WORD_PATTERN
from embedviz.training.run import Run
from embedviz.training.train import shape
from embedviz.ui.components.component import pack
from embedviz.ui.components.way.picture import N_NUMBERS
from embedviz.ui.whole_way.pair import WholeWay
from embedviz.ui.whole_way.words import Case, columns, entry_words, headline_of, model_words, question_words

_KINDS = ("orders", "same", "apart", "words")
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


def packed_gpt(run: Run) -> str:
    """The same as text: base64 of what `pack` makes of it."""
    return b64encode(pack(gpt_of(run))).decode()


def own_way(way: WholeWay) -> dict[str, object]:
    """What a page says of any two sentences of the model that read these. The model is a run of the small GPT."""
    assert way.reader
    words = sorted(way.reader.small.vocabulary, key=lambda word: not word.isalnum())  # marks come last
    most = way.reader.small.settings.context_length
    known = " ".join(words)
    return {
        "texts": [text.removesuffix(way.question).strip() for text in way.texts],
        "names": [_("Sentence A"), _("Sentence B")],
        "known": _("This model knows these words: {words}", words=known),
        "shares": list(way.traces),
        "words": columns(way, "{token}"),
        "headlines": dict(_headlines(way)),
        "entries": dict(_entries(way)),
        "model": model_words(way),
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
                most=most,
            ),
        },
    }  # fmt: skip


def _headlines(way: WholeWay) -> Iterator[tuple[str, str]]:
    """The headline of every case, by what decides it."""
    n_layers = len(way.full.a.attentions)
    for kind, is_on, entry, is_one, ends_differ in product(_KINDS, _BOTH, _ENTRIES, _BOTH, _BOTH):
        case = Case(kind, is_on, entry, is_one, ends_differ, n_layers, True)
        yield f"{kind},{is_on:d},{entry or ''},{is_one:d},{ends_differ:d}", headline_of(case)


def _entries(way: WholeWay) -> Iterator[tuple[str, str]]:
    """Where order enters in every case, likewise. Two words stand for more of them: no language here tells them apart."""
    n_layers = len(way.full.a.attentions)
    places = {name: f"{{{name}}}" for name in ("words", "last", "b", "n", "layer")}
    for entry, is_one, ends_differ, is_many, has_pairs in product(_ENTRIES, *[_BOTH] * 4):
        case = Case("orders" if has_pairs else "apart", True, entry, is_one, ends_differ, n_layers, True)
        key = f"{entry or ''},{is_one:d},{ends_differ:d},{is_many:d},{has_pairs:d}"
        yield key, entry_words(case, 1 + is_many, **places)
