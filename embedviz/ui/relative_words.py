"""What the page "Relative" says: every sentence follows from the numbers it is given."""

from collections.abc import Mapping, Sequence

import numpy as np

from embedviz.figures.labels import quoted
from embedviz.lengths import Reach, State
from embedviz.positions import SCHEMES, Scheme
from embedviz.relative import N_HEADS, SHIFTS, ByDistance, Sentence
from embedviz.ui.cards import Card

# What a kind of scheme changes, as it stands above its matrix and in the table.
CHANGES = {
    "none": "changes nothing",
    "add": "adds to the vector",
    "rotate": "turns query and key",
    "bias": "score + a number",
    "relative": "score + vectors",
}
ROUNDING = 1e-4  # of a float32 score: far above its rounding, far below what a moved position does
STATES = ("seen", "treated as seen", "new value", "never trained", "error")


def _named(schemes: Sequence[Scheme]) -> str:
    return ", ".join(scheme.title for scheme in schemes)


def _of_kind(*kinds: str) -> list[Scheme]:
    return [scheme for scheme in SCHEMES.values() if scheme.kind in kinds]


def about_scores(found: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """What is the same in all panels, what each kind changes, and what a repeated token shows."""
    head_dim, n_dims = sentence.spec.output_dim // N_HEADS, sentence.spec.output_dim
    cards = [
        Card(
            f"One head, {len(found)} schemes",
            f"Head {sentence.head + 1} of {N_HEADS}: {head_dim} of {n_dims} dimensions. Token vectors, query and key "
            "matrices are the same in every panel. No mask.",
        ),
        Card(
            "Vector, query and key, or score",
            f"Added to the vector: {_named(_of_kind('add'))}. Turning query and key: {_named(_of_kind('rotate'))}. "
            f"In the score: {_named(_of_kind('bias', 'relative'))}.",
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
    known = {SCHEMES[name].title: change for name, change in apart.items() if name != "none" and not np.isnan(change)}
    rounding = " (rounding)" if apart["none"] else ""
    least, most = min(known, key=known.get), max(known, key=known.get)
    return Card(
        f"{quoted(sentence.tokens.texts[i])} twice: rows {i} and {j}",
        f"Without positions they differ by {_number(apart['none'])}{rounding}; with them by {_number(known[least])} "
        f"({least}) to {_number(known[most])} ({most}).",
        "different",
    )


def about_shift(changes: Mapping[str, np.ndarray], sentence: Sentence) -> list[Card]:
    """Who moves, who stays, and whose table ends."""
    most = {name: float(np.nanmax(values)) for name, values in changes.items() if not np.isnan(values).all()}
    moved = [name for name, change in most.items() if change > ROUNDING]
    stayed = [name for name, change in most.items() if change <= ROUNDING and name != "none"]
    cards = [
        Card(
            f"{len(moved)} move",
            f"Largest change of a score: {_each(moved, most)}. The same words, later in a text, score each other "
            "differently.",
            "different",
        ),
        Card(
            f"{len(stayed)} stay",
            f"Largest change: {_each(stayed, most)}. What is not 0 is the rounding of float32.",
            "same",
        ),
        Card("None has nothing to move", f"No positions, no change: {_number(most['none'])}."),
    ]
    ended = [k for k, change in zip(SHIFTS, changes["learned"], strict=True) if np.isnan(change)]
    if ended:
        length = sentence.spec.context_length
        cards.append(
            Card(
                f"The learned table ends at {length:,}",
                f"{len(sentence.tokens)} tokens that begin {ended[0]} later need position "
                f"{ended[0] + len(sentence.tokens) - 1:,}; the last one is {length - 1:,}.",
                "note",
            )
        )
    return cards


def _each(names: Sequence[str], values: Mapping[str, float]) -> str:
    """Names with their numbers; those that share one stand together."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_number(values[name]), []).append(SCHEMES[name].title)
    return "; ".join(f"{', '.join(titles)} {number}" for number, titles in groups.items()) or "none"


def about_distance(found: ByDistance, sentence: Sentence) -> list[Card]:
    """One card a scheme, with numbers of the lines."""
    reach = int(found.steps[-1])
    slope = -float(found.alibi[sentence.head, reach + 1])
    far = min(16, reach)
    later = found.buckets[reach + 1 :]  # 16 on: 17 is distance 1, and 16 stays empty
    n_buckets, begins = len(set(later.tolist())), 1 + int(np.argmax(later == later.max()))
    return [
        Card(
            f"RoPE: {found.rope[reach + far]:.2f} left at {far}",
            f"Of 1 at distance 0; {found.rope[-1]:.2f} at {reach}. The pairs of dimensions turn at different speeds "
            "and fall out of step.",
        ),
        Card(
            f"ALiBi: −{slope:.3g} a token",
            f"Slope of head {sentence.head + 1}. The heads have {-found.alibi[0, reach + 1]:.3g} to "
            f"{-found.alibi[-1, reach + 1]:.3g}, each line straight.",
        ),
        Card(
            f"T5: {_count(n_buckets, 'bucket')} for {_count(reach, 'distance')}",
            f"Keys that come later. 1 to 7 have one each; from 8 on a bucket is a stretch of the logarithm: the last "
            f"begins at {begins}." if reach >= 8 else "Keys that come later: up to 7 each distance has its own.",
        ),
    ]  # fmt: skip


def about_lengths(found: Sequence[Reach], trained: int, used: int) -> list[Card]:
    """How many schemes err, meet something new, or know it all."""
    if used <= trained:
        return [
            Card("Nothing new", f"{used:,} tokens or fewer were seen in training by every scheme.", "same"),
        ]
    by_state = {
        state: [SCHEMES[reach.name].title for reach in found if (reach.states == state).any()] for state in State
    }
    text = f"There is no row {trained:,}: {used - trained:,} of {used:,} positions have no vector."
    untrained = by_state[State.UNTRAINED]
    if untrained:
        text += f" {_list(untrained)}: rows that no text of this length ever used, so they hold what they began with."
    cards = [Card(f"{_list(by_state[State.MISSING])}: an error", text, "different")]
    text = "The formula goes on, to values that the model never met. Whether it copes is not in the formula."
    cards.append(Card(f"New: {_list(by_state[State.FORMULA])}", text))
    if by_state[State.AGAIN]:
        text = "Some or all unseen distances share a row with seen ones: to the model they look the same."
        cards.append(Card(f"Treated as seen: {_list(by_state[State.AGAIN])}", text, "same"))
    return cards


def _list(titles: Sequence[str]) -> str:
    return ", ".join(titles)


def length_row(reach: Reach, trained: int) -> list[str]:
    """A scheme, what it has past the trained length, and the number that goes with it."""
    used = len(reach.states)
    counts = np.bincount(reach.states, minlength=len(STATES))
    said = ", ".join(f"{n:,} {STATES[k]}" for k, n in enumerate(counts.tolist()) if n)
    return [SCHEMES[reach.name].title, said, _fact(reach, trained, used)]


def _fact(reach: Reach, trained: int, used: int) -> str:
    n = reach.number
    if reach.name == "alibi":
        seen = n / max(used - 1, 1) * (min(trained, used) - 1)
        return f"Steepest head: from {_signed(seen)} to {_signed(n)}"
    if used <= trained:
        return "Nothing beyond what was seen"
    return {
        "learned": f"{n:,.0f} positions without a vector",
        "sinusoidal": f"New vectors, at least {n:.3g} from every seen one",
        "transformer_xl": f"New relative vectors, at least {n:.3g} from every seen one",
        "shaw": f"{n:,.0f} unseen distances get the vector of a seen one",
        "t5": f"{n:,.0f} buckets that training never reached",
        "deberta": f"{n:,.0f} rows that training never reached",
        "rope": f"{n:,.0f} pairs of dimensions never went full circle: new angles",
    }[reach.name]


def _signed(value: float) -> str:
    return f"−{abs(value):.4g}" if value < 0 else "0"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"
