"""The part of the shift test's program that has the text before the phrase in sight, and a second layer."""

from collections.abc import Sequence

from embedviz.attention.layer import next_seed
from embedviz.attention.one_head import Sentence
from embedviz.positions import SCHEMES
from embedviz.programs.attention import indented, score_lines


def phrase_lines(sentence: Sentence, names: Sequence[str], part: str, later: int) -> str:
    """Lines for a program that knows `token_embeddings`, `position_embedding` and the sizes.

    They print for each scheme the largest change of scores, weights, outputs and scores in the second layer, and then,
    of weights or scores in the second layer, the rows of the phrase at the start and later.
    """
    functions = "\n".join(_function(name) for name in names)
    layers = ", ".join(f'"{name}": {name}_layer' for name in names)
    shown = f"""    for first, each in zip((0, {later}), (here, there)):
        print(scheme, first)
        for row in each["{part}"]:
            print(*(f"{{number:.4f}}" for number in row))
"""
    return f"""
def heads(x):
    return x.view(len(x), n_heads, head_dim).transpose(0, 1)  # (H, T, d)

{functions}
def phrase(layer, later):  # with so many tokens before it, which are its own again and again
    at = torch.arange(later + len(ids))
    x, s, weights, o = layer(token_embeddings[(at - later) % len(ids)], at, layer_seed, is_first=True)
    _x, second, _weights, _o = layer((x + o)[later:], at[later:], {next_seed(next_seed(sentence.spec.seed))})
    return {{"scores": s[head, later:, later:], "weights": weights[head, later:, later:], "outputs": o[later:],
            "second": second[head]}}

for scheme, layer in {{{layers}}}.items():
    if scheme == "learned" and {later} + len(ids) > {sentence.spec.context_length}:
        continue
    here, there = phrase(layer, 0), phrase(layer, {later})
    print(scheme, *(f"{{(there[part] - here[part]).abs().max():.3g}}" for part in here))
{shown if part != "scores" else ""}"""


def _function(name: str) -> str:
    """A function from vectors to what goes in, the scores, the weights and the outputs of all heads."""
    program = SCHEMES[name].program
    added = [f"    {line}" for line in indented(program.head.added)]
    return "\n".join(
        (
            f"def {name}_layer(x, at, seed, is_first=False):",
            *(["    if is_first:", *added] if added else []),
            "    torch.manual_seed(seed)",
            "    W_query, W_key, W_value = matrix(), matrix(), matrix()",
            "    D = output_dim",
            *indented(program.tables(False)),
            *score_lines(program.layer),
            "    weights = s.softmax(-1)",
            "    o = weights @ v",
            *indented(program.layer.outputs),
            "    return x, s, weights, o.transpose(0, 1).flatten(1)",
            "",
        )
    )
