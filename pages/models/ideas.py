"""Proposals that no model of the table has, as far as we know: rows of the table too, each read from its paper."""

from dataclasses import dataclass

from embedviz.base.i18n import N_


@dataclass(frozen=True)
class Idea:
    """A proposal. The fields have the names that a model's have, and what stands for its scheme is a sentence."""

    name: str
    year: int
    sources: tuple[tuple[str, tuple[str, ...]], ...]
    scheme: str
    schemes = bases = ()
    longest = 0


# The name, the year, the paper, and the idea: all of it as the paper's abstract has it.
IDEAS = tuple(
    Idea(name, year, ((f"report {paper}", ()),), scheme)
    for name, year, paper, scheme in (
        ("KERPLE", 2022, "Chi et al. 2022, arXiv:2205.09921",
         N_("like ALiBi, but each head learns how steeply scores fall with distance")),
        ("xPos", 2022, "Sun et al. 2022, arXiv:2212.10554",
         N_("RoPE whose pairs of dimensions also shrink with distance")),
        ("FIRE", 2023, "Li et al. 2023, arXiv:2310.04418",
         N_("a small network makes a bias of the distance, as a share of the query's position")),
        ("CoPE", 2024, "Golovneva et al. 2024, arXiv:2405.18719",
         N_("the model decides which tokens are counted, such as ends of sentences")),
        ("PoPE", 2025, "Gopalakrishnan et al. 2025, arXiv:2509.10534",
         N_("RoPE in which content sets lengths alone, and the position angles alone")),
        ("DroPE", 2025, "Gelberg et al. 2025, arXiv:2512.12167",
         N_("RoPE in training, which is then dropped, so that longer texts can be read")),
    )
)  # fmt: skip
