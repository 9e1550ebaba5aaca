"""The proposals of the view "ideas": each with its paper, its idea in a sentence, and who uses it."""

from dataclasses import dataclass

from embedviz.base.i18n import N_


@dataclass(frozen=True)
class Idea:
    """A proposal. paper: its authors, its year, and its number on arXiv. idea, users: marked texts."""

    name: str
    paper: str
    idea: str
    users: str


_NOBODY = N_("Nobody that we know of")
# Authors, years and ideas are those of the papers' abstracts.
IDEAS = (
    Idea(
        "KERPLE",
        "Chi et al. 2022, arXiv:2205.09921",
        N_(
            "A number that falls with the distance is added to each score, as in ALiBi, but each head learns the shape "
            "of the fall, such as a logarithm."
        ),
        N_("Only the models that its authors published with it"),
    ),
    Idea(
        "xPos",
        "Sun et al. 2022, arXiv:2212.10554",
        N_("RoPE, whose pairs of dimensions also shrink with the distance, so that far tokens weigh less."),
        N_("An option of torchscale, Microsoft's library of architectures"),
    ),
    Idea(
        "FIRE",
        "Li et al. 2023, arXiv:2310.04418",
        N_(
            "A small network turns each distance, as a share of the query's own position, into a number that is added "
            "to the score. A longer text brings no larger shares."
        ),
        _NOBODY,
    ),
    Idea(
        "CoPE",
        "Golovneva et al. 2024, arXiv:2405.18719",
        N_(
            "The model decides which tokens are counted, so that a position can be the number of sentences or nouns in "
            "between instead of the number of tokens."
        ),
        _NOBODY,
    ),
    Idea(
        "PoPE",
        "Gopalakrishnan et al. 2025, arXiv:2509.10534",
        N_(
            "Content sets only the lengths of a token's pairs of dimensions, and the position only their angles. In "
            "RoPE both of them change the angles."
        ),
        _NOBODY,
    ),
    Idea(
        "DroPE",
        "Gelberg et al. 2025, arXiv:2512.12167",
        N_(
            "A model is trained with RoPE. Then its positions are dropped, and a short further training lets it read "
            "texts longer than any that it was trained on."
        ),
        N_("Only the models that its authors changed so, such as SmolLM and Llama 2 7B"),
    ),
)
