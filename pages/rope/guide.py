"""What each view of the page "RoPE" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "turn": Guide(
        N_("Each clock is a pair of dimensions: one hand is the query, the other the key. Move the two tokens "
           "together: the angle between the hands stays."),
        N_("When both tokens move, both hands turn alike: the angle stays, and with it the score. So the score "
           "depends on how far apart they are, not on where they stand."),
        "rope pair query key score relative partial"),
    "longer": Guide(
        N_("RoPE’s formula goes on where training ended, but a model may fail there: see which pairs meet angles that "
           "no text of the training showed, and choose a scaling."),
        N_("A model that was trained on short texts may read longer ones, as a rule after further training, if its "
           "slow pairs are slowed so that they stay within angles it knows."),
        "rope pair base wavelength scaling training"),
}  # fmt: skip
