"""The ten steps of the tour, one record each."""

from collections.abc import Callable
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.next_word import pytorch_next_word
from pages.tour import pictures, questions, words
from pages.tour.facts import N_HEADS, PLACEMENTS, QUESTIONS, Facts
from pages.tour.pictures import Picture
from pages.tour.questions import Question


def _comparing(facts: Facts) -> str:
    return pytorch_compare(facts.comparison.a, facts.comparison.b)


def _attending(facts: Facts) -> str:
    """All three cases of attention; without pairs there is nothing to attend to but the sentences."""
    if not facts.attended:
        return _comparing(facts)
    return pytorch_attention(facts.shown.a, facts.shown.b, N_HEADS, causal=False)


@dataclass(frozen=True)
class Step:
    """One idea.

    key: in the address. name: in the list of steps, marked for translation. words: its title, and what it says.
    picture: of sentences of which one at least has tokens, and if there is a question, as long as the answer is hidden,
    too. question: what is asked before that, if `asks` finds something to ask. program: the PyTorch behind the picture.
    """

    key: str
    name: str
    words: Callable[[Facts], tuple[str, str]]
    picture: Callable[..., Picture]
    question: Callable[[Facts], Question] | None = None
    asks: Callable[[Facts], bool] = lambda facts: facts.pair is not None
    program: Callable[[Facts], str] = _comparing

    def is_asked(self, facts: Facts) -> bool:
        """True if there is something to ask, which is cheap to say."""
        return self.question is not None and self.asks(facts)

    def asked(self, facts: Facts) -> Question | None:
        """Its question, if there is something to ask."""
        return self.question(facts) if self.is_asked(facts) else None

    def drawn(self, facts: Facts, *, hidden: bool = False) -> Picture | None:
        """Its picture, or that of its question, if there is something to draw."""
        if facts.first is None and self.picture is not pictures.next_word:
            return None
        return self.picture(facts, hidden=True) if hidden else self.picture(facts)


STEPS = (
    Step("question", N_("Question"), words.question, pictures.question),
    Step("tokens", N_("Tokens"), words.tokens, pictures.tokens),
    Step("table", N_("Table"), words.table, pictures.table),
    Step("same", N_("Same ID"), words.same, pictures.same, questions.same),
    Step("positions", N_("Positions"), words.positions, pictures.positions),
    Step("sum", N_("Sum"), words.sum_, pictures.sum_),
    Step("after", N_("After"), words.after, pictures.after, questions.after),
    Step("attention", N_("Attention"), words.attention, pictures.attention,
         questions.attention, lambda facts: facts.shown.n_shared > 0, _attending),
    Step("mask", N_("Mask"), words.mask, pictures.mask,
         questions.mask, lambda facts: facts.shown.n_shared > 0, _attending),
    Step("next_word", N_("Next word"), words.next_word, pictures.next_word,
         questions.next_word, lambda _facts: True,
         lambda facts: pytorch_next_word(facts.answered.run.settings, [(each, PLACEMENTS[1]) for each in QUESTIONS])),
)  # fmt: skip
