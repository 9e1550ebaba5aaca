"""What the view "measured" of the page "Models" says: every sentence follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import N_, _, listed, paragraph, translated
from embedviz.figures.model.position_test import change_in_print
from embedviz.layers.positions import PositionTest
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card

DECLARED = {"add": N_("added once"), "rotate": "RoPE", "none": N_("no positions")}


def declared() -> dict[str, str]:
    """What each kind of layer is called below the bars."""
    return {kind: translated(text) for kind, text in DECLARED.items()}


def about(test: PositionTest, model: str, *, is_causal: bool) -> list[Card]:
    """Which layers read positions, whether that is what is declared, and what the test does not say."""
    tone = "different" if test.reads.any() else "same"
    return [
        Card(_title(test, model), _measured(test), tone),
        _about_declared(test),
        Card(_("What this test cannot say"), _untested(test, is_causal=is_causal), "note"),
    ]


def _title(test: PositionTest, model: str) -> str:
    n, reads = len(test.reads), int(test.reads.sum())
    said = {"model": model, "n": n, "reads": reads, "without": n - reads}
    if reads == 0 and test.input_change:
        return _("{model} adds positions before layer 1, and no layer reads them again", **said)
    if reads == 0:
        return _("In {model} nothing changes, wherever its tokens stand", **said)
    if reads < n:
        return _("{without} of {n} layers of {model} are without positions", **said)
    if test.reads_distances.all():
        return _("Every layer of {model} reads how far tokens are apart, not where they stand", **said)
    return _("Every layer of {model} reads positions", **said)


def _measured(test: PositionTest) -> str:
    how = _(
        "{n} tokens were read at three sets of positions: as usual, three times as far apart, and all of them equally "
        "later. Each layer gets what has come to it as usual, so that only its own reading of positions can change "
        "something.",
        n=test.tokens,
    )
    if not test.reads.any():
        bits = _("Not one bit of any attention weight or output changes in the layers.")
    else:
        bits = _(
            "If tokens stand farther apart, attention weights change by up to {apart}; if all stand later, by up to "
            "{moved}.",
            apart=change_in_print(test.weights.max()),
            moved=change_in_print(test.weights_moved.max()),
        )
    if not test.reads.all() and test.reads.any():
        without = [str(n + 1) for n in np.flatnonzero(~test.reads)]
        bits = paragraph([bits, _("Layers in which not one bit changes: {layers}.", layers=listed(without))])
    return paragraph([how, _compared(test), bits])


def _compared(test: PositionTest) -> str:
    """What happens to queries and keys, where the model's class shows them."""
    if test.queries_keys is None:
        return ""
    if not test.queries_keys.any():
        return _("If tokens stand farther apart, queries and keys stay the same bits.")
    share = change_in_print(test.queries_keys.max())
    return _(
        "If tokens stand farther apart, queries and keys change by up to {share} of their largest number.", share=share
    )


def _about_declared(test: PositionTest) -> Card:
    agrees = test.as_declared.all() and bool(test.input_change) == test.is_added
    if agrees:
        return Card(_("That is what its makers declare"), test.declared, "same")
    other = [str(n + 1) for n in np.flatnonzero(~test.as_declared)]
    said = _("Layers that differ: {layers}.", layers=listed(other)) if other else ""
    return Card(_("That is not what its makers declare"), paragraph([test.declared, said]), "different")


def _untested(test: PositionTest, *, is_causal: bool) -> str:
    mask = _("The causal mask lets order in even where nothing changes here: a token sees only those before it.")
    few = _(
        "It is one text of {n} tokens, so a layer that sees only a window, or changes its angles in long texts, may do "
        "something else there.",
        n=test.tokens,
    )
    kinds = _(
        "Layers that count distances themselves, as with ALiBi and T5, cannot be tested: no token of theirs can be put "
        "elsewhere. Nor can models that do not lie whole on this machine."
    )
    return paragraph([mask if is_causal else "", few, kinds])


def alternative(test: PositionTest) -> str:
    """The bars in words."""
    rows = [
        _("Layer {n}: declared {scheme}, weights {weights}, output {outputs}.", n=n, scheme=_scheme(scheme),
          weights=change_in_print(weights), outputs=change_in_print(outputs))
        for n, (scheme, weights, outputs) in enumerate(zip(test.schemes, test.weights, test.outputs, strict=True), 1)
    ]  # fmt: skip
    said = _(
        "Bars say how much changes if tokens stand three times as far apart: what enters layer 1 by {input}, attention "
        "weights by {weights}, outputs by {outputs}.",
        input=change_in_print(test.input_change),
        weights=extent(test.weights),
        outputs=extent(test.outputs),
    )
    return paragraph([said, *rows])


def _scheme(scheme: str) -> str:
    return "RoPE" if scheme == "rope" else _("no positions")
