"""The words on many orders of one sentence. Every sentence here follows from the numbers that it is given."""

from collections import Counter
from collections.abc import Sequence

from embedviz.base.i18n import _, listed, ngettext, paragraph
from embedviz.base.numbers import three_digits
from embedviz.figures.orders import how_many
from embedviz.layers.orders import Masked, Unrelated
from embedviz.text.orders import Orders
from embedviz.text.tokens import Tokens
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.vectors.orders import SentenceMap


def about_orders(
    orders: Orders, tokens: Sequence[Tokens], spread: SentenceMap, model: LanguageModel | None, *, moves: bool
) -> list[Card]:
    """How many points there are without positions and with them, and what follows. model: what reads, if one does."""
    n, said = len(orders.texts), _sample(orders)
    tone = "same" if spread.n_before < n else "plain"
    without, with_ = (how_many(n_points, n) for n_points in (spread.n_before, spread.n_after))
    if not moves:
        said = [_("No positions are added here."), *said, *_same(tokens)]
        return [Card(with_, paragraph(said), tone)]
    if spread.n_before == 1:
        said.insert(0, _("All {n} sentences are made of the same vectors.", n=n))
        said.insert(1, _without_a_mask(model))
    elif model is None or model.is_encoder:
        said.append(_("Not all of them are made of the same tokens, so that some differ without positions too."))
    i, j = spread.farthest
    apart = _(
        "“{a}” and “{b}” are farthest apart, at a distance of {distance}.",
        a=_quoted(orders.texts[i]), b=_quoted(orders.texts[j]), distance=three_digits(spread.after[i, j]),
    )  # fmt: skip
    farthest = paragraph([apart, *_sample(orders), *_same(tokens)])
    tone_after = "different" if spread.n_after == n else "plain"
    if spread.n_before == 1 and spread.n_after == n:
        all_one = _("Without positions, all {n} orders are one point", n=n)
        each_own = _("With positions, each of {n} orders is a point of its own", n=n)
        return [Card(all_one, paragraph(said), tone, "before"), Card(each_own, farthest, tone_after, "after")]
    return [
        Card(_("Without positions: {points}", points=without), paragraph(said), tone, "before"),
        Card(_("With positions: {points}", points=with_), farthest, tone_after, "after"),
    ]


def _without_a_mask(model: LanguageModel | None) -> str:
    """What follows for a model, if all sentences are the same vectors."""
    if model is None:
        return _("A model without a mask cannot tell them apart; a causal mask lets order in even so.")
    return _("This model has no mask, so that nothing tells them apart.") if model.is_encoder else ""


def about_mask(spread: SentenceMap, masked: Masked) -> list[Card]:
    """How many points a mask makes of the sentences without positions, and what one layer tells their last token."""
    if spread.n_before <= masked.n_entering:
        text = _("These vectors enter the first layer, and the mask is inside the layers. Choose layer 1.")
        return [Card(_("A causal mask lets order in"), text, "note")]
    title = ngettext(
        "The mask turns {n} point into {points}", "The mask turns {n} points into {points}", masked.n_entering,
        points=spread.n_before,
    )  # fmt: skip
    seen = _("No position was added: each token sees only itself and those before it.")
    return [Card(title, paragraph([seen, _last(masked)]), "different")]


def _last(masked: Masked) -> str:
    """What the last token knows after one layer, where all sentences are made of the same tokens."""
    if masked.n_entering > 1 or masked.n_last != masked.n_last_words:
        return ""
    return ngettext(
        "After layer 1 the last token has {n} vector, one for each last word: it knows which words came before, but "
        "not in what order.",
        "After layer 1 the last token has {n} vectors, one for each last word: it knows which words came before, but "
        "not in what order.",
        masked.n_last,
    )


def about_unrelated(model: LanguageModel, unrelated: Unrelated, spread: SentenceMap, *, moves: bool) -> list[Card]:
    """How far an unrelated sentence is, which is what the distances of the others are measured by."""
    title = _("An unrelated sentence, for comparison: {distance} away", distance=three_digits(unrelated.after))
    mean = _("That is its mean distance from the others, which are at most {apart} apart.",
             apart=three_digits(spread.after.max()))  # fmt: skip
    off = _off(unrelated, spread) if moves else ""
    return [Card(title, paragraph([model.yardstick(unrelated.tokens.text), mean, off]))]


def _off(unrelated: Unrelated, spread: SentenceMap) -> str:
    """The same without positions."""
    distance = three_digits(unrelated.before)
    if spread.n_before == 1:
        return _("Without positions it is {distance} away, and they are one point.", distance=distance)
    apart = three_digits(spread.before.max())
    return _(
        "Without positions it is {distance} away, and they are at most {apart} apart.", distance=distance, apart=apart
    )


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
    same = [listed(map(str, numbers)) for numbers in places.values() if len(numbers) > 1]
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


def orders_alt(texts: Sequence[str], spread: SentenceMap) -> str:
    """The picture in words."""
    i, j = spread.farthest
    return _(
        "A map with a point for each of {n} sentences. Without positions they are "
        "{before} points, with positions {after}. The largest distance with positions is {distance}, between “{a}” "
        "and “{b}”.",
        n=len(texts), before=spread.n_before, after=spread.n_after, distance=three_digits(spread.after[i, j]),
        a=_quoted(texts[i]), b=_quoted(texts[j]),
    )  # fmt: skip
