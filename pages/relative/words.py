"""What the page "Relative" says: every sentence follows from the numbers it is given."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.attention.one_head import N_HEADS, SHIFTS, ByDistance, Sentence
from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.base.numbers import in_print, three_digits
from embedviz.positions import SCHEMES, Scheme
from embedviz.positions.reach import Reach, State
from embedviz.text.visible import quoted
from embedviz.ui.components.cards import Card

# What a kind of scheme changes, as it stands above its matrix and in the table.
CHANGES = {
    "none": N_("changes nothing"),
    "add": N_("adds to the vector"),
    "rotate": N_("turns query and key"),
    "bias": N_("score + a number"),
    "relative": N_("score + vectors"),
}
ROUNDING = 1e-4  # of a float32 score: far above its rounding, far below what a moved position does
STATES = (N_("seen"), N_("treated as seen"), N_("new value"), N_("never trained"), N_("error"))


def title(name: str) -> str:
    """What a scheme is called on the screen."""
    return translated(SCHEMES[name].title)


def _named(schemes: Sequence[Scheme]) -> str:
    return ", ".join(translated(scheme.title) for scheme in schemes)


def _of_kind(*kinds: str) -> list[Scheme]:
    return [scheme for scheme in SCHEMES.values() if scheme.kind in kinds]


def about_scores(found: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """What is the same in all panels, what each kind changes, and what a repeated token shows."""
    head_dim, n_dims = sentence.spec.output_dim // N_HEADS, sentence.spec.output_dim
    cards = [
        Card(
            _("One head, {n} schemes", n=len(found)),
            _(
                "Head {head} of {n_heads}: {head_dim} of {n_dims} dimensions. Token vectors, query and key "
                "matrices are the same in every panel. No mask.",
                head=sentence.head + 1,
                n_heads=N_HEADS,
                head_dim=head_dim,
                n_dims=n_dims,
            ),
        ),
        Card(
            _("Vector, query and key, or score"),
            _(
                "Added to the vector: {adding}. Turning query and key: {turning}. In the score: {scoring}.",
                adding=_named(_of_kind("add")),
                turning=_named(_of_kind("rotate")),
                scoring=_named(_of_kind("bias", "relative")),
            ),
        ),
    ]
    pair = _repeated(sentence.tokens.ids)
    return [*cards, _twice(found, sentence, pair)] if pair else cards


def _repeated(ids: Sequence[int]) -> tuple[int, int] | None:
    """The first two places of the first token that stands there twice."""
    for i, id_ in enumerate(ids):
        if id_ in ids[i + 1 :]:
            return i, ids.index(id_, i + 1)
    return None


def _twice(found: Mapping[str, np.ndarray], sentence: Sentence, pair: tuple[int, int]) -> Card:
    i, j = pair
    apart = {name: float(np.abs(scores[i] - scores[j]).max()) for name, scores in found.items()}
    known = {title(name): change for name, change in apart.items() if name != "none" and not np.isnan(change)}
    rounding = " " + _("(rounding)") if apart["none"] else ""
    least, most = min(known, key=known.get), max(known, key=known.get)
    return Card(
        _("{token} twice: rows {i} and {j}", token=quoted(sentence.tokens.texts[i]), i=i, j=j),
        _(
            "Without positions they differ by {none}{rounding}; with them by {low} ({least}) to {high} ({most}).",
            none=three_digits(apart["none"]),
            rounding=rounding,
            low=three_digits(known[least]),
            least=least,
            high=three_digits(known[most]),
            most=most,
        ),
        "different",
    )


def about_shift(changes: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """Who moves, who stays, and whose table ends."""
    most = {name: float(np.nanmax(values)) for name, values in changes.items() if not np.isnan(values).all()}
    moved = [name for name, change in most.items() if change > ROUNDING]
    stayed = [name for name, change in most.items() if change <= ROUNDING and name != "none"]
    cards = [
        Card(
            _("{n} move", n=len(moved)),
            _(
                "Largest change of a score: {changes}. The same words, later in a text, score each other differently.",
                changes=_each(moved, most),
            ),
            "different",
        ),
        Card(
            _("{n} stay", n=len(stayed)),
            _("Largest change: {changes}. What is not 0 is the rounding of float32.", changes=_each(stayed, most)),
            "same",
        ),
        Card(_("None has nothing to move"), _("No positions, no change: {change}.", change=three_digits(most["none"]))),
    ]
    ended = [k for k, change in zip(SHIFTS, changes["learned"], strict=True) if np.isnan(change)]
    if ended:
        length = sentence.spec.context_length
        cards.append(
            Card(
                _("The learned table ends at {length:,}", length=length),
                _(
                    "{n} tokens that begin {later} later need position {needed:,}; the last one is {last:,}.",
                    n=len(sentence.tokens),
                    later=ended[0],
                    needed=ended[0] + len(sentence.tokens) - 1,
                    last=length - 1,
                ),
                "note",
            )
        )
    return cards


def _each(names: Sequence[str], values: Mapping[str, float]) -> str:
    """Names with their numbers; those that share one stand together."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(three_digits(values[name]), []).append(title(name))
    return "; ".join(f"{', '.join(titles)} {number}" for number, titles in groups.items()) or _("none")


