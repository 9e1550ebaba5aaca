"""What the view "choose" says: what absolute positions give, what relative ones give, and where each can be seen."""

from collections.abc import Mapping
from dataclasses import dataclass

from embedviz.base.i18n import N_, _, translated
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2
from embedviz.ui.components.cards.cards import Card


@dataclass(frozen=True)
class Line:
    """One respect in which absolute and relative positions are compared.

    subject: what it is. absolute, relative: what the two families give, marked texts with the fields of `numbers`.
    seen_in: the pages and views where it can be seen, such as "relative/shift", with a space between them.
    """

    subject: str
    absolute: str
    relative: str
    seen_in: str


LINES = (
    Line(
        N_("What is told"),
        N_("The place of each token in the text, by a vector that is added to the token's own."),
        N_("How far apart two tokens are, where their score is computed from query and key."),
        "relative/scores",
    ),
    Line(
        N_("Order in the input vectors"),
        N_("Copies of a token differ from the first layer on, since each has the vector of its place added."),
        N_("Copies of a token enter the first layer alike. What differs is the scores between them and others."),
        "compare/pairs",
    ),
    Line(
        N_("The same phrase, later in the text"),
        N_("Its scores change, so a model has to learn at many places what the phrase means."),
        N_(
            "Its scores stay the same, up to rounding. With RoPE too: it turns query and key by their places, and the "
            "score keeps the distance alone."
        ),
        "relative/shift rope/turn",
    ),
    Line(
        N_("The beginning of a text"),
        N_("A place has a vector of its own, so a head can look for the first token of any text."),
        N_("No place is told. A model finds the beginning only by other means, such as a causal mask."),
        "positions/table",
    ),
    Line(
        N_("Near before far"),
        N_(
            "Sinusoids of near places are alike. In a learned table no two places are alike until training makes them "
            "so."
        ),
        N_(
            "ALiBi lowers the scores of far tokens from the beginning, T5 learns what each distance adds, and with "
            "RoPE it depends on query and key."
        ),
        "positions/models relative/distance",
    ),
    Line(
        N_("Texts longer than in training"),
        N_("A learned table has no row for them: an error. Sinusoidal positions still have values, but new ones."),
        N_(
            "Each distance has something: a row that was trained, one that never was, or a new value of a formula. "
            "Whether a model copes, only a test shows."
        ),
        "relative/lengths",
    ),
    Line(
        N_("What it costs"),
        N_("One addition before the first layer. A learned table has {learned:,} numbers in a model of GPT-2's sizes."),
        N_(
            "Something in every layer. In a model of GPT-2's sizes RoPE and ALiBi learn nothing, T5 {t5:,} numbers and "
            "DeBERTa {deberta:,}."
        ),
        "relative/schemes",
    ),
    Line(
        N_("Typical users"),
        N_("GPT-2 and BERT, with learned tables; the first Transformer, with sinusoids."),
        N_("T5 and BLOOM, with numbers added to the scores; Llama 3, Gemma 3 and DeepSeek-V3, with RoPE."),
        "models/layers",
    ),
)


def numbers() -> Mapping[str, int]:
    """What the schemes that the lines name have to learn in a model of GPT-2's sizes, by their names."""
    return {name: scheme.cost_of(GPT2).parameters for name, scheme in SCHEMES.items()}


def row(line: Line) -> list[str]:
    """The cells of a line, in words."""
    found = numbers()
    return [translated(line.subject), *(translated(text).format(**found) for text in (line.absolute, line.relative))]


def rules_of_thumb() -> list[Card]:
    """When to choose which."""
    return [
        Card(
            _("Absolute, if texts have a known length"),
            _(
                "If no text is ever longer than those in training, and places themselves mean something, a learned "
                "table is the simplest choice."
            ),
        ),
        Card(
            _("Relative, if texts may grow"),
            _(
                "If a phrase should mean the same wherever it stands, tell distances. Most models of today take "
                "RoPE, which can be stretched for longer texts."
            ),
        ),
        Card(
            _("Neither, in some of the layers"),
            _(
                "A causal mask lets order in too, so Llama 4 and SmolLM3 leave positions out of every fourth layer. "
                "Without a mask, positions must be told."
            ),
        ),
    ]
