"""The layers of a real model as a program that runs as it is, with transformers, and prints the page's numbers."""

from collections.abc import Sequence

from embedviz.layers.model_queue import find
from embedviz.models import hub_model
from embedviz.programs.next_word import N_SHOWN, cosines_of, weights_of
from embedviz.text.tokens import Tokens
from embedviz.training.placement import Placement
from embedviz.vectors.forward import Forward

Placed = tuple[Forward, Placement]


def pytorch_copies(
    source: str, a: Placed, b: Placed, pairs: Sequence[tuple[int, int]], unrelated: Placed | None = None
) -> str:
    """A program that prints each pair's cosines at the input and after each layer, then that of both sentences, and
    last those of each of them and an unrelated sentence, if there is one.
    """
    runs = _runs(source, {"a": a, "b": b} | ({"unrelated": unrelated} if unrelated else {}))
    return "\n".join([loading(source), *runs, "", cosines_of(pairs, has_unrelated=unrelated is not None)])


def pytorch_head(source: str, a: Placed, b: Placed, layer: int, head: int) -> str:
    """A program that prints the weights of one head, from 0, over A and then over B, a row a line."""
    return "\n".join([loading(source), *_runs(source, {"a": a, "b": b}), "", weights_of(layer, head)])


def pytorch_prompts(source: str, prompts: Sequence[tuple[Tokens, Placement]]) -> str:
    """A program that prints the likeliest IDs after each prompt of a causal model."""
    lines = [_PROMPTS.format(source=hub_model(source).repo, n=N_SHOWN)]
    lines += _positions_off(source, [placement for _tokens, placement in prompts])
    for tokens, placement in prompts:
        lines.append(f"say({tokens.ids}{_position_ids(source, placement, len(tokens))})  # {tokens.texts!r}")
    return "\n".join(lines)


_PROMPTS = """\
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("{source}", dtype=torch.float32).eval()


@torch.no_grad()
def say(ids, **more):
    ids = torch.tensor([ids])
    chances = model(ids, attention_mask=torch.ones_like(ids), **more).logits[0, -1].softmax(dim=-1)
    for chance, id_ in zip(*chances.topk({n})):
        print(int(id_), f"{{chance:.4f}}")

"""
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


def scaled_by(source: str, factor: str) -> str:
    """The expression that multiplies the rows of the model's table of positions from then on; empty if it has none."""
    table = hub_model(source).layout().position
    if not table:
        return ""
    found = f'model.base_model.get_submodule("{table.removesuffix(".weight")}")'
    return f"{found}.register_forward_hook(lambda _table, _ids, rows: rows * {factor})"


def _runs(source: str, sentences: dict[str, Placed]) -> list[str]:
    """The lines that run the sentences, by their names."""
    lines = _positions_off(source, [placement for _found, placement in sentences.values()])
    for sentence, (found, placement) in sentences.items():
        given = _position_ids(source, placement, len(found.tokens))
        lines += [
            f"ids_{sentence} = {found.tokens.ids}  # {found.tokens.texts!r}",
            f"states_{sentence}, weights_{sentence} = run(ids_{sentence}{given})",
        ]
    return lines


def _positions_off(source: str, placements: Sequence[Placement]) -> list[str]:
    """The line that adds nothing for positions, if they are off, which holds for all of a program's sentences."""
    hook = scaled_by(source, "0")
    return [f"{hook}  # nothing is added"] if hook and not all(each.scale for each in placements) else []


def _position_ids(source: str, placement: Placement, n_tokens: int) -> str:
    """What a sentence's run is given besides its IDs. At position 0, RoPE turns by no angle."""
    layout = hub_model(source).layout()
    positions = placement.whole(n_tokens)
    if not (placement.scale or layout.position):
        positions = (0,) * n_tokens
    if positions is None:
        return ""
    offset = position_offset(source)
    return f", position_ids=torch.tensor([{[each + offset for each in positions]}])"


def position_offset(source: str) -> int:
    """What `position_ids` of the first position is: the row of the model's table, unless its class adds that itself."""
    layout = hub_model(source).layout()
    adds_it_itself = not layout.position or find(source).values().get("model_type") == "opt"
    return 0 if adds_it_itself else layout.offset


def pytorch_likeness(source: str, tokens: Sequence[Sequence[Tokens]], *, positions: bool) -> str:
    """A program that prints two cosines of each triple, the same meaning first, and at last the means of a real model.

    tokens: of the three texts of each triple. positions: as in `layers.triples.likeness`.
    """
    hook = "" if positions else scaled_by(source, "0")
    given = "" if positions or hook else ", position_ids=torch.zeros(1, len(ids), dtype=torch.long)"
    off = [f"{hook}  # nothing is added"] if hook else []
    triples = [f"    {[each.ids for each in three]},  # {three[0].text!r}" for three in tokens]
    return "\n".join([loading(source), *off, "triples = [", *triples, "]", _COSINES.format(given=given)])


_COSINES = """

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
