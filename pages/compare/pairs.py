"""The view "Pairs" of the page "Compare": each token of A, its copy in B, and their difference, as strips."""

from functools import partial

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.ui import OPTIONS, Guide, Picture, View, challenges, one_of
from embedviz.ui.inputs import controls
from pages.compare import two_sentences
from pages.compare.two_sentences import Compared, Settings


def settings(frame: ui.Frame) -> Settings:
    """How many numbers of each vector are shown, and what makes the vectors."""
    with frame.settings():
        n_numbers = one_of(_("Numbers of each vector"), OPTIONS["first"], key="first", default="32")
        return Settings(controls.backend(), None if n_numbers == "all" else int(n_numbers))


def pictures(result: Compared) -> list[Picture]:
    """The lines between copies, what is said of them, and below them the strips of each pair."""
    both, copies = result.sentences, result.copies
    above = [
        Picture(partial(two_sentences.lines, both, copies), "order"),
        Picture(partial(two_sentences.say_of_tokens, both), None),
        *two_sentences.slider(result, moves=bool(copies.pairs)),
    ]
    strips = partial(ui.pair_strips, copies, both.n_numbers, key="strips")
    return [*above, Picture(strips, "strips")] if copies.pairs else above


PAIRS = View(
    page="compare",
    name="pairs",
    guide=Guide(
        N_("Each line leads from a token of A to its copy in B; below are their vectors."),
        N_(
            "A sentence is these vectors to a model. Without positions, two orders of the same tokens are the"
            " same set of vectors."
        ),
        "token id vector positional input prefix_space distance rms mean",
    ),
    settings=settings,
    fields=two_sentences.fields,
    compute=two_sentences.compared,
    waiting=two_sentences.waiting,
    source=lambda both: both.spec.origin.name,
    on_error=two_sentences.tokens_alone,
    pictures=pictures,
    findings=two_sentences.findings,
    note=two_sentences.whose,
    program=two_sentences.program,
    when_shown=lambda result: challenges.check("two-stay", result.copies),
    examples=({}, {"a": "The cat", "b": "cat the"}, {"position": "rope"}, {"a": "s cat", "b": ""}, {"a": "", "b": ""}),
)
