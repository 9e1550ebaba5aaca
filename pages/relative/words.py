"""What the page "Relative" says: every sentence follows from the numbers it is given."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.attention.one_head import Sentence
from embedviz.attention.phrase import PARTS
from embedviz.attention.phrase import changes as changes_of
from embedviz.base.i18n import (
    N_,
    _,
    full_stop,
    in_parentheses,
    join_semicolons,
    label_value,
    listed,
    ngettext,
    paragraph,
    translated,
)
from embedviz.base.numbers import three_digits
from embedviz.figures.schemes.shifted import Shifted
from embedviz.positions import SCHEMES
from embedviz.ui import Card, extent, label_of

# What becomes of the keys and values that a model has kept, when the oldest token leaves its window.
CACHED = {
    "none": N_("stay"),
    "add": N_("computed anew"),
    "rotate": N_("stay, turned already"),
    "bias": N_("stay, biases added anew"),
    "relative": N_("stay, vectors of distances anew"),
}
ROUNDING = 1e-4  # of a float32 score: far above its rounding, far below what a moved position does


def title(name: str) -> str:
    """What a scheme is called on the screen."""
    return translated(SCHEMES[name].title)


def as_computed_here() -> str:
    """What the view shows, and where it departs from a scheme's paper or its code."""
    cached = _(
        "The text before the phrase is the phrase again and again. Scores of two tokens do not need it. Weights do, as "
        "they are shared among all tokens in sight, and so do outputs and what a second layer makes of them. A window "
        "slides: its oldest token leaves, and absolute positions are counted from its start again. In cached keys of "
        "deeper layers, what that token told remains under every scheme."
    )
    return paragraph([cached, _computed()])


def _computed() -> str:
    return _(
        "All matrices and tables are random, and scores are those of a first layer: in a later one the text before "
        "would change them. All scores are divided by √d, DeBERTa's by √(3d) as in its paper. T5 itself does not "
        "divide: its initial weights have the same effect. ALiBi's paper has a mask; here the score of a "
        "later key is lowered as well."
    )


def claim(panels: Sequence[Shifted]) -> Card:
    """Whether the phrase is the same later in a text, under each of the schemes that are drawn."""
    changed, kept = ([panel.title for panel in panels if panel.stays is stays] for stays in (False, True))
    if len(changed) + len(kept) < len(panels):
        return Card(_("The learned table ends before the phrase is so late"), "")
    if changed and kept:
        said = {"changed": listed(changed), "kept": listed(kept)}
        return Card(_("Later in a text, the phrase changes under {changed} and stays under {kept}", **said), "")
    if changed:
        return Card(_("Later in a text, the phrase changes under both schemes"), "")
    return Card(_("Later in a text, the phrase stays the same under both schemes"), "")


def about_shift(changes: Mapping[str, float], sentence: Sentence, later: int) -> list[Card]:
    """Say under which schemes the scores change, under which they stay, and whether the table ends too early.

    changes: the largest change of a score under each scheme, NaN if its table has no such position.
    """
    moved = [name for name, change in changes.items() if change > ROUNDING]
    stayed = [name for name, change in changes.items() if change <= ROUNDING]
    most = max((changes[name] for name in stayed), default=0.0)
    same = _("Scores differ by {change} at most, by float32's rounding.", change=three_digits(most)) if most else ""
    none = _("“{none}” has no positions that could change.", none=title("none"))
    kept = ngettext("{n} scheme keeps its scores", "{n} schemes keep their scores", len(stayed))
    cards = [Card(kept, paragraph([full_stop(listed(map(title, stayed))), same, none]), "same")]
    if moved:
        changed = listed(f"{title(name)} {three_digits(changes[name])}" for name in moved)
        text = _("The same words, later in a text, score each other differently.")
        largest = _("The largest change of a score: {changes}.", changes=changed)
        heading = ngettext("{n} scheme changes its scores", "{n} schemes change their scores", len(moved))
        cards.insert(0, Card(heading, paragraph([text, largest]), "different"))
    if np.isnan(changes.get("learned", 0.0)):
        cards.append(_ended(sentence, later))
    return cards


def about_part(part: str, panels: Sequence[Shifted], later: int) -> list[Card]:
    """Why weights and a second layer change although scores stay, if neither scheme that is drawn keeps them."""
    if part == "scores" or any(panel.stays is not False for panel in panels):
        return []
    told = _("Weights are shares of all tokens in sight, and {n} more are in sight.", n=later)
    if part == "weights":
        return [Card(_("Neither scheme keeps its weights"), told, "different")]
    more = _("Outputs are made with them, and a second layer makes its scores of outputs.")
    return [Card(_("Neither scheme keeps its scores in layer 2"), paragraph([told, more]), "different")]


def _ended(sentence: Sentence, later: int) -> Card:
    length = sentence.spec.context_length
    text = _(
        "A phrase that begins at position {later} needs positions up to {needed:,}; the last one is {last:,}.",
        later=later,
        needed=later + len(sentence.tokens) - 1,
        last=length - 1,
    )
    return Card(_("The learned table ends at {length:,}", length=length), text, "note")


def table_of_changes(
    sentence: Sentence, names: Sequence[str], later: int, scores: Mapping[str, float]
) -> tuple[list[str], list[list[str]]]:
    """The columns and rows of the table that says what of a phrase stays with the text before it in sight.

    scores: the largest change of a score under each scheme, as `about_shift` says it.
    """
    columns = [
        _("Largest change"), _("Scores"), _("Weights"), _("Outputs"), _("Scores in layer 2"),
        _("Cached keys, if the window slides"),
    ]  # fmt: skip
    rows = []
    for name in dict.fromkeys(names):
        found = changes_of(sentence, name, later) | {"scores": scores[name]}
        rows.append([title(name), *(_change(found[part]) for part in PARTS), translated(CACHED[SCHEMES[name].kind])])
    return columns, rows


def shift_alt(panels: Sequence[Shifted], part: str, changes: Mapping[str, float], later: int) -> str:
    """The matrices for those who cannot see them."""
    drawn = listed(in_parentheses(panel.title, extent(panel.here)) for panel in panels)
    every = join_semicolons(label_value(title(name), _change(change)) for name, change in changes.items())
    return _(
        "Matrices of one phrase at the start of a text and {later} tokens later, {part}: {drawn}. Largest change of a "
        "score: {every}.",
        later=later,
        part=label_of("part")(part),
        drawn=drawn,
        every=every,
    )


def _change(value: float) -> str:
    return _("no row") if np.isnan(value) else three_digits(value)
