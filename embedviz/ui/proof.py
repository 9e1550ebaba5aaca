"""A Comparison in words: every sentence here follows from the numbers it is given."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from embedviz.comparison import Comparison
from embedviz.figures.labels import quoted
from embedviz.positions import SCHEMES
from embedviz.spec import Spec
from embedviz.ui.cards import Card
from embedviz.variants import Variant, variants

_MAX_NAMED = 6
# What a scheme that adds nothing to the vectors does instead.
_ACTS = {
    "rotate": "turns queries and keys",
    "bias": "adds a number to each score",
    "relative": "puts vectors of the distance into each score",
}


def proof(comparison: Comparison) -> list[Card]:
    """Cards: the same before positions, different after, the means, and what differs if the words do.

    None while one of the sentences is empty.
    """
    if not comparison.shared.size:
        return []
    if not comparison.n_shared:
        return [
            Card("No pair shares an ID", "No token of A has the ID of a token of B.", "note"),
            *_notes(comparison),
        ]
    return [_before(comparison), _after(comparison), _means(comparison), *_notes(comparison)]


def _before(c: Comparison) -> Card:
    return Card(
        f"{c.n_same_before} of {c.n_shared} {_pairs(c.n_shared)} bit-identical",
        f"Token vectors of A and B that share an ID, before positions are added. Largest difference: "
        f"{_number(c.largest_difference_before)}.",
        "same" if c.n_same_before == c.n_shared else "different",
    )


def _after(c: Comparison) -> Card:
    kept, at_same_position = c.n_same_after, c.n_same_after_at_same_position
    spec = c.a.spec
    if _nothing_added(spec):
        return Card(f"{kept} of {c.n_shared} after, too", _why_nothing(spec), "plain")
    sentences = []
    if at_same_position:
        sentences.append(
            f"{at_same_position} {'stays' if at_same_position == 1 else 'stay'} identical: "
            "same token, same position in both sentences."
        )
    if kept > at_same_position:
        sentences.append(f"{kept - at_same_position}: what was added is too small to change a float32.")
    if c.closest_after is not None:
        others = "Of the others the" if kept else "Input vectors = token + position. The"
        sentences.append(
            f"{others} closest pair is {_number(c.closest_after)} apart; largest difference in one "
            f"dimension: {_number(c.largest_difference_after)}."
        )
    tone = "different" if kept < c.n_shared else "same"
    return Card(f"{kept} of {c.n_shared} after positions", " ".join(sentences), tone)


def _nothing_added(spec: Spec) -> bool:
    return SCHEMES[spec.position].kind != "add" or spec.position_scale == 0


def _why_nothing(spec: Spec) -> str:
    scheme = SCHEMES[spec.position]
    if scheme.kind in _ACTS:
        return (
            f"{scheme.title} adds nothing to the vectors, so nothing changed. It acts inside attention, where it "
            f"{_ACTS[scheme.kind]}: see the pages Relative and Attention."
        )
    why = "no positions" if scheme.kind == "none" else "position_scale is 0"
    return f"Nothing was added ({why}), so nothing changed."


def _means(c: Comparison) -> Card:
    before, after = _number(c.before.mean_difference), _number(c.after.mean_difference)
    if not c.is_permutation and c.before.means_agree:
        return Card(
            "Different counts, one mean",
            f"The mean vectors of A and B differ by up to {before} before and {after} after.",
        )
    if not c.is_permutation:
        return Card(
            "Different tokens, different means",
            f"The mean vectors of A and B differ by up to {before} before and {after} after.",
        )
    moral = "" if _nothing_added(c.a.spec) else ": in sum, both get the same positions"
    rounding = " (rounding)" if c.after.mean_difference else ""
    return Card(
        "Same mean, both times" if c.before.means_agree and c.after.means_agree else "The means differ",
        f"Over all tokens, A and B differ by {before} before and {after} after{rounding}{moral}.",
    )


def _notes(c: Comparison) -> list[Card]:
    found = variants(c.a.tokens, c.b.tokens)
    if c.is_permutation and not found:
        return []
    title = "One word, two IDs" if c.is_permutation else "A and B are not made of the same tokens"
    sentences = [_only("A", c.only_in_a), _only("B", c.only_in_b), *reasons(found)]
    if not c.a.spec.prefix_space and any(variant.by_space for variant in found):
        sentences.append("“Add prefix space” (under More) gives the first word the ID it has inside a sentence.")
    return [Card(title, " ".join(filter(None, sentences)), "note")]


def _only(sentence: str, tokens: Counter[tuple[str, int]]) -> str:
    if not tokens:
        return ""
    named = [f"{quoted(text)} ({id_})" + (f" × {n}" if n > 1 else "") for (text, id_), n in tokens.items()]
    return f"Only in {sentence}: {_some(', '.join, named)}."


def _some(join: Callable[[list[str]], str], named: list[str]) -> str:
    rest = f" and {len(named) - _MAX_NAMED} more" if len(named) > _MAX_NAMED else ""
    return join(named[:_MAX_NAMED]) + rest


def reasons(found: Sequence[Variant], labels: Iterable[str] = repeat("")) -> list[str]:
    """One sentence for each reason that a word has several IDs, with the words it applies to.

    labels: what stands before the forms of each word.
    """
    words: dict[str, list[str]] = {}
    for variant, label in zip(found, labels, strict=False):
        forms = " and ".join(f"{quoted(text)} ({id_})" for text, id_ in variant.forms)
        words.setdefault(_why(variant), []).append(label + forms)
    return [f"{_some('; '.join, forms)}: {why}." for why, forms in words.items()]


def _why(variant: Variant) -> str:
    if variant.by_space and variant.by_case:
        return "the space before a word is part of its token, and a capital makes another one"
    if variant.by_space:
        return "the space before a word is part of its token"
    return "a capital makes another token"


def _pairs(n: int) -> str:
    return "pair" if n == 1 else "pairs"


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"
