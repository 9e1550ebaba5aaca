"""What the page "Layers" says of its pictures: every sentence here follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import _, listed, paragraph
from embedviz.base.numbers import in_print
from embedviz.layers.copies import CopySimilarity
from embedviz.text.visible import in_words
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.model_runs import LanguageModel, PairOutput
from embedviz.vectors.forward import Forward

_ONE = 1 - 1e-5  # a cosine that differs from 1 by rounding alone
_NEARLY = 0.9  # a cosine from which on a search by embeddings finds one sentence for the other


def claim(likeness: CopySimilarity, change: str, measure: str) -> Card:
    """Whether a token and its copy stay the same through all layers. measure: what is drawn."""
    if not likeness.pairs:
        return Card(_("No token of A has a copy in B"), "")
    low = float(likeness.cosines.min())
    if low > _ONE and change == "off":
        return Card(_("Without positions, each token is the same in both orders after every layer"), "", "same")
    if low > _ONE:
        return Card(_("After every layer, each token is the same in A and in B"), "", "same")
    title = _apart_by_distance if measure == "distance" else _apart_by_cosine
    return Card(title(likeness, change), "", "different")


def _apart_by_cosine(likeness: CopySimilarity, change: str) -> str:
    cosine = in_print(float(likeness.cosines.min()), ".3f")
    titles = {
        "on": _("With positions, tokens part from their copies, down to a cosine of {cosine}", cosine=cosine),
        "off": _("Even without positions, tokens part from their copies, down to {cosine}", cosine=cosine),
    }
    return titles.get(change) or _("Tokens part from their copies, down to a cosine of {cosine}", cosine=cosine)


def _apart_by_distance(likeness: CopySimilarity, change: str) -> str:
    far = in_print(float(likeness.distances.max()), ".3f")
    titles = {
        "on": _("With positions, tokens part from their copies, up to a distance of {far}", far=far),
        "off": _("Even without positions, tokens part from their copies, up to a distance of {far}", far=far),
    }
    return titles.get(change) or _("Tokens part from their copies, up to a distance of {far}", far=far)


def about_copies(
    model: LanguageModel, both: PairOutput, likeness: CopySimilarity, unrelated: Forward | None, shift: int
) -> list[Card]:
    """Cards: how alike the two sentences are, what was done to their positions, and what other tokens are apart."""
    change = both.changes[0]
    first = _sentences(model, likeness, change, unrelated)
    return [first, *_change(model, both, likeness, change, shift), *_yardstick(likeness)]


def _sentences(model: LanguageModel, likeness: CopySimilarity, change: str, unrelated: Forward | None) -> Card:
    cosine, is_one = in_print(likeness.sentences, ".3f"), likeness.sentences > _ONE
    what = _("Likeness is the cosine of two mean vectors after the last layer of {model}.", model=model.title)
    if unrelated is None or likeness.unrelated is None:
        return Card(_("Likeness: A and B {cosine}", cosine=cosine), what, "same" if is_one else "different")
    to_a, to_b = (in_print(each, ".2f") for each in likeness.unrelated)
    others = to_a if to_a == to_b else _("{a} to A, {b} to B", a=to_a, b=to_b)
    title = _("Likeness: A and B {cosine}, an unrelated sentence {others}", cosine=cosine, others=others)
    said = [
        what,
        model.yardstick(unrelated.tokens.text),
        _lesson(model, likeness.sentences, max(likeness.unrelated), change),
    ]
    return Card(title, paragraph(said), "same" if is_one else "different")


def _lesson(model: LanguageModel, cosine: float, unrelated: float, change: str) -> str:
    """What follows from how alike A and B are, and how alike an unrelated sentence is to one of them at most."""
    is_one = cosine > _ONE
    if is_one and unrelated > _ONE:
        return _("The model gives all three the same vector, so that it can tell nothing apart here.")
    if unrelated > _NEARLY:
        return ""
    if is_one:
        return _("It cannot tell A and B apart, although it tells the unrelated sentence from both.")
    if model.is_encoder and change == "on" and cosine > _NEARLY:
        return _("A search by embeddings of this model that looks for “A sues B” finds “B sues A” nearly as well.")
    return ""


def _change(model: LanguageModel, both: PairOutput, likeness: CopySimilarity, change: str, shift: int) -> list[Card]:
    if change == "off":
        what = _("RoPE turns nothing.") if model.scheme == "rope" else _("Nothing is added for positions.")
        never = _("The model never met that in training: this is an intervention.")
        return [Card(_("Positions off"), paragraph([what, never, model.let_in_by_the_mask]))]
    if change == "shifted":
        text = _("The order is the same, and each token stands {n} places further on.", n=shift)
        return [Card(_("All + {n}", n=shift), text)]
    if change == "swapped" and both.swap[0] != both.swap[1]:
        tokens = listed(in_words(both.a.tokens.texts[n]) for n in both.swap)
        text = _("In A, these two tokens have exchanged their positions, and nothing else is changed.")
        same = _("Now A is B to the model.") if likeness.pairs and likeness.cosines.min() > _ONE else ""
        if not same and not model.is_encoder:
            same = _(
                "The mask still lets a token see only itself and those before it in the list, whatever its position."
            )
        return [Card(_("Exchanged: {tokens}", tokens=tokens), paragraph([text, same]))]
    if model.scheme == "rope":
        text = _("RoPE adds nothing to the vectors. It turns queries and keys, inside each layer.")
        return [Card(_("The same at the input, apart after layer 1"), text)]
    if model.scheme == "none":
        text = _("This model has no positions that could change.")
        mask = "" if model.is_encoder else _("Order still gets in, since a token sees only itself and those before it.")
        return [Card(_("No positions"), paragraph([text, mask]))]
    return []


def _yardstick(likeness: CopySimilarity) -> list[Card]:
    if np.isnan(likeness.other_cosines).any() or not likeness.pairs:
        return []
    cosine, distance = likeness.other_cosines[-1], likeness.other_distances[-1]
    text = _(
        "Two different tokens have this cosine at the end, on average; typically they are {distance:.2f} apart.",
        distance=distance,
    )
    return [Card(_("Different tokens, for comparison: {cosine}", cosine=in_print(cosine, ".3f")), text)]


def copies_in_words(both: PairOutput, likeness: CopySimilarity, measure: str) -> str:
    """The text alternative of the lines."""
    values = likeness.cosines if measure == "cosine" else likeness.distances
    if not len(values):
        return _("No line: no token of A has a copy in B.")
    name = _("cosine") if measure == "cosine" else _("distance")
    said = [
        _("{token}, A{i} and B{j}: from {first:.3f} to {last:.3f}.", token=in_words(both.a.tokens.texts[i]), i=i, j=j,
          first=row[0], last=row[-1])
        for (i, j), row in zip(likeness.pairs[:12], values, strict=False)
    ]  # fmt: skip
    head = _("Lines of the {measure} of each token and its copy, from the input to the last layer.", measure=name)
    return paragraph([head, *said])


def after(at: int) -> str:
    """Which layer's vectors are shown."""
    return _("After layer {layer}", layer=at) if at else _("At the input")


def about_strips(at: int, n_numbers: int, n_dims: int) -> str:
    """What the strips show after layer `at`."""
    return _(
        "{where}: the first {n} of {total:,} numbers of A’s token, of B’s copy, and A − B. Distances are over all "
        "{total:,}. Copies are called identical if they differ by rounding alone. “Unrelated” is the typical distance "
        "of tokens with different IDs.",
        where=after(at),
        n=min(n_numbers, n_dims),
        total=n_dims,
    )


def strips_in_words(likeness: CopySimilarity, at: int) -> str:
    """The name of the list of strips."""
    apart = likeness.distances[:, at]
    if not len(apart):
        return _("No pairs: no token of A has a copy in B.")
    return _(
        "{where}: pairs of copies, {low:.3g} to {high:.3g} apart.", where=after(at), low=apart.min(), high=apart.max()
    )
