"""The tour's questions, which come before the picture. The right answer follows from the visitor's own sentences."""

from dataclasses import dataclass
from typing import cast

from embedviz.base.i18n import _, ngettext, pgettext
from embedviz.text.visible import in_words
from pages.tour.story import Story


@dataclass(frozen=True)
class Question:
    """Two or three answers, and which of them, from 0, is right. before: what one has to know to find it."""

    text: str
    answers: tuple[str, ...]
    right: int
    before: str = ""


def same(story: Story) -> Question:
    """Is the vector of a token and of its copy the same? It is: both are one row of the table."""
    i, j = cast("tuple[int, int]", story.pair)  # there is one wherever this is asked
    answers = [_("Yes"), _("No: its neighbours change it")]
    if i != j:
        answers.append(_("No: its position changes it"))
    a, b = (rows.token_embeddings for rows in story.on.rows)
    token = in_words(story.on.a.tokens.texts[i])
    text = _(
        "{text} stands at position {i} of A and {j} of B, counted from 0. Is its token vector the same?",
        text=token,
        i=i,
        j=j,
    )
    return Question(text, tuple(answers), 0 if a[i].tobytes() == b[j].tobytes() else len(answers) - 1)


def without(story: Story) -> Question:
    """Does the model tell the orders apart if nothing says where a token stands?"""
    text = _("Without positions, can this model tell the two sentences apart?")
    n_layers = len(story.off.a.attentions)
    before = ngettext(
        "It gets these vectors, and has one layer.", "It gets these vectors, and has {n} layers.", n_layers
    )
    return _yes_or_no(text, is_yes=not story.off.is_one_answer, before=before)


def after(story: Story) -> Question:
    """How many tokens of A still have an identical copy?"""
    text = _("Once its position is added to each token, how many tokens are still identical in A and B?")
    of, n = story.n_copies
    some = (_("All of them"), _("Some of them")) if of > 1 else (_("The one that there is"),)
    answers = (*some, pgettext("an answer", "None"))
    return Question(text, answers, 0 if n == of else len(answers) - 1 if n == 0 else 1)


def rope(story: Story) -> Question:
    """Does a model that adds nothing tell the orders apart?"""
    text = _("Can a model with RoPE tell the two sentences apart?")
    before = _(
        "Another model: it adds nothing to the vectors, but turns queries and keys inside attention by their positions."
    )
    return _yes_or_no(text, is_yes=not story.rope.full.is_one_answer, before=before)


def mask(story: Story) -> Question:
    """Does a model without any positions tell the orders apart?"""
    text = _("Can a model that was trained without any positions tell the two sentences apart?")
    before = _("It has two layers instead of one, and in each of them a token sees only itself and those before it.")
    return _yes_or_no(text, is_yes=not story.no_positions.full.is_one_answer, before=before)


def _yes_or_no(text: str, *, is_yes: bool, before: str) -> Question:
    return Question(text, (_("Yes"), _("No")), int(not is_yes), before)
