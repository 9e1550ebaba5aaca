"""What a class does: which pages its visitors are on, and what each of them changes there.

Everything follows from a seed, so that two runs ask the same of a server. Whoever is on "Compare" types a
sentence of their own in four of five changes; no two visitors type the same ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from session import Value

Change = tuple[str, Callable[[Random], Value]]  # a field's key, and what makes a value for it

_ADJECTIVES = ("old", "small", "red", "tired", "quick", "happy", "quiet", "brave", "cold", "young")
_NOUNS = ("cat", "dog", "bird", "horse", "fish", "bear", "mouse", "lion", "child", "king", "road", "hill", "chair")
_VERBS = ("saw", "bit", "liked", "heard", "followed", "left", "found", "knew")


@dataclass(frozen=True)
class Place:
    """A page and what is changed on it, each of `changes` as likely as the others.

    share: of all visitors. query: what the address says.
    """

    name: str
    page: str
    share: float
    changes: Sequence[Change]
    query: str = ""


def _sentence(random: Random) -> str:
    one, other = (f"{random.choice(_ADJECTIVES)} {random.choice(_NOUNS)}" for _ in range(2))
    return f"the {one} {random.choice(_VERBS)} the {other}"


def _question(random: Random) -> str:
    return f"the {random.choice(('dog', 'cat', 'fox'))} sees the {random.choice(('man', 'child', 'bird'))} , who sees ?"


def _typing(key: str) -> Change:
    return key, _sentence


def _number(key: str, low: int, high: int) -> Change:
    return key, lambda random: random.randint(low, high)


def _one_of(key: str, *values: Value) -> Change:
    return key, lambda random: random.choice(values)


_SETTINGS = (_one_of("position", "learned", "sinusoidal", "none"), _one_of("position_scale", [0.5], [1.0], [2.0]))
_TABLE = "view=table&source=random"
PLACES = (
    Place("Compare", "", 0.395, (*[_typing("a")] * 4, *[_typing("b")] * 4, *_SETTINGS), "view=pairs"),
    Place("Lookup", "lookup", 0.10, (_typing("a"), _one_of("view", ["Rows"], ["One-hot"]))),
    Place("Positions", "positions", 0.08, (_number("picked_dimension", 0, 15), _number("output_dim", 16, 64)), _TABLE),
    Place("Attention", "attention", 0.08, (_typing("a"), _typing("b"), _one_of("causal", True, False))),
    Place("Layers", "layers", 0.02, (_one_of("positions", ["Positions off"], ["Positions on"], ["Exchange two"]),)),
    Place("Next word", "next_word", 0.02, (_one_of("noun", "dog", "cat", "bird"),)),
    Place("Relative", "relative", 0.05, (_typing("sentence"), _number("head", 1, 4))),
    Place("RoPE", "rope", 0.02, (_one_of("query_at", [3], [12], [40]), _one_of("key_at", [1], [8], [20]))),
    Place("Models", "models", 0.01, (_one_of("named", "llama", "gemma", "qwen"),)),
    Place("Batches", "batches", 0.06, (_number("stride", 1, 8), _number("batch_size", 1, 8))),
    Place("Tokenizers", "tokenizers", 0.06, (_typing("a"), _typing("b"))),
    Place("Tour", "tour", 0.055, (_typing("a"), _typing("b"))),
    Place("Training", "training", 0.025, (_number("seed", 0, 99), _number("steps", 50, 500))),
    Place("Vocabulary", "vocabulary", 0.025, (_one_of("token", " dog", " cat", " the", " road", " king"),)),
)
# Who types letter by letter does so on one of these, by name, in the first of its fields.
TYPED = {
    "Compare": PLACES[0],
    "Layers": Place("Layers", "layers", 1.0, (_typing("a"), _typing("b"))),
    "Next word": Place("Next word", "next_word", 1.0, (("a", _question),), "sentences=own"),
}
FLOOR = (Place("floor", "", 1.0, (_typing("a"),)),)


def places(n_visitors: int, of: Sequence[Place] = PLACES) -> list[Place]:
    """Where each visitor is: every page has its share to the nearest visitor, spread over the order of arrival."""
    owed = [place.share / 2 for place in of]
    found = []
    for _ in range(n_visitors):
        owed = [debt + place.share for debt, place in zip(owed, of, strict=True)]
        n = max(range(len(of)), key=owed.__getitem__)
        owed[n] -= sum(place.share for place in of)
        found.append(of[n])
    return found


def in_words(of: Sequence[Place] = PLACES) -> str:
    """The mix, for a report."""
    return ", ".join(f"{place.name} {place.share:.1%}".replace(".0%", "%") for place in of)
