"""Proposals that no model of the table has, for a list below it: names, papers, and ideas in a sentence."""

from embedviz.base.i18n import N_, translated

# Name, paper with its number on arXiv, and the idea. Authors, years and ideas are those of the papers' abstracts.
_IDEAS = (
    (
        "KERPLE",
        "Chi et al. 2022, arXiv:2205.09921",
        N_(
            "A number that falls with the distance is added to each score, as in ALiBi. The form of the fall, such "
            "as a logarithm, is chosen, and each head learns its parameters."
        ),
    ),
    (
        "xPos",
        "Sun et al. 2022, arXiv:2212.10554",
        N_("RoPE, whose pairs of dimensions also shrink with the distance, so that far scores lie closer to 0."),
    ),
    (
        "FIRE",
        "Li et al. 2023, arXiv:2310.04418",
        N_(
            "A small network turns each distance, after a logarithm and as a share of the query's own position, into "
            "a number that is added to the score. A longer text brings no larger shares."
        ),
    ),
    (
        "CoPE",
        "Golovneva et al. 2024, arXiv:2405.18719",
        N_(
            "The model decides which tokens are counted, so that a position can be the number of sentences or nouns in "
            "between instead of the number of tokens."
        ),
    ),
    (
        "PoPE",
        "Gopalakrishnan et al. 2025, arXiv:2509.10534",
        N_(
            "Content sets only the lengths of a token's pairs of dimensions, and the position only their angles. In "
            "RoPE both of them change the angles."
        ),
    ),
    (
        "DroPE",
        "Gelberg et al. 2025, arXiv:2512.12167",
        N_(
            "A model is trained with RoPE. Then its positions are dropped, and a short further training lets it read "
            "texts longer than any that it was trained on."
        ),
    ),
)


def ideas() -> list[list[str]]:
    """Return a row for each of them."""
    return [[name, paper, translated(idea)] for name, paper, idea in _IDEAS]
