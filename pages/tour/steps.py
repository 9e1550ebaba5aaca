"""The ten steps of the tour, one record each: how much of the whole way is told, and in which words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.ui.components.way.picture import COLUMNS, Described, described
from embedviz.ui.whole_way.pair import WholeWay
from embedviz.ui.whole_way.words import whole_picture
from pages.tour import questions, words
from pages.tour.questions import Question
from pages.tour.story import Story


@dataclass(frozen=True)
class Step:
    """One idea.

    key: in the address. name: in the list of steps, marked for translation. words: its title, and what it says.
    until: the last column of the picture that is drawn. lit: those that stand out. share: of the positions, in percent.
    question: what is asked before that, if `asks` finds something to ask; it covers the columns that are lit. way: what
    goes through which model. is_compared: whether what comes out without positions is there as a ghost.
    note: what else is to be known.
    """

    key: str
    name: str
    words: Callable[[Story], tuple[str, str]]
    until: str
    lit: Sequence[str]
    share: int
    question: Callable[[Story], Question] | None = None
    asks: Callable[[Story], bool] = lambda story: story.is_two_orders
    way: Callable[[Story], WholeWay] = lambda story: story.way
    is_compared: bool = False
    note: Callable[[Story], str] = lambda _story: ""

    def is_asked(self, story: Story) -> bool:
        """Whether there is something to ask, which is cheap to say: no other model has to read for it."""
        return self.question is not None and self.asks(story)

    def asked(self, story: Story) -> Question | None:
        """Its question, if there is something to ask."""
        return self.question(story) if self.question and self.is_asked(story) else None

    def picture(self, story: Story, *, is_open: bool, alt: str) -> dict[str, object]:
        """The part of the whole way that may be seen."""
        until = self.until if is_open else COLUMNS[min(COLUMNS.index(name) for name in self.lit) - 1]
        part = Described(self.share, until, self.lit, () if is_open else self.lit, self.is_compared, alt)
        return described(whole_picture(self.way(story)), part)


_END = ("looks", "after", "answer")


def _has_pairs(story: Story) -> bool:
    return story.pair is not None


STEPS = (
    Step("question", N_("Question"), words.question, "sentences", (), 0),
    Step("tokens", N_("Tokens"), words.tokens, "tokens", ("tokens",), 0),
    Step("same", N_("Same ID"), words.same, "vectors", ("vectors",), 0, questions.same, _has_pairs),
    Step("without", N_("Without positions"), words.without, "answer", _END, 0, questions.without),
    Step("positions", N_("Positions"), words.positions, "positions", ("positions",), 100),
    Step("after", N_("Sum"), words.after, "input", ("input",), 100, questions.after, _has_pairs),
    Step("attention", N_("Attention"), words.attention, "after", ("looks", "after"), 100),
    Step("next_word", N_("Answer"), words.next_word, "answer", ("answer",), 100, is_compared=True),
    Step("rope", N_("RoPE"), words.rope, "answer", _END, 100, questions.rope, lambda _story: True,
         lambda story: story.rope, note=words.why_another_pair),
    Step("mask", N_("Mask"), words.mask, "answer", _END, 100, questions.mask, lambda _story: True,
         lambda story: story.no_positions, note=words.why_another_pair),
)  # fmt: skip
