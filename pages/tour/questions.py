"""The tour's questions, which come before the picture. The right answer is computed from the reader's own sentences."""

from dataclasses import dataclass

from embedviz.base.i18n import _
from embedviz.text.visible import in_words
from embedviz.vectors.copies import Copies
from pages.tour.facts import Facts


@dataclass(frozen=True)
class Question:
    """Two or three answers, and which of them, from 0, is right. before: what one has to know to find it."""

    text: str
    answers: tuple[str, ...]
    right: int
    before: str = ""


def same(facts: Facts) -> Question:
    """Is the vector of a token and of its copy the same?"""
    i, j = facts.pair
    answers = [_("Yes"), _("No: its neighbours change it")]
    if i != j:
        answers.append(_("No: its position changes it"))
    token = in_words(facts.comparison.a.tokens.texts[i])
    asked = _(
        "{text} stands at position {i} of A and {j} of B, counted from 0. Is its vector the same?", text=token, i=i, j=j
    )
    return Question(asked, tuple(answers), 0 if facts.comparison.before.same[i, j] else len(answers) - 1)


def after(facts: Facts) -> Question:
    """How many tokens of A still have an identical copy?"""
    asked = _("Once its position is added to each token, how many tokens of A still have an identical copy in B?")
    return _how_many(asked, facts.copies.n_after, facts.copies.n_before)


def attention(facts: Facts) -> Question:
    """How many outputs are the same without positions?"""
    asked = _("Without positions, how many copies come out of attention the same?")
    before = _(
        "In attention, the heart of a model, each token gathers from all tokens of its sentence, most from those that "
        "fit it."
    )
    return _how_many(asked, facts.attended.plain.n_copied, Copies(facts.shown).n_before, before)


def mask(facts: Facts) -> Question:
    """How many outputs are the same behind a causal mask?"""
    asked = _("Without positions, but with a mask: how many copies come out the same?")
    before = _("Models that write text look back only: a mask shows each token those before it and itself.")
    return _how_many(asked, facts.attended.masked.n_copied, Copies(facts.shown).n_before, before)


def _how_many(asked: str, n: int, of: int, before: str = "") -> Question:
    answers = (_("All of them"), _("Some of them"), _("None")) if of > 1 else (_("The one that there is"), _("None"))
    return Question(asked, answers, 0 if n == of else len(answers) - 1 if n == 0 else 1, before)


def next_word(facts: Facts) -> Question:
    """What does the small GPT answer without positions?"""
    answered = facts.answered
    on, off = answered.words(answered.on), answered.words(answered.off)
    return Question(
        _("What does a small GPT say once its positions are off, as they never were in training?"),
        (_("The right words"), _("Twice the same word"), _("The wrong words")),
        0 if off == on else 1 if off[0] == off[1] else 2,
        _("It has learned to say who sat. With its positions it says “{one}” and “{other}”.", one=on[0], other=on[1]),
    )
