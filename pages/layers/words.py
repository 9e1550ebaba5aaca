"""What the page "Layers" says of its pictures: every sentence here follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import _, listed, paragraph
from embedviz.layers.copies import Alike
from embedviz.text.visible import in_words
from embedviz.ui.components.cards.cards import Card
from pages.layers.chosen import Both, Reader

_AS_ONE = 0.9995  # a cosine that is written as 1.000


def about_copies(of: Reader, both: Both, found: Alike, change: str, shift: int) -> list[Card]:
    """Cards: how alike the two sentences are, what was done to their positions, and what other tokens are apart."""
    return [_sentences(of, found), *_change(of, both, found, change, shift), *_yardstick(found)]


def _sentences(of: Reader, found: Alike) -> Card:
    what = _("So alike are the two sentences to {model}: the cosine of their mean vectors at the end.", model=of.title)
    if found.sentences > _AS_ONE:
        return Card(f"{found.sentences:.3f}", paragraph([what, _("It cannot tell them apart.")]), "same")
    lesson = (
        _("A search by embeddings that looks for “A sues B” finds “B sues A” nearly as well.")
        if of.is_encoder and found.sentences > 0.9
        else ""
    )
    return Card(f"{found.sentences:.3f}", paragraph([what, lesson]), "different")


def _change(of: Reader, both: Both, found: Alike, change: str, shift: int) -> list[Card]:
    if change == "off":
        text = _("All tokens stand at one position, which the model never saw in training: this is an intervention.")
        mask = "" if of.is_encoder else _("Order still gets in, since a token sees only those before it.")
        return [Card(_("Positions off"), paragraph([text, mask]), "note")]
    if change == "shifted":
        text = _("The order is the same, and each token stands {n} places further on.", n=shift)
        return [Card(_("All + {n}", n=shift), text, "note")]
    if change == "swapped":
        tokens = listed(in_words(both.a.tokens.texts[n]) for n in both.swap)
        text = _("In A, these two tokens have exchanged their positions, and nothing else is changed.")
        same = _("Now A is B to the model.") if found.sentences > _AS_ONE else ""
        return [Card(_("Exchanged: {tokens}", tokens=tokens), paragraph([text, same]), "note")]
    if of.scheme == "rope":
        text = _("RoPE adds nothing to the vectors. It turns queries and keys, inside each layer.")
        return [Card(_("The same at the input, apart after layer 1"), text)]
    return []


def _yardstick(found: Alike) -> list[Card]:
    if np.isnan(found.other_cosines).any() or not found.pairs:
        return []
    cosine, distance = found.other_cosines[-1], found.other_distances[-1]
    text = _(
        "The cosine of two different tokens at the end, on average; they are {distance:.2f} apart.", distance=distance
    )
    return [Card(_("For comparison: {cosine:.3f}", cosine=cosine), text)]


def copies_in_words(both: Both, found: Alike, measure: str) -> str:
    """The text alternative of the lines."""
    values = found.cosines if measure == "cosine" else found.distances
    if not len(values):
        return _("No line: no token of A has a copy in B.")
    name = _("cosine") if measure == "cosine" else _("distance")
    said = [
        _("{token}, A{i} and B{j}: from {first:.3f} to {last:.3f}.", token=in_words(both.a.tokens.texts[i]), i=i, j=j,
          first=row[0], last=row[-1])
        for (i, j), row in zip(found.pairs[:12], values, strict=False)
    ]  # fmt: skip
    head = _("Lines of the {measure} of each token and its copy, from the input to the last layer.", measure=name)
    return paragraph([head, *said])
