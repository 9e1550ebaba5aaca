"""The words on many orders of one sentence. Every sentence here follows from the numbers that it is given."""

from collections.abc import Sequence
from dataclasses import replace

from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.base.numbers import three_digits
from embedviz.text.orders import Orders
from embedviz.text.tokens import Tokens
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card
from embedviz.vectors.orders import Spread


def about_orders(
    orders: Orders, tokens: Sequence[Tokens], spread: Spread, next_words: Sequence[str], *, moves: bool, hears: bool
) -> list[Card]:
    """How many points there are without positions and with them, and what follows.

    hears: whether the model hears order without positions too.
    """
    n, texts = len(orders.texts), orders.texts
    i, j = spread.farthest
    apart = _(
        "“{a}” and “{b}” are farthest apart, at a distance of {distance}.",
        a=_quoted(texts[i]), b=_quoted(texts[j]), distance=three_digits(spread.after[i, j]),
    )  # fmt: skip
    said = _sample(orders)
    after = Card(
        _points(spread.n_after, n), paragraph([apart, *_same(tokens)]), "different" if spread.n_after == n else "plain"
    )
    tone = "same" if spread.n_before < n else "plain"
    if not moves:
        only = Card(after.title, paragraph([_("No positions are added here."), *said, *_same(tokens)]), tone)
        return [only, *_about_next(next_words)]
    if spread.n_before == 1:
        said.insert(0, _("All {n} sentences are made of the same vectors, so that nothing tells them apart.", n=n))
    if hears:
        said.append(_("Each token of this model sees those before it, so that it hears order without positions too."))
    before = Card(_points(spread.n_before, n), paragraph(said), tone)
    titles = (_("Without positions: {points}", points=before.title), _("With positions: {points}", points=after.title))
    cards = [replace(card, title=title) for card, title in zip((before, after), titles, strict=True)]
    return [*cards, *_about_next(next_words)]


def _quoted(text: str) -> str:
    return quoted(text).replace("␣", " ")


def _points(n_points: int, n_sentences: int) -> str:
    return ngettext(
        "{sentences} sentences, {n} point", "{sentences} sentences, {n} points", n_points, sentences=n_sentences
    )


def _sample(orders: Orders) -> list[str]:
    if not orders.is_sample:
        return []
    return [
        _(
            "These are the order that you wrote and {n} others, drawn at random from {all:,} with the same chance for "
            "each.",
            n=len(orders.texts) - 1,
            all=orders.n_all,
        )
    ]


def _same(tokens: Sequence[Tokens]) -> list[str]:
    """Which sentences are the same tokens at the same places, numbered from 1 as in the picture."""
    places: dict[tuple[int, ...], list[int]] = {}
    for n, each in enumerate(tokens, 1):
        places.setdefault(tuple(each.ids), []).append(n)
    return [
        _("Sentences {numbers} are the same tokens at the same places, so they are one.", numbers=listed(map(str, of)))
        for of in places.values()
        if len(of) > 1
    ]


def _about_next(next_words: Sequence[str]) -> list[Card]:
    """What the model says after the sentences."""
    if not next_words:
        return []
    n = len(set(next_words))
    title = ngettext("{n} next word", "{n} different next words", n)
    text = _("Beside each point stands the word that the model thinks likeliest to come after that sentence.")
    return [Card(title, text, "plain" if n == 1 else "different")]


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
