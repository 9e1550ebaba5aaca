"""What each view of the page "RoPE" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "turn": Guide(
        N_(
            "Each clock is a pair of dimensions: one hand is the query, the other the key. Move the two tokens "
            "together and watch the angle between the hands."
        ),
        N_(
            "When both tokens move, both hands turn alike: the angle stays, and with it the score. So the model "
            "is told how far apart they are, not where they stand."
        ),
        "rope pair query key score relative",
    ),
    "layouts": Guide(
        N_(
            "Cells of one colour are a pair, and lines lead to the other order. Compare the scores when the dimensions "
            "are permuted in this way, and when they are not."
        ),
        N_(
            "Weights belong to one order of the pairs. A program that takes the other one runs without an error and "
            "computes other scores."
        ),
        "rope pair query key score dimension weights",
    ),
    "base": Guide(
        N_(
            "Each dot is a pair of dimensions; its height says after how many positions it has gone full circle. The "
            "line is the length of the training texts."
        ),
        N_(
            "Pairs above the line never go full circle in training, so a longer text shows the model angles that it "
            "has never met."
        ),
        "rope pair base wavelength dimension training",
    ),
    "longer": Guide(
        N_(
            "Compare each pair's speed before and after the scaling, and see which pairs keep theirs and which are "
            "slowed down."
        ),
        N_(
            "A model that was trained on short texts can read longer ones if its slow pairs are slowed further, so "
            "that they stay within angles it knows."
        ),
        "rope pair base wavelength scaling training",
    ),
    "part": Guide(
        N_("The coloured dimensions are turned by the position; the grey ones are left as they are."),
        N_("What is not turned says the same at every distance, so a head can ask for a meaning wherever it stands."),
        "rope pair partial dimension head",
    ),
    "distance": Guide(
        N_(
            "On the left query and key are ones; for the dashed curve the key is turned beforehand. On the right they "
            "are random: mean and spread hardly change with the distance."
        ),
        N_(
            "It is often said that RoPE weakens far tokens. It need not: what a distance does to a score depends on "
            "the query and the key."
        ),
        "rope pair query key score mean",
    ),
}
