"""What the view "How far" says: every sentence follows from what was measured, or from a paper that it names."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from embedviz.base.i18n import (
    _,
    full_stop,
    in_parentheses,
    label_value,
    listed,
    ngettext,
    numeral,
    paragraph,
    translated,
)
from embedviz.positions import SCHEMES
from embedviz.positions.t5 import bucket
from embedviz.text.grammar import HELD_OUT, NOUNS
from embedviz.training.far import (
    LEAST,
    LENGTHS,
    MORE_STEPS,
    SEEDS,
    SHAPE,
    STEPS,
    T5_BUCKETS,
    T5_MAX_DISTANCE,
    TRAINED,
    USUAL_STEPS,
    Far,
)
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.options import label_of

ORDER = ("learned", "sinusoidal", "none", "t5", "alibi", "rope", "rope_linear", "rope_ntk")
# Whoever has read which two nouns a question is about, and not in what order, guesses one of them; others one of all.
GUESSED = (2, len(NOUNS))
N_NEEDED = max(item.index("?") for item in HELD_OUT) + 1  # tokens at the end of a text, at most, that hold the answer
# The first distance of T5's last range.
T5_LAST = (bucket(-np.arange(T5_MAX_DISTANCE), False, T5_BUCKETS, T5_MAX_DISTANCE) == T5_BUCKETS - 1).argmax()
_USUAL, _TWICE = LENGTHS.index(TRAINED), LENGTHS.index(2 * TRAINED)
_RELATIVE = [line for line in ORDER if SCHEMES[line.split("_")[0]].kind not in ("add", "none")]


def title(line: str) -> str:
    """What a line is called."""
    scheme, _underscore, stretch = line.partition("_")
    name = translated(SCHEMES[scheme].title)
    return {"linear": _("{scheme} (linear)", scheme=name), "ntk": _("{scheme} (NTK)", scheme=name)}.get(stretch, name)


def kind(line: str) -> str:
    """The kind of its scheme."""
    return SCHEMES[line.partition("_")[0]].kind


def heading(line: str, measured: Far) -> str:
    """What stands above its panel."""
    return title(line) if measured.learned.all() else in_parentheses(title(line), _("not learned"))


def keeps(measured: Far) -> bool:
    """Whether every seed has learned the task and is still right in the longest text."""
    return bool(measured.learned.all() and measured.right[:, -1].min() >= LEAST)


def scale(measured: Mapping[str, Far], measure: str) -> dict[str, Any]:
    """The axis of what was measured: its name, a shorter one, what guesses are worth, and where it ends."""
    nouns = {_("1 of {n} nouns", n=n): n for n in GUESSED}
    if measure == "right":
        guesses = {text: 1 / n for text, n in nouns.items()}
        # Translators: The share of right answers, in five letters at most: a low picture has no room for more.
        return {"axis": _("right answers"), "short": _("right"), "guesses": guesses, "top": 1.0}
    return {
        "axis": _("loss (nats)"),
        "short": _("loss"),
        "guesses": {text: float(np.log(n)) for text, n in nouns.items()},
        "top": float(np.ceil(max(np.nanmax(each.loss) for each in measured.values()))),
    }


def about_far(measured: Mapping[str, Far]) -> list[Card]:
    """Which schemes keep what they learned in the longest texts, and the sentence of the textbooks."""
    return [_right_at_both(measured), *([_textbook(measured)] if measured["sinusoidal"].learned.all() else [])]


def _right_at_both(measured: Mapping[str, Far]) -> Card:
    """The lines that are right in every seed at the trained length and in the longest text."""
    learned = [line for line in ORDER if measured[line].learned.all()]
    kept = [title(line) for line in ORDER if keeps(measured[line])]
    twice, usual = ({line: measured[line].right[:, n] for line in ORDER} for n in (_TWICE, _USUAL))
    best = sorted((line for line in learned if line != "learned"), key=lambda each: -twice[each].mean())
    texts = [
        _("Right means at least {least} of 100 answers, in each of {n} seeds.", least=round(100 * LEAST), n=len(SEEDS)),
        _("At {n} tokens, from the worst seed to the best, in percent: {said}. The learned table has no row {end}.",
          n=2 * TRAINED, said=_spans(best, twice), end=TRAINED),
        *(_("Not learned, so dotted and left out: {said} percent at {n} tokens.", n=TRAINED, said=_spans([line], usual))
          for line in usual if line not in learned),
    ]  # fmt: skip
    lengths = {"longest": LENGTHS[-1], "trained": TRAINED}
    whole = ngettext(
        "Trained on {trained} tokens, only {names} is still right at {longest}",
        "Trained on {trained} tokens, {names} are still right at {longest}",
        len(kept),
        names=listed(kept),
        **lengths,
    )
    if not kept:
        whole = _("Trained on {trained} tokens, no scheme is still right at {longest}", **lengths)
    return Card(whole, paragraph(texts))


def _spans(lines: Sequence[str], shares: Mapping[str, np.ndarray]) -> str:
    return listed(label_value(title(line), span(shares[line])) for line in lines)


def _textbook(measured: Mapping[str, Far]) -> Card:
    """Of which relative schemes that were learned the sentence is true in all seeds."""
    absolute = measured["sinusoidal"].right[:, _TWICE].max()
    compared = [line for line in _RELATIVE if measured[line].learned.all()]
    better = [line for line in compared if measured[line].right[:, _TWICE].min() > absolute]
    others = [line for line in compared if line not in better]
    texts = [
        _("At {n} tokens the worst seed is better than the best one of Sinusoidal with {names}.",
          n=2 * TRAINED, names=listed(map(title, better))) if better else "",
        _("It is not with {names}.", names=listed(map(title, others))) if others else "",
    ]  # fmt: skip
    whole = [line for line in compared if line in SCHEMES]  # a stretching of RoPE is no scheme of its own
    counts = {"n": sum(line in better for line in whole), "m": len(whole)}
    said = _("Textbooks say that relative positions generalise better to other lengths.")
    return Card(_("{n} of {m} relative schemes beat Sinusoidal", **counts), paragraph([said, *texts]))


def span(shares: np.ndarray) -> str:
    """The lowest and the highest share of all seeds, in percent."""
    low, high = (f"{100 * float(share):.0f}" for share in (shares.min(), shares.max()))
    return low if low == high else _("{low} to {high}", low=low, high=high)


def far_alt(measured: Mapping[str, Far], measure: str) -> str:
    """The lines for those who cannot see them: right answers, or losses, at the trained length and beyond."""
    at = [TRAINED, 2 * TRAINED, 4 * TRAINED, 8 * TRAINED]
    each = []
    for line in ORDER:
        values = getattr(measured[line], measure)[:, [LENGTHS.index(n) for n in at]]
        said = (
            span
            if measure == "right"
            else lambda x: _("{low} to {high}", low=numeral(x.min(), ".2f"), high=numeral(x.max(), ".2f"))
        )
        spans = [said(column) for column in values.T if not np.isnan(column).any()]
        each.append(full_stop(label_value(heading(line, measured[line]), listed(spans))))
    unit = _("percent") if measure == "right" else _("nats")
    said = _("Charts over the length of the text, a line for each of {n} seeds. {measured} in {unit} at {at} tokens:",
             n=len(SEEDS), measured=label_of("measured")(measure), unit=unit, at=listed(map(str, at)))  # fmt: skip
    guesses = listed(
        label_value(text, numeral(value, ".2g")) for text, value in scale(measured, measure)["guesses"].items()
    )
    return paragraph([said, *each, _("Dashed is what a guess is worth: {said}.", said=guesses)])


def as_measured() -> str:
    """How it was measured, and what larger studies found."""
    papers = _(
        "Two larger studies have other orders. Past the trained length the loss of text stays low longest with ALiBi > "
        "T5 > RoPE > Sinusoidal (Press et al. 2021). In tasks of reasoning and mathematics: None > T5 > ALiBi, RoPE, "
        "absolute positions (Kazemnejad et al. 2023). The program below trains one of the small models again, and "
        "so does {command}.",
        command="make far SCHEME=alibi SEED=1",
    )
    return paragraph([_shortest(), papers])


def _shortest() -> str:
    trained = _(
        "Each line is one small GPT of {n_layers} layers and {n_dims} dimensions after {steps} steps on texts of "
        "{trained} tokens: questions such as “the cat sat on the mat , who sat ?” with their answers, one after the "
        "other. It learns each next word, and answers count twice.",
        n_layers=SHAPE.n_layers,
        n_dims=SHAPE.output_dim,
        steps=numeral(USUAL_STEPS),
        trained=TRAINED,
    )
    slow = _(
        "With {names} it has {more} steps, since after {steps} not every seed had learned it.",
        names=listed(title(line) for line, steps in STEPS.items() if steps > USUAL_STEPS),
        more=numeral(MORE_STEPS),
        steps=numeral(USUAL_STEPS),
    )
    tested = _(
        "It is tested on {n} questions that it never saw, each at the end of a longer and longer text. Dashed: one of "
        "the two nouns of the question, guessed, and one of all {n_nouns}. T5 has {buckets} ranges here, so that the "
        "last one, from distance {last} on, is met in training. Linear and NTK stretch RoPE by as much as the text is "
        "longer, without more training. This ranks no schemes: other models and tasks give other lines.",
        n=len(HELD_OUT),
        n_nouns=len(NOUNS),
        buckets=T5_BUCKETS,
        last=int(T5_LAST),
    )
    distracted = _(
        "An answer needs no more than the last {n} tokens, so the text before them is a distraction. That suits a "
        "scheme which favours near tokens, as ALiBi does. How well a model uses far text is not measured.",
        n=N_NEEDED,
    )
    return paragraph([distracted, trained, slow, tested])
