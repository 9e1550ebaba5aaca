"""What the view "Order" of the page "Training" says: every sentence follows from the losses of its four runs."""

import math
from collections.abc import Sequence

from embedviz.base.i18n import _, paragraph
from embedviz.base.numbers import in_print
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import Run
from embedviz.ui.components.cards.cards import Card


def about_order(runs: Sequence[Run]) -> list[Card]:
    """What positions are worth, on text in order and on shuffled text, and what order is worth without them.

    Only losses that differ in one thing are compared: in positions on the same text, or in the text for models alike.
    """
    plain, without, shuffled, neither = (float(run.held_out[-1]) for run in runs)
    settings = runs[0].settings
    return [
        _in_order(plain, without),
        _control(without - plain, shuffled, neither),
        _without_positions(without, neither, is_one_layer=settings.n_layers == 1),
        *([] if settings.text else [_other_texts()]),
    ]


def _in_order(plain: float, without: float) -> Card:
    return Card(
        _("Text in order: positions are worth {cost}", cost=in_print(without - plain)),
        _(
            "The loss, in nats per word, is {without:.2f} without positional embeddings and {plain:.2f} with them: "
            "as if the model chose among {many:.1f} words without and {few:.1f} with them.",
            without=without,
            plain=plain,
            many=math.exp(without),
            few=math.exp(plain),
        ),
        "different" if without > plain else "plain",
    )


def _control(worth_in_order: float, shuffled: float, neither: float) -> Card:
    worth = neither - shuffled
    text = _(
        "The control reads the same sentences with their words shuffled: its loss is {neither:.2f} without them and "
        "{shuffled:.2f} with them.",
        neither=neither,
        shuffled=shuffled,
    )
    if abs(worth) < worth_in_order / 2:
        text = paragraph([text, _("Where there is no order to keep, positions have little to tell.")])
    return Card(_("Shuffled text: positions are worth {cost}", cost=in_print(worth)), text)


def _without_positions(without: float, neither: float, *, is_one_layer: bool) -> Card:
    text = _(
        "Without positions the loss is {neither:.2f} on shuffled text and {without:.2f} on text in order. The causal "
        "mask alone shows each word the words before it.",
        neither=neither,
        without=without,
    )
    if is_one_layer:
        text = paragraph([text, _("One layer then knows which they were, not in what order.")])
    return Card(_("Without positions order is worth {cost}", cost=in_print(neither - without)), text)


def _other_texts() -> Card:
    plain, without = (float(bundled(BUNDLED[name]).held_out[-1]) for name in ("default", "no_positions"))
    return Card(
        _("Not every text needs positions"),
        _(
            "Here order decides: each rhyme says three words and then the same again. In the sentences of the other "
            "views the last word and the kinds of words before it are enough, and with the usual settings positions "
            "are worth {cost} there.",
            cost=in_print(without - plain),
        ),
        "note",
    )
