"""What each view of the page "Models" is about."""

from embedviz.base.i18n import N_
from embedviz.ui.guide import Guide

GUIDES = {
    "layers": Guide(
        N_(
            "Each strip is a model, and each cell in it one of its layers. The colour says how that layer knows "
            "positions, and the height how far back it sees."
        ),
        N_(
            "Many models of today mix: most layers see only what is near, and a few see the whole text, some of them "
            "without any positions."
        ),
        "layer scheme rope sliding_window sink mask",
    ),
    "table": Guide(
        N_(
            "Each row is a model, with its scheme, the base of its rotation, the lengths it was trained for, and "
            "where this was read."
        ),
        N_(
            "Most large models since 2022 rotate. They differ in the base, in how they stretch it, and in "
            "which layers see everything."
        ),
        "scheme rope base scaling sliding_window context",
    ),
    "ideas": Guide(
        N_("Each row is a proposal with its idea in a sentence, and says who uses it."),
        N_(
            "Many ideas are published, and few are used. A new idea that nobody has adopted may still be good, or "
            "only untested."
        ),
        "scheme relative rope bias",
    ),
}
