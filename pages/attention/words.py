"""What attention makes of two orders, in words: every sentence here follows from the numbers it is given."""

from embedviz.attention.two_sentences import Attended, Three
from embedviz.base.i18n import _, translated
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards import Card
from embedviz.vectors.comparison import Comparison


def about_attention(found: Three, comparison: Comparison, causal: bool) -> list[Card]:
    """Cards: without positions and mask, as chosen, and with a mask alone."""
    if not comparison.n_shared:
        return [
            Card(_("No pair shares an ID"), _("No token of A has the ID of a token of B: there is nothing to compare."))
        ]
    return [_plain(found.plain, comparison), _chosen(found.chosen, comparison, causal), _masked(found.masked)]


def _plain(found: Attended, comparison: Comparison) -> Card:
    title = _("No positions, no mask: {share}", share=_share(found))
    if comparison.is_permutation:
        why = _("The same set of tokens to attend to, so each gets the same output in A and B.")
    else:
        why = _("A and B are not made of the same tokens, so there are other things to attend to.")
    return Card(title, f"{why} {_apart(found)}", _tone(found))


def _chosen(found: Attended, comparison: Comparison, causal: bool) -> Card:
    spec = comparison.a.spec
    scheme = SCHEMES[spec.position]
    mask = _("causal mask") if causal else _("no mask")
    nothing = scheme.kind == "none" or (scheme.kind == "add" and spec.position_scale == 0)
    name = _("No positions") if nothing else translated(scheme.title)
    mean = ""
    if scheme.kind == "add" and not nothing and comparison.is_permutation and comparison.after.means_agree:
        mean = " " + _(
            "A mean over the sentence still hides the order: that of the input vectors is the same for both."
        )
    return Card(f"{name}, {mask}: {_share(found)}", f"{_apart(found)}{mean}", _tone(found))


def _masked(found: Attended) -> Card:
    title = _("Causal mask, no positions: {share}", share=_share(found))
    if found.n_same == found.n_shared:
        return Card(title, _("These outputs do not tell the order apart. {apart}", apart=_apart(found)), "same")
    return Card(
        title,
        _("Each token sees only itself and those before it: order leaks in. {apart}", apart=_apart(found)),
        "different",
    )


def _share(found: Attended) -> str:
    return _("{n} of {total} the same", n=found.n_same, total=found.n_shared)


def _apart(found: Attended) -> str:
    differing = found.differing
    if not differing.size:
        rounding = " " + _("(rounding)") if found.largest_difference else ""
        return _(
            "Largest difference: {difference:.3g}{rounding}.", difference=found.largest_difference, rounding=rounding
        )
    low, high = f"{differing.min():.3g}", f"{differing.max():.3g}"
    distance = low if differing.min() == differing.max() else _("{low} to {high}", low=low, high=high)
    if found.n_same:
        return _("The others are {distance} apart.", distance=distance)
    return _("They are {distance} apart.", distance=distance)


def _tone(found: Attended) -> str:
    return "same" if found.n_same == found.n_shared else "different"
