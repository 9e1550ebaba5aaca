"""The view "distance": what a distance does to a score under RoPE, which need not be to weaken it."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.panels import Curve, Curves, panels
from embedviz.positions.rope_pairs import MAX_REACH, NearAndFar, near_and_far
from embedviz.programs.rope_pairs import pytorch_near_and_far
from embedviz.ui.fields import whole_number
from pages.rope import distance_words as words

_HEIGHT = "clamp(18rem, calc(100vh - 26rem), 44rem)"
_CODE = 380


def distance(page: ui.Frame) -> None:
    """Show the score of special vectors and of random ones at every distance."""
    with page.inputs.columns([1, 3])[0]:
        reach = whole_number(_("Up to distance"), 1, MAX_REACH, 256, key="reach", below=page.messages)
    found = near_and_far(reach)
    ui.cards(words.about_distance(found), key="about_near_and_far")
    figure = panels([_special(found), _random(found)], (1, 1.25))
    with ui.slide():
        ui.show(figure, key="near_and_far", alt=words.distance_in_words(found), height=_HEIGHT)
    ui.aside(words.about_curves())
    ui.program(pytorch_near_and_far(reach), _("Near and far"), height=_CODE)


def _special(near_and_far: NearAndFar) -> Curves:
    blue, orange = (theme.token_colours(range(2))[n] for n in range(2))
    curves = [
        Curve(_("key of ones"), near_and_far.back, near_and_far.ones, blue),
        Curve(words.preferring(), near_and_far.back, near_and_far.preferred, orange, dash="dash"),
    ]
    return Curves(_("Query and key of ones"), curves, _("tokens back"), _("score"))


def _random(near_and_far: NearAndFar) -> Curves:
    """The single pairs are thin in number and many in colour; mean and spread lie over them."""
    colours = theme.token_colours(range(2 + len(near_and_far.single)))
    spread = _("mean ± spread")
    curves = [
        *(
            Curve(_("random pair {n}", n=n + 1), near_and_far.back, scores, colours[n + 2])
            for n, scores in enumerate(near_and_far.single)
        ),
        Curve(spread, near_and_far.back, near_and_far.mean + near_and_far.spread, theme.INK, dash="dot"),
        Curve(spread, near_and_far.back, near_and_far.mean - near_and_far.spread, theme.INK, dash="dot"),
        Curve(_("mean"), near_and_far.back, near_and_far.mean, theme.INK),
    ]
    return Curves(_("Random queries and keys"), curves, _("tokens back"), _("score"))
