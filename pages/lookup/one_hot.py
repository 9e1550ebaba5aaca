"""The view "One-hot" of the page "Lookup": the same lookup as a matrix product, and what this product would cost."""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, ngettext
from embedviz.figures.figure import Figure
from embedviz.figures.matrices import Matrix, matrices
from embedviz.models.families import layout
from embedviz.text.tokens import tokenize
from embedviz.ui import Guide, Picture, View
from embedviz.vectors.lookup import Lookup
from pages.lookup.settings import (
    HEIGHT,
    WORDS,
    Asked,
    Result,
    alternative,
    looked_up,
    names,
    output,
    own_ids,
    program,
    sentences_or_ids,
    table,
)

_MOST, _N_DIMS = 16, 3  # words of a sentence, and dimensions of the small table
_GPT2 = layout({"model_type": "gpt2"})


def fields(frame: ui.Frame, _settings: None) -> Asked:
    """The words of A, in a small table of the words of both sentences; or IDs of one's own."""
    texts, place = sentences_or_ids(frame, pair=_("Sentence {name}", name="A"))
    if texts is None:
        return own_ids(frame, place)
    cut = [tokenize(text, "words") for text in texts]
    if (n := max(map(len, cut))) > _MOST:
        said = _("{n:,} tokens are too many to show; the first {most} are used.", n=n, most=_MOST)
        st.warning(said, icon=":material/content_cut:")
    both = [each.head(_MOST).texts for each in cut]
    if not both[0]:
        st.info(_("Sentence {name} is empty: type a few words.", name="A"), icon=":material/edit:")
        ui.stop()
    words = tuple(sorted({*both[0], *both[1]}))
    return Asked(tuple(map(words.index, both[0])), len(words), _N_DIMS, words=words)


def figure(result: Result) -> Figure:
    """A row of ones and zeros for each ID, times the table. What the claim tells of has frames."""
    lookup = result.lookup
    ids, columns, first = lookup.ids, [str(n) for n in range(len(lookup.table))], lookup.ids[0]
    ones = Matrix(
        lookup.one_hot, _("one-hot"), names(result, ids), ids, columns=columns, decimals=0, across=_("ID"),
        framed=(0, first),
    )  # fmt: skip
    product = output(result, lookup.product, _("product"), sign="=", framed=(0, None))
    return matrices([ones, table(result, sign="×", framed=(first, None)), product])


def pictures(result: Result) -> list[Picture]:
    """The product."""
    alt = alternative(result.lookup)
    drawn = partial(ui.show, figure(result), key="one_hot", alt=alt, height=HEIGHT)
    return [Picture(drawn)]


def claim(result: Result) -> list[ui.Card]:
    """Which row the first 1 picks."""
    if result.lookup.largest_difference:
        return about_one_hot(result.lookup)[:1]
    return [ui.Card(_("The 1 in column {id} picks row {id} of the table", id=result.lookup.ids[0]), "")]


def note(result: Result) -> str:
    """Whose words stand in the small table."""
    if result.asked.words is WORDS:
        return ""
    return _("A small table of random numbers, with a row for each word of A and B, so that all of it can be seen.")


def about_one_hot(lookup: Lookup) -> list[ui.Card]:
    """That both ways give the same rows, and what the product would cost."""
    difference = lookup.largest_difference
    text = _("Largest difference between looking up and multiplying: {difference:g}.", difference=difference)
    cost = _(
        "At GPT-2's size, {n_rows:,} × {n_dims}, the product of {n} IDs takes {product:,} multiplications.",
        n_rows=_GPT2.vocab_size,
        n_dims=_GPT2.output_dim,
        n=len(lookup.ids),
        product=len(lookup.ids) * _GPT2.vocab_size * _GPT2.output_dim,
    )
    both = ui.Card(_("Both ways give the same rows"), text, "same")
    if difference:
        both = ui.Card(_("The two ways differ"), text, "different")
    n = lookup.one_hot.size * lookup.table.shape[1]
    title = ngettext(
        "This product takes {n:,} multiplication, a lookup none",
        "This product takes {n:,} multiplications, a lookup none",
        n,
    )
    return [both, ui.Card(title, cost)]


ONE_HOT = View(
    page="lookup",
    name="one-hot",
    guide=Guide(
        N_("Each row of the left matrix has a 1 in the column of its ID. Multiplying it by the table picks that row."),
        N_("The product shows why the lookup sends a gradient only to rows whose IDs occur. Other rows can still "
           "move: by weight decay, or if the output layer is the same table."),
        "one_hot table id gradient training",
    ),
    fields=fields,
    compute=looked_up,
    findings=lambda result: about_one_hot(result.lookup),
    claim=claim,
    pictures=pictures,
    note=note,
    program=lambda result: program(result, _("One-hot times a table")),
    examples=({}, {"ids": "5, 1, 5"}, {"a": "The cat", "b": "the dog 猫"}),
)  # fmt: skip
