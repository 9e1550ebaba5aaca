"""What the page "Relative" says of texts longer than those in training: every sentence follows from its numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.base.i18n import N_, _, listed, translated
from embedviz.base.numbers import in_print
from embedviz.positions import SCHEMES
from embedviz.positions.reach import Reach, State
from embedviz.ui.components.cards.cards import Card
from pages.relative import words

STATES = (N_("seen"), N_("treated as seen"), N_("new value"), N_("never trained"), N_("error"), N_("nothing told"))


def about_lengths(reaches: Mapping[str, Reach], trained: int, used: int) -> list[Card]:
    """Say how many schemes fail, how many meet something new, and how many know everything from training."""
    if used <= trained:
        return [
            Card(
                _("Nothing new"),
                _("In training every text was at least as long, so no position is new."),
                "same",
            ),
        ]
    by_state = {
        state: [words.title(name) for name, reach in reaches.items() if (reach.states == state).any()]
        for state in State
    }
    text = _(
        "There is no row {trained:,}: {n:,} of {used:,} positions have no vector.",
        trained=trained,
        n=used - trained,
        used=used,
    )
    untrained = by_state[State.UNTRAINED]
    if untrained:
        text += " " + _(
            "{schemes}: rows that no text of this length ever used, so they hold what they began with.",
            schemes=listed(untrained),
        )
    cards = [Card(_("{schemes}: an error", schemes=listed(by_state[State.MISSING])), text, "different")]
    text = _(
        "The formula still gives values, but ones never seen in training. Only a test shows whether a model copes; "
        "ALiBi was designed to, and models with sinusoidal positions did poorly (Press et al. 2021)."
    )
    cards.append(Card(_("New: {schemes}", schemes=listed(by_state[State.FORMULA])), text))
    if by_state[State.AGAIN]:
        cards.append(_reused(reaches, by_state[State.AGAIN], used - trained))
    return cards


def _reused(reaches: Mapping[str, Reach], titles: Sequence[str], n_unseen: int) -> Card:
    """Of how many unseen distances each scheme has a row that was trained."""
    counted = [
        _("{scheme} {n:,} of {total:,}", scheme=words.title(name), n=n, total=n_unseen)
        for name, reach in reaches.items()
        if (n := int((reach.states == State.AGAIN).sum()))
    ]
    text = _(
        "These unseen distances reuse a trained row, so the model cannot tell them apart from seen ones: {counted}.",
        counted=listed(counted),
    )
    return Card(_("Treated as seen: {schemes}", schemes=listed(titles)), text)


def length_row(name: str, reach: Reach, trained: int) -> list[str]:
    """A scheme, what it has past the trained length, and the number that goes with it."""
    counts = np.bincount(reach.states, minlength=len(STATES))
    said = listed(f"{n:,} {translated(STATES[k])}" for k, n in enumerate(counts.tolist()) if n)
    return [words.title(name), said, _fact(name, reach, trained)]


def _fact(name: str, reach: Reach, trained: int) -> str:
    if len(reach.states) <= trained:
        return _("Nothing beyond what was seen")
    told = translated(SCHEMES[name].told)
    if reach.seen is not None:
        return told.format(seen=in_print(reach.seen, ",.4g"), n=in_print(reach.number, ",.4g"))
    return told.format(n=reach.number)
