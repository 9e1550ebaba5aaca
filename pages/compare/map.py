"""The view "Map" of the page "Compare": the vectors of both sentences, with an arrow for each added position."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.figures.figure import Figure
from embedviz.figures.scatter import sum_scatter, twice
from embedviz.text.visible import quoted
from embedviz.ui import Guide, Picture, View, alt_text, challenges
from embedviz.ui.inputs import controls
from pages.compare import pairs_words, two_sentences
from pages.compare.two_sentences import Compared, Settings

_HEIGHT = ui.picture_height(1.8)


def settings(frame: ui.Frame) -> Settings:
    """What makes the vectors."""
    with frame.settings():
        return Settings(controls.backend())


def figure(result: Compared) -> Figure:
    """All vectors in two principal components."""
    comparison = result.copies.comparison
    return sum_scatter(result.scene, comparison.ids, comparison.texts)


def claim(result: Compared) -> list[ui.Card]:
    """What a position does to a token, if any is added."""
    if pairs_words.nothing_added(result.sentences.spec) or not result.copies.comparison.shared.size:
        return two_sentences.findings(result)[:1]
    return [
        ui.Card(_("Without positions, a token is one point, wherever it stands"), "", stage="before"),
        ui.Card(_arrows(result), "", stage="after"),
    ]


def _arrows(result: Compared) -> str:
    """What the two thick arrows show, if there are two."""
    comparison = result.copies.comparison
    n = twice(result.scene, comparison.ids)
    if n is None:
        return _("A position adds the same arrow to every token")
    a, b = (quoted(texts[n]) for texts in comparison.texts)
    return _("Position {n} adds the same arrow to {a} and to {b}", n=n, a=a, b=b)


def pictures(result: Compared) -> list[Picture]:
    """The slider that adds positions, and the map."""
    alt = alt_text.points(result.scene)
    drawn = partial(ui.show, figure(result), key="map", alt=alt, height=_HEIGHT)
    moves = bool(result.copies.comparison.shared.size)
    return [*two_sentences.slider(result, moves=moves), Picture(drawn, "map")]


MAP = View(
    page="compare",
    name="map",
    guide=Guide(
        N_("Add the positions: both thick arrows are the same, whatever token stands there."),
        N_("A position adds the same arrow to every token. One vector then holds both a word and its place."),
        "token vector positional input pca variance mean",
    ),
    settings=settings,
    fields=two_sentences.fields,
    compute=two_sentences.compared,
    waiting=two_sentences.waiting,
    source=lambda both: both.spec.origin.name,
    on_error=two_sentences.tokens_alone,
    claim=claim,
    pictures=pictures,
    findings=two_sentences.findings,
    note=two_sentences.whose,
    program=two_sentences.program,
    when_shown=lambda result: challenges.check("two-stay", result.copies),
    examples=({}, {"position": "none"}, {"a": "dog", "b": "cat"}),
)
