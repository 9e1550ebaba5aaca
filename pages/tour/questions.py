"""The tour's questions, which come before the picture. The right answer is computed from the reader's own sentences."""

from dataclasses import dataclass

from embedviz.base.i18n import _
from embedviz.text.visible import in_words
from pages.tour.facts import LATER, Facts


@dataclass(frozen=True)
class Question:
    """Two to four answers, and which of them, from 0, is right."""

    text: str
    answers: tuple[str, ...]
    right: int


def ids(facts: Facts) -> Question:
    """What becomes of the first token without its space?"""
    tokens, bare = facts.first.tokens, facts.bare
    return Question(
        _(
            "{token} has the ID {id}. What if the space before the word is left out?",
            token=in_words(tokens.texts[0]),
            id=tokens.ids[0],
        ),
        (
            _("It is still {id}: the same word", id=tokens.ids[0]),
            _("It becomes another token"),
            _("It is split into several tokens"),
        ),
        0 if bare.ids == tokens.ids[:1] else 1 if len(bare) == 1 else 2,
    )


def same(facts: Facts) -> Question:
    """Is the vector of a pair with one ID the same?"""
    pair = facts.pair
    text = in_words(facts.comparison.a.tokens.texts[pair.i])
    answers = [_("Yes, every number is the same"), _("No: its neighbours change it")]
    if pair.i != pair.j:
        answers.append(_("No: its position changes it"))
    return Question(
        _(
            "{text} stands at position {i} in A and {j} in B. Is its token vector the same?",
            text=text,
            i=pair.i,
            j=pair.j,
        ),
        tuple(answers),
        0 if pair.same_before else len(answers) - 1,
    )


def after(facts: Facts) -> Question:
    """How many identical pairs stay identical?"""
    n = facts.comparison.n_same_before
    asked = (
        _("How many of the {n:,} identical pairs stay identical once positions are added?", n=n)
        if n > 1
        else _("Does the identical pair stay identical once positions are added?")
    )
    return _how_many(asked, facts.comparison.n_same_after, n)


def attention(facts: Facts) -> Question:
    """How many outputs are the same behind a causal mask?"""
    n = facts.shown.n_shared
    asked = (
        _(
            "Each token sees only earlier ones and itself, and no positions are added. How many of {n:,} pairs with "
            "the same ID get the same output?",
            n=n,
        )
        if n > 1
        else _(
            "Each token sees only earlier ones and itself, and no positions are added. Does the pair with the same ID "
            "get the same output?"
        )
    )
    return _how_many(asked, facts.attended.masked.n_same, n)


def _how_many(asked: str, n: int, of: int) -> Question:
    answers = (_("All of them"), _("Some of them"), _("None")) if of > 1 else (_("It does"), _("It does not"))
    return Question(asked, answers, 0 if n == of else len(answers) - 1 if n == 0 else 1)


def distance(facts: Facts) -> Question:
    """With which positions do the scores stay as they are?"""
    stays = facts.learned.stays, facts.rope.stays
    return Question(
        _(
            "{later} tokens are put before {name}. Which kind of positions leaves the attention scores between its own "
            "tokens unchanged?",
            name=facts.first_name,
            later=LATER,
        ),
        (_("Learned, as in GPT-2"), _("RoPE, as in LLaMA"), _("Both"), _("Neither")),
        {(True, False): 0, (False, True): 1, (True, True): 2, (False, False): 3}[stays],
    )


def batch(facts: Facts) -> Question:
    """How many positional vectors does a batch use?"""
    n, length, _n_dims = facts.batch.token_embeddings.shape
    rows = len(facts.batch.positional_embeddings)
    answers = [
        (n * length, _("{n}, one for each token", n=n * length)),
        (length, _("{n}, one for each position", n=length)),
        (n, _("{n}, one for each sentence", n=n)),
    ]
    different = dict(reversed(answers))
    numbers = sorted(different, reverse=True)
    return Question(
        _(
            "A batch of {n} × {length} tokens: how many different positional vectors are added to them?",
            n=n,
            length=length,
        ),
        tuple(different[number] for number in numbers),
        numbers.index(rows),
    )
