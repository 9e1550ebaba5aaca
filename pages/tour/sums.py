"""Which sums of a token's vector and its position's the tour tells in numbers, so that what is shown adds up."""

from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.vectors.embedding import Embedded
from pages.tour.facts import NUMBERS, Facts


def sums_told(facts: Facts) -> list[tuple[int, Embedded]]:
    """The positions and sentences of the sums that are told. Copies at one position are alike."""
    return list({k: facts.sentences[name] for name, k in facts.summed}.items())[:2]


def number_told(facts: Facts) -> int:
    """Which number of the vectors is told: the first one, from 0, whose sums hold with the decimals that are shown."""
    fitting = (n for n in range(NUMBERS) if all(_adds(each, k, n, facts.decimals) for k, each in sums_told(facts)))
    return next(fitting, 0)


def _rounded(embedded: Embedded, k: int, at: int, decimals: int) -> list[float]:
    """One number of a token, of its position and of their sum, as the picture shows them."""
    parts = (embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings)
    return [float(f"{part[k, at]:.{decimals}f}") for part in parts]


def _adds(embedded: Embedded, k: int, at: int, decimals: int) -> bool:
    token, place, total = _rounded(embedded, k, at, decimals)
    return abs(token + place - total) < 0.1**decimals / 10


def example(embedded: Embedded, k: int, at: int, decimals: int) -> str:
    """One number of the token at position k, of its position and of their sum, as a sum."""
    token, place, total = _rounded(embedded, k, at, decimals)
    form = f".{decimals}f"
    sign, equals = "−" if place < 0 else "+", "=" if _adds(embedded, k, at, decimals) else "≈"
    return _(
        "at position {position} it is {sum}",
        position=k,
        sum=f"{in_print(token, form)} {sign} {in_print(abs(place), form)} {equals} {in_print(total, form)}",
    )
