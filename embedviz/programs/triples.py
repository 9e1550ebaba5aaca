"""Sentences beside other orders of their words, as a program that runs as it is and prints the cosines of the page."""

from collections.abc import Sequence

from embedviz.models import hub_model
from embedviz.programs.layers import loading
from embedviz.text.tokens import Tokens


def pytorch_likeness(source: str, tokens: Sequence[Sequence[Tokens]], *, positions: bool) -> str:
    """A program that prints two cosines of each triple, the same meaning first, and at last the means of a real model.

    tokens: of the three texts of each triple. positions: as in `layers.triples.likeness`.
    """
    off, given = ("", "") if positions else _off(source)
    triples = [f"    {[each.ids for each in three]},  # {three[0].text!r}" for three in tokens]
    return "\n".join([loading(source) + off, "triples = [", *triples, "]", _PRINT.format(given=given)])


def _off(source: str) -> tuple[str, str]:
    """The line that takes a positional table out of the model, or what `run` is given so that nothing is turned."""
    if table := hub_model(source).layout().position:
        return f'model.get_parameter("{table}").requires_grad_(False).zero_()  # positions off: nothing is added\n', ""
    return "", ", position_ids=torch.zeros(1, len(ids), dtype=torch.long)"


_PRINT = """

def sentence(ids):  # the mean over its tokens after the last layer
    return run(ids{given})[0][-1].mean(0).double()


def cosine(a, b):
    return torch.cosine_similarity(a, b, dim=-1)


read = torch.stack([torch.stack([sentence(ids) for ids in triple]) for triple in triples])  # (N, 3, D)
same, other = cosine(read[:, 0], read[:, 1]), cosine(read[:, 0], read[:, 2])  # (N,) each
for pair in zip(same, other):
    print(*(f"{{each:.3f}}" for each in pair))
unrelated = cosine(read[:, None, 0], read[None, :, 0])[~torch.eye(len(read), dtype=torch.bool)]
print("on average", *(f"{{each.mean():.3f}}" for each in (same, other, unrelated)))
"""
