"""What attention makes of two orders, in words: every sentence here follows from the numbers it is given."""

from collections import Counter
from typing import Literal

from embedviz.attention.two_sentences import Attended, AttentionCases
from embedviz.base.i18n import _, full_stop, label_value, listed, numeral, paragraph, translated
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card
from embedviz.vectors.comparison import Comparison


def about_attention(cases: AttentionCases, comparison: Comparison, causal: bool) -> list[Card]:
    """Cards: without positions and mask, as chosen, and with a mask alone."""
    return [
        _plain(cases.plain, comparison),
        _chosen(cases.chosen, comparison, causal),
        _masked(cases.masked, comparison),
    ]


def claim(cases: AttentionCases, comparison: Comparison) -> Card:
    """What the three cases show together: in which of them a token of A has no copy in B."""
    if comparison.ids[0] == comparison.ids[1]:
        return Card(_("The same tokens in the same order"), "")
    n_shared = int(cases.plain.shared.any(axis=1).sum())
    plain, chosen, masked = (each.n_copied < n_shared for each in (cases.plain, cases.chosen, cases.masked))
    title = {
        (False, True, True): _("Without positions or a mask, attention cannot tell the orders apart"),
        (False, True, False): _("Attention hears order by positions, and not by a mask here"),
        (False, False, True): _("Attention hears order by a mask alone here"),
        (False, False, False): _("Attention does not tell these two orders apart, whatever it is given"),
    }.get((plain, chosen, masked), _("Attention tells these sentences apart by their words"))
    return Card(title, "")


def _plain(attended: Attended, comparison: Comparison) -> Card:
    title = _("No positions, no mask: {share}", share=_share(attended))
    if comparison.is_permutation:
        why = _("Attention sees tokens without their order here, and both sentences have the same ones.")
    elif _same_shares(comparison):
        why = _(
            "Attention sees tokens without their order here, and both sentences have the same ones in the same shares."
        )
    else:
        why = _differ()
    return Card(title, paragraph([why, _apart(attended)]), _tone(attended))


def _differ() -> str:
    return _("A and B do not contain the same tokens, so outputs may differ.")


def _same_shares(comparison: Comparison) -> bool:
    """Whether each token makes the same part of A as of B: a softmax has the same weights then, spread over copies."""
    in_a, in_b = map(Counter, comparison.ids)
    return in_a.keys() == in_b.keys() and all(in_a[id_] * in_b.total() == in_b[id_] * in_a.total() for id_ in in_a)


def _chosen(attended: Attended, comparison: Comparison, causal: bool) -> Card:
    spec = comparison.a.spec
    scheme = SCHEMES[spec.position]
    mask = _("causal mask") if causal else _("no mask")
    nothing = scheme.kind == "none" or (scheme.kind == "add" and spec.position_scale == 0)
    name = _("No positions") if nothing else translated(scheme.title)
    mean = ""
    if scheme.kind == "add" and not nothing and comparison.is_permutation and comparison.after.means_agree:
        mean = _("The mean of the input vectors is still the same for both.")
    return Card(
        label_value(listed([name, mask]), _share(attended)), paragraph([_apart(attended), mean]), _tone(attended)
    )


def _masked(attended: Attended, comparison: Comparison) -> Card:
    title = _("Causal mask alone: {share}", share=_share(attended))
    if attended.n_same == attended.n_shared:
        return Card(title, _("These outputs do not tell the two orders apart. {apart}", apart=_apart(attended)), "same")
    if not _same_shares(comparison):
        return Card(title, paragraph([_differ(), _apart(attended)]), "different")
    text = _(
        "No token sees later ones, so order gets in. One layer knows which tokens came before, not in what order; a "
        "second one knows more. {apart}",
        apart=_apart(attended),
    )
    return Card(title, text, "different")


def _share(attended: Attended) -> str:
    return _("{n} of {total} outputs the same", n=attended.n_copied, total=len(attended.shared))


def _apart(attended: Attended) -> str:
    differing = attended.differing
    if not differing.size:
        largest = numeral(attended.largest_difference, ".3g")
        if attended.largest_difference:
            largest = _("{number} (rounding)", number=largest)
        return paragraph([_("Largest difference: {difference}.", difference=largest), _unrelated(attended)])
    low, high = numeral(differing.min(), ".3g"), numeral(differing.max(), ".3g")
    distance = low if differing.min() == differing.max() else _("{low} to {high}", low=low, high=high)
    said = _("Copies are {distance} apart.", distance=distance)
    if attended.n_same:
        said = _("The other copies are {distance} apart.", distance=distance)
    return paragraph([said, _unrelated(attended)])


def _unrelated(attended: Attended) -> str:
    """The yardstick."""
    apart = attended.unrelated
    return "" if apart is None else _("Unrelated tokens are {apart:.3g} apart.", apart=apart)


def _tone(attended: Attended) -> Literal["same", "different"]:
    return "same" if attended.n_same == attended.n_shared else "different"


def case_in_words(card: Card, attended: Attended) -> str:
    """The text alternative of one matrix: it says what the card above it says."""
    n_a, n_b = attended.shared.shape
    what = _("Distances between outputs, {n_a} tokens of A by {n_b} of B.", n_a=n_a, n_b=n_b)
    return paragraph([full_stop(card.title), what, card.text])
