"""The thirteen steps of the tour, one record each."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from embedviz.base.i18n import N_
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.relative import pytorch_shift
from embedviz.programs.training import pytorch_training
from embedviz.vectors.embedding import embed_tokens
from pages.tour import masks, pictures, questions, words
from pages.tour.facts import N_HEADS, Facts
from pages.tour.pictures import Picture
from pages.tour.questions import Question


def _comparing(facts: Facts) -> str:
    return pytorch_compare(facts.comparison.a, facts.comparison.b)


def _attending(facts: Facts) -> str:
    """The step's mask without positions; without pairs there is nothing to attend to but the sentences."""
    if not facts.attended:
        return _comparing(facts)
    a, b = (embed_tokens(each.tokens, replace(each.spec, position="none")) for each in (facts.shown.a, facts.shown.b))
    return pytorch_attention(a, b, N_HEADS, 0, causal=True)


@dataclass(frozen=True)
class Step:
    """One idea.

    name: in the list of steps, marked for translation. words: its title, and what it says. picture: of sentences of
    which one at least has tokens, or of any if not about_sentences. program: the PyTorch behind the picture.
    asks: True if there is something to ask, which is cheap to say; question: what is asked before the picture shows;
    masked: the picture until then, without the answer.
    """

    name: str
    words: Callable[[Facts], tuple[str, str]]
    picture: Callable[[Facts], Picture]
    question: Callable[[Facts], Question] | None = None
    asks: Callable[[Facts], bool] = lambda _facts: False
    masked: Callable[[Facts], Picture] | None = None
    program: Callable[[Facts], str] = _comparing
    about_sentences: bool = True

    def asked(self, facts: Facts) -> Question | None:
        """Its question, if there is something to ask."""
        return self.question(facts) if self.asks(facts) else None

    def drawn(self, facts: Facts) -> Picture | None:
        """Its picture, if there is something to draw."""
        return self.picture(facts) if facts.first or not self.about_sentences else None


STEPS = (
    Step(N_("Tokens"), words.tokens, pictures.tokens),
    Step(N_("IDs"), words.ids, pictures.ids, questions.ids, lambda facts: facts.bare is not None, masks.ids),
    Step(N_("Table"), words.table, pictures.table),
    Step(N_("Same ID"), words.same, pictures.same, questions.same, lambda facts: facts.pair is not None, masks.same),
    Step(N_("Order"), words.order, pictures.order),
    Step(N_("Positions"), words.positions, pictures.positions),
    Step(N_("Sum"), words.sum_, pictures.sum_),
    Step(
        N_("After"), words.after, pictures.after,
        questions.after, lambda facts: facts.comparison.n_same_before > 0, masks.after,
    ),
    Step(N_("Map"), words.map_, pictures.map_),
    Step(
        N_("Attention"), words.attention, pictures.attention,
        questions.attention, lambda facts: facts.shown.n_shared > 0, masks.attention, _attending,
    ),
    Step(
        N_("Distance"), words.distance, pictures.distance,
        questions.distance, lambda facts: facts.first is not None, masks.distance,
        lambda facts: pytorch_shift(facts.sentence),
    ),
    Step(
        N_("Batch"), words.batch, pictures.batch,
        questions.batch, lambda facts: facts.batch is not None and len(facts.batch.texts) > 1, masks.batch,
    ),
    Step(
        N_("Training"), words.training, pictures.training,
        program=lambda facts: pytorch_training(facts.run.settings), about_sentences=False,
    ),
)  # fmt: skip
