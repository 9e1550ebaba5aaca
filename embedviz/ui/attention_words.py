"""What attention makes of two orders, in words: every sentence here follows from the numbers it is given."""

from embedviz.attending import Attended, Three
from embedviz.comparison import Comparison
from embedviz.positions import SCHEMES
from embedviz.ui.alternatives import extent
from embedviz.ui.cards import Card


def about_attention(found: Three, comparison: Comparison, causal: bool) -> list[Card]:
    """Cards: without positions and mask, as chosen, and with a mask alone."""
    if not comparison.n_shared:
        return [Card("No pair shares an ID", "No token of A has the ID of a token of B: there is nothing to compare.")]
    return [_plain(found.plain, comparison), _chosen(found.chosen, comparison, causal), _masked(found.masked)]


def _plain(found: Attended, comparison: Comparison) -> Card:
    title = f"No positions, no mask: {_share(found)}"
    if comparison.is_permutation:
        why = "The same set of tokens to attend to, so each gets the same output in A and B."
    else:
        why = "A and B are not made of the same tokens, so there are other things to attend to."
    return Card(title, f"{why} {_apart(found)}", _tone(found))


def _chosen(found: Attended, comparison: Comparison, causal: bool) -> Card:
    spec = comparison.a.spec
    scheme = SCHEMES[spec.position]
    mask = "causal mask" if causal else "no mask"
    nothing = scheme.kind == "none" or (scheme.kind == "add" and spec.position_scale == 0)
    name = "No positions" if nothing else scheme.title
    mean = ""
    if scheme.kind == "add" and not nothing and comparison.is_permutation and comparison.after.means_agree:
        mean = " A mean over the sentence still hides the order: that of the input vectors is the same for both."
    return Card(f"{name}, {mask}: {_share(found)}", f"{_apart(found)}{mean}", _tone(found))


def _masked(found: Attended) -> Card:
    title = f"Causal mask, no positions: {_share(found)}"
    if found.n_same == found.n_shared:
        return Card(title, f"These outputs do not tell the order apart. {_apart(found)}", "same")
    return Card(title, f"Each token sees only itself and those before it: order leaks in. {_apart(found)}", "different")


def _share(found: Attended) -> str:
    return f"{found.n_same} of {found.n_shared} the same"


def _apart(found: Attended) -> str:
    differing = found.differing
    if not differing.size:
        rounding = " (rounding)" if found.largest_difference else ""
        return f"Largest difference: {found.largest_difference:.3g}{rounding}."
    others = "The others are" if found.n_same else "They are"
    if differing.min() == differing.max():
        return f"{others} {differing.max():.3g} apart."
    return f"{others} {differing.min():.3g} to {differing.max():.3g} apart."


def _tone(found: Attended) -> str:
    return "same" if found.n_same == found.n_shared else "different"


def describe(found: Attended, head: int) -> str:
    """What the pictures show, for those who cannot see them."""
    n_a, n_b = len(found.a.outputs), len(found.b.outputs)
    return (
        f"Attention weights of head {head + 1}: {n_a} by {n_a} for sentence A, the largest "
        f"{found.a.weights[head].max():.2f}; {n_b} by {n_b} for B, the largest {found.b.weights[head].max():.2f}. "
        f"Distances between the outputs of A and B: of {found.n_shared} pairs with one ID {found.n_same} are the same."
    )


def describe_outputs(found: Attended) -> str:
    """The rows of the second picture in words."""
    n_a, n_b = len(found.a.outputs), len(found.b.outputs)
    return (
        f"Outputs of {n_a} tokens of A and {n_b} of B as rows of {found.a.outputs.shape[1]} numbers, "
        f"{extent(found.a.outputs, found.b.outputs)}."
    )
