"""What the page "Layers" says of its pictures: every sentence here follows from the numbers it is given."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _, listed, paragraph
from embedviz.base.numbers import in_print
from embedviz.figures.curves import Chart
from embedviz.layers.copies import Alike
from embedviz.layers.probe import Pair
from embedviz.text.visible import in_words
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.reading import Both, Reader
from embedviz.vectors.forward import Forward
from embedviz.vectors.probing import HIDDEN, Probe

_ONE = 1 - 1e-5  # a cosine that differs from 1 by rounding alone
_NEARLY = 0.9  # a cosine from which on a search by embeddings finds one sentence for the other
_GUESSED = 0.95  # what is wrong by more than this share of guessing is no better than guessing


def about_copies(of: Reader, both: Both, likeness: Alike, unrelated: Forward | None, shift: int) -> list[Card]:
    """Cards: how alike the two sentences are, what was done to their positions, and what other tokens are apart."""
    change = both.changes[0]
    first = _sentences(of, likeness, change, unrelated)
    return [first, *_change(of, both, likeness, change, shift), *_yardstick(likeness)]


def _sentences(of: Reader, likeness: Alike, change: str, unrelated: Forward | None) -> Card:
    cosine, is_one = in_print(likeness.sentences, ".3f"), likeness.sentences > _ONE
    what = _("Likeness is the cosine of two mean vectors after the last layer of {model}.", model=of.title)
    if unrelated is None:
        return Card(_("Likeness: A and B {cosine}", cosine=cosine), what, "same" if is_one else "different")
    to_a, to_b = (in_print(each, ".2f") for each in likeness.unrelated)
    others = to_a if to_a == to_b else _("{a} to A, {b} to B", a=to_a, b=to_b)
    title = _("Likeness: A and B {cosine}, an unrelated sentence {others}", cosine=cosine, others=others)
    said = [what, of.yardstick(unrelated.tokens.text), _lesson(of, likeness, change, is_one=is_one)]
    return Card(title, paragraph(said), "same" if is_one else "different")


def _lesson(of: Reader, likeness: Alike, change: str, *, is_one: bool) -> str:
    """What follows from how alike A and B are, and how alike an unrelated sentence is to them."""
    others = max(likeness.unrelated)
    if is_one and others > _ONE:
        return _("The model gives all three the same vector, so that it can tell nothing apart here.")
    if others > _NEARLY:
        return ""
    if is_one:
        return _("It cannot tell A and B apart, although it tells the unrelated sentence from both.")
    if of.is_encoder and change == "trained" and likeness.sentences > _NEARLY:
        return _("A search by embeddings of this model that looks for “A sues B” finds “B sues A” nearly as well.")
    return ""


def _change(of: Reader, both: Both, likeness: Alike, change: str, shift: int) -> list[Card]:
    if change == "off":
        what = _("RoPE turns nothing.") if of.scheme == "rope" else _("Nothing is added for positions.")
        never = _("The model never met that in training: this is an intervention.")
        return [Card(_("Positions off"), paragraph([what, never, of.let_in_by_the_mask]))]
    if change == "shifted":
        text = _("The order is the same, and each token stands {n} places further on.", n=shift)
        return [Card(_("All + {n}", n=shift), text)]
    if change == "swapped" and both.swap[0] != both.swap[1]:
        tokens = listed(in_words(both.a.tokens.texts[n]) for n in both.swap)
        text = _("In A, these two tokens have exchanged their positions, and nothing else is changed.")
        same = _("Now A is B to the model.") if likeness.pairs and likeness.cosines.min() > _ONE else ""
        if not same and not of.is_encoder:
            same = _("The mask still lets a token see only those before it in the list, whatever its position.")
        return [Card(_("Exchanged: {tokens}", tokens=tokens), paragraph([text, same]))]
    if of.scheme == "rope":
        text = _("RoPE adds nothing to the vectors. It turns queries and keys, inside each layer.")
        return [Card(_("The same at the input, apart after layer 1"), text)]
    if of.scheme == "none":
        text = _("This model has no positions that could change.")
        mask = "" if of.is_encoder else _("Order still gets in, since a token sees only those before it.")
        return [Card(_("No positions"), paragraph([text, mask]))]
    return []


def _yardstick(likeness: Alike) -> list[Card]:
    if np.isnan(likeness.other_cosines).any() or not likeness.pairs:
        return []
    cosine, distance = likeness.other_cosines[-1], likeness.other_distances[-1]
    text = _(
        "Two different tokens have this cosine at the end, on average; typically they are {distance:.2f} apart.",
        distance=distance,
    )
    return [Card(_("Different tokens, for comparison: {cosine}", cosine=in_print(cosine, ".3f")), text)]


def copies_in_words(both: Both, likeness: Alike, measure: str) -> str:
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


def strips_in_words(likeness: Alike, at: int) -> str:
    """The name of the list of strips."""
    apart = likeness.distances[:, at]
    if not len(apart):
        return _("No pairs: no token of A has a copy in B.")
    return _(
        "{where}: pairs of copies, {low:.3g} to {high:.3g} apart.", where=after(at), low=apart.min(), high=apart.max()
    )


def about_memory(minilm: Pair, gpt: Pair, *, is_on: bool) -> list[Card]:
    """Cards: what a line and a network read of positions in MiniLM and the small GPT, and what without positions."""
    if not is_on:
        return [_without("MiniLM", minilm.off), _mask(gpt.off)]
    return [_at_the_end("MiniLM", minilm.on), _at_the_end(_("The small GPT"), gpt.on), _mask(gpt.off)]


def _at_the_end(model: str, probe: Probe) -> Card:
    """What is still read after the last layer: what is wrong by less than half of guessing reads the position."""
    line, network = probe.line.tested.mean(axis=0), probe.network.tested.mean(axis=0)
    said = _(
        "After the last layer a straight line is wrong by {line:.1f} places, and at the input by {first:.1f}. A small "
        "network is wrong by {network:.1f} after the last layer. Guessing is wrong by {guess:.1f}.",
        line=line[-1],
        first=line[0],
        network=network[-1],
        guess=probe.guess,
    )
    half, even = probe.guess / 2, ""
    if line[-1] < half:
        title = _("{model}: a straight line still reads the position", model=model)
    elif network[-1] >= half:
        title = _("{model}: both read the position badly at the end", model=model)
    elif line[0] < half:
        title = _("{model}: not gone, but no longer on a straight line", model=model)
        fitted = probe.line.fitted.mean(axis=0)[-1]
        if fitted >= half:
            even = _("Even on the part of the text that it was fitted on, the line is wrong by {n:.1f}.", n=fitted)
    else:
        title = _("{model}: there, but on no straight line", model=model)
    return Card(title, paragraph([said, even]), "different")


def _without(model: str, probe: Probe) -> Card:
    errors = np.stack([each.tested.mean(axis=0) for each in (probe.line, probe.network)])
    said = _(
        "With nothing added, the straight line and the small network are wrong by {low:.1f} to {high:.1f} places, at "
        "the input and after every layer. Guessing is wrong by {guess:.1f}.",
        low=errors.min(),
        high=errors.max(),
        guess=probe.guess,
    )
    if errors.min() < _GUESSED * probe.guess:
        return Card(_("{model} without positions: better than guessing", model=model), said, "different")
    so = _("So the words do not give the position away.")
    return Card(_("{model} without positions: no better than guessing", model=model), paragraph([said, so]), "same")


def _mask(probe: Probe) -> Card:
    line, network = probe.line.tested.mean(axis=0), probe.network.tested.mean(axis=0)
    title = _(
        "A causal mask alone: a network is wrong by {after:.1f} places instead of {before:.1f}",
        after=network[-1],
        before=network[0],
    )
    said = _(
        "This GPT was trained without positions. A straight line is wrong by {before:.1f} places at the input and by "
        "{after:.1f} after the last layer. Guessing is wrong by {guess:.1f}.",
        before=line[0],
        after=line[-1],
        guess=probe.guess,
    )
    so = (
        _("Only the mask can tell the position here, since a token sees itself and those before it, and no others.")
        if network[-1] < _GUESSED * network[0]
        else ""
    )
    return Card(title, paragraph([said, so]))


def about_probes(minilm: Pair, gpt: Pair) -> str:
    """How the errors were measured."""
    networks = [each.network for pair in (minilm, gpt) for each in pair]
    return paragraph(
        [
            _(
                "A probe reads the position from a token’s vector. The straight line is a linear probe: it multiplies "
                "each number by a weight and adds them up. The small network has {n} neurons in between.",
                n=HIDDEN,
            ),
            _(
                "Both were fitted on one part of a text and tested on another, in windows that do not overlap. For "
                "MiniLM these are {fitted:,} and {tested:,} tokens of “Alice’s Adventures in Wonderland”, in windows "
                "of {length}.",
                fitted=minilm.on.n_fitted,
                tested=minilm.on.n_tested,
                length=minilm.on.length,
            ),
            _(
                "For the small GPT they are {fitted:,} and {tested:,} words, in windows of {length}. It is read before "
                "its final norm.",
                fitted=gpt.on.n_fitted,
                tested=gpt.on.n_tested,
                length=gpt.on.length,
            ),
            _("Dotted, “fitted”: the error on the part of the text on which a probe was fitted."),
            _(
                "A network’s line is the mean of {n} that began with other random numbers; when tested, these differ "
                "by {spread:.2f} places at most.",
                n=len(networks[0].tested),
                spread=max(each.spread for each in networks),
            ),
            _("Guessing means always naming the middle position."),
            _("MiniLM never met texts without positions in training. The small GPT without them was trained so."),
        ]
    )


def memory_in_words(charts: Sequence[Chart]) -> str:
    """The text alternative of the lines of errors."""
    return paragraph(
        _("{chart}, {line}: {values}.", chart=chart.title, line=line.name,
          values=listed(f"{value:.2f}" for value in line.values))
        for chart in charts for line in chart.lines
    )  # fmt: skip
