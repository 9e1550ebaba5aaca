"""A Comparison in words: every sentence here follows from the numbers it is given."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat

from embedviz.comparison import Comparison
from embedviz.figures.labels import quoted
from embedviz.positions import SCHEMES
from embedviz.spec import Spec
from embedviz.texts import _, joined, ngettext
from embedviz.ui.cards import Card
from embedviz.variants import Variant, variants

_MAX_NAMED = 6
# What a scheme that adds nothing to the vectors does instead.
_ACTS = {
    "rotate": _("It acts inside attention, where it turns queries and keys: see the pages Relative and Attention."),
    "bias": _("It acts inside attention, where it adds a number to each score: see the pages Relative and Attention."),
    "relative": _(
        "It acts inside attention, where it puts vectors of the distance into each score: see the pages Relative and "
        "Attention."
    ),
}


def proof(comparison: Comparison) -> list[Card]:
    """Cards: the same before positions, different after, the means, and what differs if the words do.

    None while one of the sentences is empty.
    """
    if not comparison.shared.size:
        return []
    if not comparison.n_shared:
        return [
            Card(_("No pair shares an ID"), _("No token of A has the ID of a token of B."), "note"),
            *_notes(comparison),
        ]
    return [_before(comparison), _after(comparison), _means(comparison), *_notes(comparison)]


def _before(c: Comparison) -> Card:
    return Card(
        ngettext(
            "{same} of {n} pair bit-identical",
            "{same} of {n} pairs bit-identical",
            c.n_shared,
            same=c.n_same_before,
        ),
        _(
            "Token vectors of A and B that share an ID, before positions are added. Largest difference: {difference}.",
            difference=_number(c.largest_difference_before),
        ),
        "same" if c.n_same_before == c.n_shared else "different",
    )


def _after(c: Comparison) -> Card:
    kept, at_same_position = c.n_same_after, c.n_same_after_at_same_position
    spec = c.a.spec
    if _nothing_added(spec):
        return Card(_("{kept} of {total} after, too", kept=kept, total=c.n_shared), _why_nothing(spec), "plain")
    sentences = []
    if at_same_position:
        sentences.append(
            ngettext(
                "{n} stays identical: same token, same position in both sentences.",
                "{n} stay identical: same token, same position in both sentences.",
                at_same_position,
            )
        )
    if kept > at_same_position:
        sentences.append(_("{n}: what was added is too small to change a float32.", n=kept - at_same_position))
    if c.closest_after is not None:
        sentences.append(_others(c))
    tone = "different" if kept < c.n_shared else "same"
    return Card(_("{kept} of {total} after positions", kept=kept, total=c.n_shared), " ".join(sentences), tone)


def _others(c: Comparison) -> str:
    numbers = {"closest": _number(c.closest_after), "difference": _number(c.largest_difference_after)}
    if c.n_same_after:
        return _(
            "Of the others the closest pair is {closest} apart; largest difference in one dimension: {difference}.",
            **numbers,
        )
    return _(
        "Input vectors = token + position. The closest pair is {closest} apart; largest difference in one dimension: "
        "{difference}.",
        **numbers,
    )


def _nothing_added(spec: Spec) -> bool:
    return SCHEMES[spec.position].kind != "add" or spec.position_scale == 0


def _why_nothing(spec: Spec) -> str:
    scheme = SCHEMES[spec.position]
    if scheme.kind in _ACTS:
        nothing = _("{scheme} adds nothing to the vectors, so nothing changed.", scheme=scheme.title)
        return f"{nothing} {_ACTS[scheme.kind]}"
    if scheme.kind == "none":
        return _("Nothing was added (no positions), so nothing changed.")
    return _("Nothing was added (position_scale is 0), so nothing changed.")


def _means(c: Comparison) -> Card:
    before, after = _number(c.before.mean_difference), _number(c.after.mean_difference)
    if not c.is_permutation and c.before.means_agree:
        return Card(
            _("Different counts, one mean"),
            _(
                "The mean vectors of A and B differ by up to {before} before and {after} after.",
                before=before,
                after=after,
            ),
        )
    if not c.is_permutation:
        return Card(
            _("Different tokens, different means"),
            _(
                "The mean vectors of A and B differ by up to {before} before and {after} after.",
                before=before,
                after=after,
            ),
        )
    moral = "" if _nothing_added(c.a.spec) else _(": in sum, both get the same positions")
    rounding = " " + _("(rounding)") if c.after.mean_difference else ""
    return Card(
        _("Same mean, both times") if c.before.means_agree and c.after.means_agree else _("The means differ"),
        _(
            "Over all tokens, A and B differ by {before} before and {after} after{rounding}{moral}.",
            before=before,
            after=after,
            rounding=rounding,
            moral=moral,
        ),
    )


def _notes(c: Comparison) -> list[Card]:
    found = variants(c.a.tokens, c.b.tokens)
    if c.is_permutation and not found:
        return []
    title = _("One word, two IDs") if c.is_permutation else _("A and B are not made of the same tokens")
    sentences = [_only("A", c.only_in_a), _only("B", c.only_in_b), *reasons(found)]
    if not c.a.spec.prefix_space and any(variant.by_space for variant in found):
        sentences.append(_("“Add prefix space” (under More) gives the first word the ID it has inside a sentence."))
    return [Card(title, " ".join(filter(None, sentences)), "note")]


def _only(sentence: str, tokens: Counter[tuple[str, int]]) -> str:
    if not tokens:
        return ""
    named = [f"{quoted(text)} ({id_})" + (f" × {n}" if n > 1 else "") for (text, id_), n in tokens.items()]
    return _("Only in {sentence}: {tokens}.", sentence=sentence, tokens=_some(", ".join, named))


def _some(join: Callable[[list[str]], str], named: list[str]) -> str:
    rest = " " + _("and {n} more", n=len(named) - _MAX_NAMED) if len(named) > _MAX_NAMED else ""
    return join(named[:_MAX_NAMED]) + rest


def reasons(found: Sequence[Variant], labels: Iterable[str] = repeat("")) -> list[str]:
    """One sentence for each reason that a word has several IDs, with the words it applies to.

    labels: what stands before the forms of each word.
    """
    words: dict[str, list[str]] = {}
    for variant, label in zip(found, labels, strict=False):
        forms = joined([f"{quoted(text)} ({id_})" for text, id_ in variant.forms])
        words.setdefault(_why(variant), []).append(label + forms)
    return [f"{_some('; '.join, forms)}: {why}." for why, forms in words.items()]


def _why(variant: Variant) -> str:
    if variant.by_space and variant.by_case:
        return _("the space before a word is part of its token, and a capital makes another one")
    if variant.by_space:
        return _("the space before a word is part of its token")
    return _("a capital makes another token")


def _number(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"
