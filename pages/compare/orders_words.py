"""The words on many orders of one sentence. Every sentence here follows from the numbers that it is given."""

from collections import Counter
from collections.abc import Sequence

from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.base.numbers import three_digits
from embedviz.figures.orders import how_many
from embedviz.text.orders import Orders
from embedviz.text.tokens import Tokens
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card
from embedviz.vectors.orders import Spread


def about_orders(orders: Orders, tokens: Sequence[Tokens], spread: Spread, *, moves: bool, hears: bool) -> list[Card]:
    """How many points there are without positions and with them, and what follows.

    hears: whether the model hears order without positions too.
    """
    n, said = len(orders.texts), _sample(orders)
    tone = "same" if spread.n_before < n else "plain"
    without, with_ = (how_many(n_points, n) for n_points in (spread.n_before, spread.n_after))
    if not moves:
        said = [_("No positions are added here."), *said, *_heard(hears and spread.n_before > 1), *_same(tokens)]
        return [Card(with_, paragraph(said), tone)]
    if spread.n_before == 1:
        said.insert(0, _("All {n} sentences are made of the same vectors, so that nothing tells them apart.", n=n))
    if hears:
        said += _heard(hears)
    elif spread.n_before > 1:
        said.append(_("Not all of them are made of the same tokens, so that some differ without positions too."))
    i, j = spread.farthest
    apart = _(
        "“{a}” and “{b}” are farthest apart, at a distance of {distance}.",
        a=_quoted(orders.texts[i]), b=_quoted(orders.texts[j]), distance=three_digits(spread.after[i, j]),
    )  # fmt: skip
    found = paragraph([apart, *_same(tokens)])
    return [
        Card(_("Without positions: {points}", points=without), paragraph(said), tone, "before"),
        Card(
            _("With positions: {points}", points=with_), found, "different" if spread.n_after == n else "plain", "after"
        ),
    ]


def _heard(hears: bool) -> list[str]:
    said = _("Each token of this model sees those before it, so that it hears order without positions too.")
    return [said] if hears else []


def _quoted(text: str) -> str:
    return quoted(text).replace("␣", " ")


def _sample(orders: Orders) -> list[str]:
    if len(orders.texts) >= orders.n_all:
        return []
    return [_(
        "These are the order that you wrote and {n} others, drawn at random from {all:,} with the same chance for "
        "each.", n=len(orders.texts) - 1, all=orders.n_all,
    )]  # fmt: skip


def _same(tokens: Sequence[Tokens]) -> list[str]:
    """Which sentences are the same tokens at the same places, numbered from 1 as in the picture."""
    places: dict[tuple[int, ...], list[int]] = {}
    for n, each in enumerate(tokens, 1):
        places.setdefault(tuple(each.ids), []).append(n)
    same = [listed(map(str, of)) for of in places.values() if len(of) > 1]
    return [_("Sentences {numbers} are the same tokens at the same places, so they are one.", numbers=n) for n in same]


def about_next(next_words: Sequence[str], without: Sequence[str]) -> list[Card]:
    """What the model says after the sentences, and without positions, which the picture has no room for."""
    if not next_words:
        return []
    n = len(set(next_words))
    title = ngettext("{n} next word", "{n} different next words", n)
    said = [_("Beside each point stands the word that the model thinks likeliest to come after that sentence.")]
    if without:
        word, n_times = Counter(without).most_common(1)[0]
        said.append(_(
            "Without positions that word is “{word}” after {n} of the {all} sentences.",
            word=quoted(word), n=n_times, all=len(without),
        ))  # fmt: skip
    return [Card(title, paragraph(said), "plain" if n == 1 else "different")]


def about_the_way() -> str:
    """What is drawn between the two ends of the slider, where a model was run at the ends alone."""
    return _(
        "The model has read each sentence twice, with its positions off and as it was trained. In between, the points "
        "move in a straight line. Positions off is an intervention that the model never saw in training."
    )


def orders_alt(texts: Sequence[str], spread: Spread) -> str:
    """The picture in words."""
    i, j = spread.farthest
    return _(
        "A map with a point for each of {n} sentences, and a matrix of their distances. Without positions they are "
        "{before} points, with positions {after}. The largest distance with positions is {distance}, between “{a}” "
        "and “{b}”.",
        n=len(texts), before=spread.n_before, after=spread.n_after, distance=three_digits(spread.after[i, j]),
        a=_quoted(texts[i]), b=_quoted(texts[j]),
    )  # fmt: skip