def about_distance(found: ByDistance, sentence: Sentence) -> list[Card]:
    """One card a scheme, with numbers of the lines."""
    reach = int(found.steps[-1])
    slope = -float(found.alibi[sentence.head, reach + 1])
    far = min(16, reach)
    later = found.buckets[reach + 1 :]  # 16 on: 17 is distance 1, and 16 stays empty
    n_buckets, begins = len(set(later.tolist())), 1 + int(np.argmax(later == later.max()))
    return [
        Card(
            _("RoPE: {left:.2f} left at {far}", left=found.rope[reach + far], far=far),
            _(
                "Of 1 at distance 0; {left:.2f} at {reach}. The pairs of dimensions turn at different speeds "
                "and fall out of step.",
                left=found.rope[-1],
                reach=reach,
            ),
        ),
        Card(
            _("ALiBi: −{slope:.3g} a token", slope=slope),
            _(
                "Slope of head {head}. The heads have {steepest:.3g} to {flattest:.3g}, each line straight.",
                head=sentence.head + 1,
                steepest=-found.alibi[0, reach + 1],
                flattest=-found.alibi[-1, reach + 1],
            ),
        ),
        Card(
            _(
                "T5: {buckets} for {distances}",
                buckets=ngettext("{n:,} bucket", "{n:,} buckets", n_buckets),
                distances=ngettext("{n:,} distance", "{n:,} distances", reach),
            ),
            _(
                "Keys that come later. 1 to 7 have one each; from 8 on a bucket is a stretch of the "
                "logarithm: the last begins at {begins}.",
                begins=begins,
            )
            if reach >= 8
            else _("Keys that come later: up to 7 each distance has its own."),
        ),
    ]


def about_lengths(found: Sequence[Reach], trained: int, used: int) -> list[Card]:
    """How many schemes err, meet something new, or know it all."""
    if used <= trained:
        return [
            Card(
                _("Nothing new"),
                _("{used:,} tokens or fewer were seen in training by every scheme.", used=used),
                "same",
            ),
        ]
    by_state = {state: [title(reach.name) for reach in found if (reach.states == state).any()] for state in State}
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
            schemes=_list(untrained),
        )
    cards = [Card(_("{schemes}: an error", schemes=_list(by_state[State.MISSING])), text, "different")]
    text = _("The formula goes on, to values that the model never met. Whether it copes is not in the formula.")
    cards.append(Card(_("New: {schemes}", schemes=_list(by_state[State.FORMULA])), text))
    if by_state[State.AGAIN]:
        text = _("Some or all unseen distances share a row with seen ones: to the model they look the same.")
        cards.append(Card(_("Treated as seen: {schemes}", schemes=_list(by_state[State.AGAIN])), text, "same"))
    return cards


def _list(titles: Sequence[str]) -> str:
    return ", ".join(titles)


def length_row(reach: Reach, trained: int) -> list[str]:
    """A scheme, what it has past the trained length, and the number that goes with it."""
    used = len(reach.states)
    counts = np.bincount(reach.states, minlength=len(STATES))
    said = ", ".join(f"{n:,} {translated(STATES[k])}" for k, n in enumerate(counts.tolist()) if n)
    return [title(reach.name), said, _fact(reach, trained, used)]


def _fact(reach: Reach, trained: int, used: int) -> str:
    told = translated(SCHEMES[reach.name].told)
    if reach.seen is not None:
        return told.format(seen=in_print(reach.seen, ".4g"), n=in_print(reach.number, ".4g"))
    return told.format(n=reach.number) if used > trained else _("Nothing beyond what was seen")
