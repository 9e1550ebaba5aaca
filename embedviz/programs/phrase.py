"""The part of the shift test's program that has the text before the phrase in sight, and a second layer."""

from collections.abc import Sequence

from embedviz.attention.layer import next_seed
from embedviz.attention.one_head import Sentence


def phrase_lines(sentence: Sentence, names: Sequence[str], part: str, later: int) -> str:
    """Lines for a program that knows `token_embeddings`, `position_embedding`, `placed` and `layer`.

    They print for each scheme the largest change of scores, weights, outputs and scores in the second layer, and then,
    of weights or scores in the second layer, the rows of the phrase at the start and later.
    """
    shown = f"""    for first, each in zip((0, {later}), (here, there)):
        print(scheme, first)
        for row in each["{part}"]:
            print(*(f"{{number:.4f}}" for number in row))
"""
    return f"""
def phrase(scheme, later):  # with so many tokens before it, which are its own again and again
    at = torch.arange(later + len(ids))
    x = placed(scheme, token_embeddings[(at - later) % len(ids)], at)
    s, weights, o = layer(scheme, x, at, layer_seed)
    second, _weights, _o = layer(scheme, (x + o)[later:], at[later:], {next_seed(next_seed(sentence.spec.seed))})
    return {{"scores": s[head, later:, later:], "weights": weights[head, later:, later:], "outputs": o[later:],
            "second": second[head]}}

for scheme in {list(names)}:
    if scheme == "learned" and {later} + len(ids) > {sentence.spec.context_length}:
        continue
    here, there = phrase(scheme, 0), phrase(scheme, {later})
    print(scheme, *(f"{{(there[part] - here[part]).abs().max():.3g}}" for part in here))
{shown if part != "scores" else ""}"""
