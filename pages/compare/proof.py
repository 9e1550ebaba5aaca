"""A Comparison in words: every sentence here follows from the numbers it is given."""

from collections import Counter

from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.base.numbers import three_digits
from embedviz.positions import SCHEMES
from embedviz.text.variants import reasons, some, variants
from embedviz.text.visible import quoted
from embedviz.ui.components.cards import Card
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.spec import Spec

# What a scheme that adds nothing to the vectors does instead.
_ACTS = {
    "rotate": N_("It acts inside attention, where it turns queries and keys: see the pages Relative and Attention."),
    "bias": N_("It acts inside attention, where it adds a number to each score: see the pages Relative and Attention."),
    "relative": N_(
        "It acts inside attention, where it puts vectors of the distance into each score: see the pages Relative and "
        "Attention."
    ),
}


def proof(comparison: Comparison) -> list[Card]:
    """Cards: the same before positions, different after, the means, and what differs if the words do.

    There are none while one of the sentences is empty.
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
            difference=three_digits(c.largest_difference_before),
        ),
        "same" if c.n_same_before == c.n_shared else "different",
        "before",
    )


def _after(c: Comparison) -> Card:
    kept, at_same_position = c.n_same_after, c.n_same_after_at_same_position
    spec = c.a.spec
    if _nothing_added(spec):
        return Card(
            _("{kept} of {total} after, too", kept=kept, total=c.n_shared), _why_nothing(spec), "plain", "after"
        )
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
    return Card(_("{kept} of {total} after positions", kept=kept, total=c.n_shared), " ".join(sentences), tone, "after")


def _others(c: Comparison) -> str:
    numbers = {"closest": three_digits(c.closest_after), "difference": three_digits(c.largest_difference_after)}
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
        nothing = _("{scheme} adds nothing to the vectors, so nothing changed.", scheme=translated(scheme.title))
        return f"{nothing} {translated(_ACTS[scheme.kind])}"
    if scheme.kind == "none":
        return _("Nothing was added (no positions), so nothing changed.")
    return _("Nothing was added (position_scale is 0), so nothing changed.")


def _means(c: Comparison) -> Card:
    before, after = three_digits(c.before.mean_difference), three_digits(c.after.mean_difference)
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
    return _("Only in {sentence}: {tokens}.", sentence=sentence, tokens=some(", ".join, named))
