"""What the page "Next word" asks and says: every sentence here follows from the numbers that it is given."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from embedviz.base.i18n import _, joined, listed, numeral, paragraph
from embedviz.figures.axes import SENTENCES
from embedviz.text.visible import in_words
from embedviz.training.answers import FORM_OF, PROMPTS, RIGHT, Answers, Heads, nouns_at
from embedviz.training.bundled import BUNDLED, SEEDS, tried
from embedviz.ui import presenting
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.model_runs import LanguageModel
from pages.next_word.predictions import TURNS, Predictions

N_FIRST = sum(prompt[nouns_at(prompt)[0]] == right for prompt, right in zip(PROMPTS, RIGHT, strict=True))
_SAME = 1e-5  # sums in another order differ by less, and answers that differ by more


def claim(has_begun: bool, likeliest: Sequence[str]) -> Card:
    """What the model answers. likeliest: the word after each prompt."""
    if not has_begun:
        return Card(_("Nothing is learned yet"), "")
    names, answers = SENTENCES[: len(likeliest)], [*map(in_words, likeliest)]
    if len({*answers}) == 1:
        return Card(_("The model says {word} after each prompt", word=answers[0]), "")
    said = listed(_("{word} after {name}", word=word, name=name) for word, name in zip(answers, names, strict=True))
    return Card(_("The model says {said}", said=said), "")


def summary(predictions: Predictions) -> str:
    """What the change did, and whether the answers show it."""
    if not predictions.run.has_begun:
        return not_begun()
    change = _change(predictions)
    if presenting.is_on():  # which has a line for it
        if predictions.placements[0].share < 1:
            return change
        change = ""
    if len({*predictions.likeliest}) > 1:
        return change
    first, *others = (each.chances for each in predictions.outputs)
    are_same = all(np.allclose(first, other, rtol=0, atol=_SAME) for other in others)
    names = listed(SENTENCES[: len(predictions.outputs)])
    same = _("{names} get the same bars.", names=names) if are_same else ""
    return paragraph([change, same, _("So the model is wrong for at least one of them.")])


def not_begun() -> str:
    """What there is to see of a model that nobody has trained yet."""
    what_to_do = "" if presenting.is_on() else _("Press “Train”, and watch the bars.")
    return paragraph([_("Nothing is learned yet: the weights of this model are random numbers."), what_to_do])


def _change(predictions: Predictions) -> str:
    placement, has_positions = predictions.placements[0], predictions.run.settings.positions != "none"
    nouns = dict(zip(("first", "second"), map(in_words, predictions.question.nouns), strict=True))
    if predictions.is_idle:
        return _("This model has no positions that could change.")
    if predictions.change == "exchanged" and placement.share < 1:
        share = f"{placement.share:.0%}"
        return _("{first} and {second} are {share} of the way to each other’s position.", share=share, **nouns)
    if predictions.change == "moved":
        n = placement.positions[-1]
        return _("No word has changed: only “?” has position {n}, as in questions of another length.", n=n)
    return {
        "on": _("The same words in another order each."),
        "off": _("No word has a position, which never happened in training."),
        "exchanged": _("No word has moved: only the positions of {first} and {second} are exchanged.", **nouns),
        "shuffled": _("The list is in another order, and each word has kept its position.")
        if has_positions
        else _("The list is in another order."),
    }[predictions.change]


def findings(predictions: Predictions, answers: Answers, heads: Heads | None, guess: str | None) -> list[Card]:
    """Cards: what the visitor has guessed, how many questions are answered so, and the head that matters most.

    heads: None while the run goes on, of which only numbers are said. What a head does was counted with the positions
    as trained, and is said beside no other numbers.
    """
    head = []
    if heads and predictions.change == "on" and heads.n_right.min() < heads.of_all:
        head = [_head(heads)]
    return [
        *([verdict(guess, predictions.question.nouns, predictions.likeliest[0])] if guess else []),
        (_turned if predictions.change in TURNS and not predictions.is_idle else _right)(answers, _seeds(predictions)),
        *([*_why(predictions, answers), *about_meaning(predictions)] if heads else []),
        *head,
    ]


def verdict(guess: str, words: Sequence[str], word: str) -> Card:
    """What has come of a guess: one of these words, or what the button for another one says. word: the likeliest."""
    is_right = guess == word or (guess not in words and word not in words)
    text = _("The likeliest word after A is {word}.", word=in_words(word))
    name = in_words(guess) if guess in words else guess
    return Card(_("You said: {guess}", guess=name), text, "right" if is_right else "wrong")


def _right(answers: Answers, seeds: str) -> Card:
    return Card(
        _("{n:,} of {total:,} right", n=answers.n_right, total=len(PROMPTS)),
        paragraph(
            [
                _("The questions were not in the training. An answer is right if the right noun is likeliest."),
                _named(answers) if answers.n_other else "",
                _("Always saying the first noun would be right in {n:,}.", n=N_FIRST),
                seeds,
            ]
        ),
        "right" if answers.n_right > len(PROMPTS) / 2 else "wrong",
    )


def _named(answers: Answers) -> str:
    """How many are answered with the other noun. Who cannot tell the order says it as often as the right one."""
    if answers.n_other == answers.n_right:
        return _(
            "In {n:,} more the likeliest word is the other noun of the sentence: the model has read which words there "
            "are, and not their order.",
            n=answers.n_other,
        )
    return _("In {n:,} more the likeliest word is the other noun of the sentence.", n=answers.n_other)


def _turned(answers: Answers, seeds: str) -> Card:
    text = _(
        "The questions were not in the training. Here the likeliest word is the other noun now; in {n:,} it is still "
        "the right one.",
        n=answers.n_right,
    )
    title = _("{n:,} of {total:,} answers change sides", n=answers.n_other, total=len(PROMPTS))
    return Card(title, paragraph([text, seeds]), "different")


def _why(predictions: Predictions, answers: Answers) -> list[Card]:
    """What follows for this model and this change, if anything does that is not said yet."""
    settings = predictions.run.settings
    if predictions.change == "moved" and not predictions.is_idle:
        return [about_place(answers)]
    if settings.positions != "none":
        mask = LanguageModel("", predictions.run).let_in_by_the_mask
        return [Card(_("A causal mask lets order in"), mask, "note")] if predictions.change == "off" else []
    if settings.n_layers == 1:
        text = _(
            "Each word sees only itself and those before it. To “?” they are a multiset: which words there are, and "
            "how many of each. One layer cannot tell their order."
        )
        return [Card(_("No positions, one layer"), text, "note")]
    if answers.n_right <= len(PROMPTS) / 2:
        return []
    text = _(
        "Each word sees only itself and those before it. What the first layer makes of that tells the second one the "
        "order."
    )
    return [Card(_("No positions, but a causal mask"), text, "note")]


def about_place(answers: Answers) -> Card:
    """Which answers follow the place of the "?", and which the words before it."""
    asks_by_words = np.isin(FORM_OF, ("rest", "fronted"))
    of_place, of_words = answers.is_other[~asks_by_words], answers.is_right[asks_by_words]
    both = {"n": of_place.sum(), "total": len(of_place)}
    texts = [
        _("Moved, the “?” of “who bites ?” stands where that of “who is bitten ?” does. {n:,} of {total:,} answers to "
          "these two are the other noun then: the model tells them apart by the place of “?”, and not by the words "
          "between.", **both)
        if of_place.mean() > 1 / 2
        else _("Of {total:,} answers to “who bites ?” and “who is bitten ?” only {n:,} are the other noun then: the "
               "model does not tell these two apart by the place of “?” alone.", **both),
        _("To “who sat ?”, {n:,} of {total:,} answers stay right.", n=of_words.sum(), total=len(of_words)),
    ]  # fmt: skip
    return Card(_("What the place of “?” decides"), paragraph(texts), "note")


def about_meaning(predictions: Predictions) -> list[Card]:
    """That the answers go with what the prompts mean, if there are three and all are right."""
    right = [item[-2] for item in predictions.question.items]
    if predictions.change != "on" or len(right) < len(SENTENCES) or predictions.likeliest != right:
        return []
    text = _("A, B and C have the same words. B means something else, and C means what A does. So do the answers.")
    return [Card(_("Another meaning, another answer; the same meaning, the same answer"), text, "right")]


def _seeds(predictions: Predictions) -> str:
    """What the runs of all seeds answer after this change, if this model was recorded with several."""
    settings = replace(predictions.run.settings, seed=SEEDS[0])
    name = next((name for name, bundled in BUNDLED.items() if bundled == settings), None)
    if not name:
        return ""
    is_turned = predictions.change in TURNS and not predictions.is_idle
    counts = listed(numeral(each[is_turned]) for each in tried()[name][predictions.change])
    return _("The same model, trained with seeds 1 to {n}: {counts}. No run was left out.", n=len(SEEDS), counts=counts)


def _head(heads: Heads) -> Card:
    layer, head = heads.carrier
    return Card(
        _("Head {head} of layer {layer} matters most", head=head + 1, layer=layer + 1),
        _(
            "Without it {n:,} answers are right instead of {right:,}. From “?” it puts {own:.2f} of its weight on the "
            "right noun, and {other:.2f} on the other, on average.",
            n=heads.n_right[heads.carrier],
            right=heads.of_all,
            own=heads.right[heads.carrier],
            other=heads.other[heads.carrier],
        ),
    )


def looks(predictions: Predictions, layer: int, head: int, weights: Sequence[np.ndarray]) -> Card:
    """At which word a head looks most from the last one of each prompt."""
    most = [output.tokens.texts[int(row.argmax())] for output, row in zip(predictions.outputs, weights, strict=True)]
    said = listed(
        _("{word} in {name}", word=in_words(word), name=name) for word, name in zip(most, SENTENCES, strict=False)
    )
    return Card(
        _("From “?” head {head} of layer {layer} looks most at {said}", head=head + 1, layer=layer + 1, said=said), ""
    )


def looks_alt(predictions: Predictions, weights: Sequence[np.ndarray]) -> str:
    """The text alternative of what a head looks at."""
    rows = [
        joined(
            [f"{in_words(text)} {numeral(weight, '.2f')}" for text, weight in zip(each.tokens.texts, row, strict=True)]
        )
        for each, row in zip(predictions.outputs, weights, strict=True)
    ]
    texts = [_("In {name}: {weights}.", name=name, weights=row) for name, row in zip(SENTENCES, rows, strict=False)]
    return paragraph([_("How much the last word looks at each word."), *texts])
