"""The layers of a real model as a program that runs as it is, with transformers, and prints the page's numbers."""

from collections.abc import Sequence

from embedviz.layers.line import find
from embedviz.models import hub_model
from embedviz.programs.next_word import cosines_of, weights_of
from embedviz.vectors.forward import Forward

Positions = Sequence[int] | None


def pytorch_copies(
    source: str, a: tuple[Forward, Positions], b: tuple[Forward, Positions], pairs: Sequence[tuple[int, int]]
) -> str:
    """A program that prints each pair's cosines at the input and after each layer, and then that of both sentences."""
    return "\n".join([loading(source), *_runs(source, a, b), "", cosines_of(pairs)])


def pytorch_head(
    source: str, a: tuple[Forward, Positions], b: tuple[Forward, Positions], layer: int, head: int
) -> str:  # fmt: skip
    """A program that prints the weights of one head, from 0, over A and then over B, a row a line."""
    return "\n".join([loading(source), *_runs(source, a, b), "", weights_of(layer, head)])


_START = """\
import torch
from transformers import AutoModel

model = AutoModel.from_pretrained("{source}", attn_implementation="eager", dtype=torch.float32).eval()


@torch.no_grad()
def run(ids, **more):
    ids = torch.tensor([ids])
    found = model(ids, attention_mask=torch.ones_like(ids), output_hidden_states=True, output_attentions=True, **more)
    return torch.cat(found.hidden_states), torch.cat(found.attentions)  # (n_layers + 1, T, D), (n_layers, H, T, T)

"""


def loading(source: str) -> str:
    """The lines that load the model, and a function `run(ids)` that gives hidden states and weights."""
    return _START.format(source=hub_model(source).repo)


def offset_of(source: str) -> int:
    """The `position_ids` of the first position."""
    layout = hub_model(source).layout()
    adds_it_itself = find(source).values().get("model_type") == "opt"
    return 0 if adds_it_itself or not layout.position else layout.offset


def _runs(source: str, a: tuple[Forward, Positions], b: tuple[Forward, Positions]) -> list[str]:
    """The lines that run both sentences."""
    offset = offset_of(source)
    lines = []
    for sentence, (found, positions) in zip("ab", (a, b), strict=True):
        given = "" if positions is None else f", position_ids=torch.tensor([{[each + offset for each in positions]}])"
        lines += [
            f"ids_{sentence} = {found.tokens.ids}  # {found.tokens.texts!r}",
            f"states_{sentence}, weights_{sentence} = run(ids_{sentence}{given})",
        ]
    return lines
