"""A question in two orders or three, and what a small GPT predicts after each, once its positions are changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedviz.text import grammar
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.vectors.forward import Forward

TURNS = ("exchanged", "moved")  # changes by which an answer may become the other noun
_NEEDS_POSITIONS = ("off", *TURNS)


@dataclass(frozen=True)
class Question:
    """What is asked about two nouns. A has them in this order, and B in the other.

    form: one of grammar.FORMS. place: a preposition, if the nouns rest; then a third prompt, C, has the words of A in
    another order and means what A means.
    """

    form: str
    first: str
    verb: str
    second: str
    place: str = ""

    @property
    def nouns(self) -> tuple[str, str]:
        """The nouns as A has them."""
        return self.first, self.second

    @property
    def items(self) -> list[tuple[str, ...]]:
        """All prompts with their answers, as in training."""
        first, second = self.nouns
        orders = [(self.form, first, second), (self.form, second, first)]
        same = [("fronted", first, second)] if self.form == "rest" else []
        return [grammar.item(form, n, self.verb, m, self.place) for form, n, m in (*orders, *same)]

    @property
    def texts(self) -> list[str]:
        """All prompts up to the question mark."""
        return [" ".join(item[:-2]) for item in self.items]


@dataclass(frozen=True)
class Predictions:
    """What a run predicts after each prompt of a question.

    placements: where the words of each stand after the change.
    """

    run: Run
    question: Question
    change: str
    placements: Sequence[Placement]
    outputs: Sequence[Forward]

    @property
    def is_idle(self) -> bool:
        """True if the change needs positions, and the model has none."""
        return self.run.settings.positions == "none" and self.change in _NEEDS_POSITIONS

    @property
    def likeliest(self) -> list[str]:
        """The word that is the likeliest to come next, for each prompt."""
        return [self.run.vocabulary[int(output.chances.argmax())] for output in self.outputs]
