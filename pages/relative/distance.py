"""The view "By distance" of the page "Relative": what schemes make of the distance between two tokens."""

from embedviz import ui
from embedviz.attention.one_head import MAX_REACH, N_HEADS, ByDistance, Sentence, by_distance
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, distance_charts
from embedviz.programs import relative as export
from embedviz.text.visible import in_figure
from embedviz.ui.fields import whole_number
from pages.relative import distance_words
from pages.relative.settings import sentence_field

_CHARTS = "clamp(22rem, calc(100vh - 21rem), 44rem)"


def distance(page: ui.Frame) -> None:
    """Show what four schemes make of a distance, beside a score without positions."""
    sentence, room = sentence_field(page)
    reach = whole_number(_("Up to distance"), 1, MAX_REACH, 160, key="reach", place=room)
    found = by_distance(sentence, reach)
    ui.cards(distance_words.about_distance(found, sentence), key="about_distance")
    figure = distance_charts(found.distances, _charts(found, sentence))
    with ui.slide(alone=True):
        ui.show(figure, key="distance", alt=distance_words.alternative(found, sentence), height=_CHARTS)
    ui.program(export.pytorch_distance(sentence, reach), _("What schemes make of a distance"), height=380)


def _charts(by_distance: ByDistance, sentence: Sentence) -> list[Chart]:
    blue = theme.token_colours([0])[0]
    first = in_figure(sentence.tokens.texts[0])
    added = _("added to the score")
    return [
        Chart(
            _("RoPE, and None, which is flat"),
            [Line(_("None"), by_distance.none, theme.FAINT, 2, "dash"), Line("RoPE", by_distance.rope, blue)],
            _("score"),
        ),
        Chart(
            _("ALiBi: head {head} in colour", head=sentence.head + 1), _slopes(by_distance, sentence.head, blue), added
        ),
        Chart(
            _("T5: untrained biases of head {head}", head=sentence.head + 1),
            [Line("T5", by_distance.t5, blue, shape="hvh")],
            added,
        ),
        Chart(
            _("Shaw: the query of {first}, clipped at 16", first=first),
            [Line("Shaw", by_distance.shaw, blue, shape="hvh")],
            added,
        ),
    ]


def _slopes(by_distance: ByDistance, head: int, colour: str) -> list[Line]:
    """A line for each head; the chosen one is drawn last, and so above the others."""
    lines = [Line(_("head {n}", n=n + 1), by_distance.alibi[n], theme.FAINT, 1) for n in range(N_HEADS) if n != head]
    return [*lines, Line(_("head {n}", n=head + 1), by_distance.alibi[head], colour, 3)]
