"""A model's own first attention layer over two sentences, as PyTorch code that runs as it is."""

from embedviz.models import hub_model
from embedviz.programs.layers import position_offset, scaled_by
from embedviz.programs.next_word import reading
from embedviz.text.tokens import Tokens
from embedviz.training.train import TrainingSettings


def pytorch_first_layer(source: str | TrainingSettings, a: Tokens, b: Tokens, causal: bool) -> str:
    """A program that prints the same of a model's layer as `pytorch_attention` of a random one."""
    if isinstance(source, TrainingSettings):
        lines = [*reading(source), _PROJECT_OF_RUN]
    else:
        lines = [_CATCH.format(repo=hub_model(source).repo), *_project(source)]
    ids = [f"ids_{name} = {each.ids}  # {each.texts!r}" for name, each in (("a", a), ("b", b))]
    return "\n".join([*lines, _ATTEND, *ids, _PRINTED.format(causal=causal)])


_PROJECT_OF_RUN = """\
@torch.no_grad()
def project(ids, is_on):
    x, angles = gpt.enter(torch.tensor([ids]), torch.eye(CONTEXT_LENGTH)[: len(ids)] * is_on)
    q, k, v = gpt.blocks[0].heads(x, angles)
    return q[0], k[0], v[0], q.shape[-1] ** -0.5, None
"""
_CATCH = """\
import torch
from transformers import AttentionInterface, AttentionMaskInterface, AutoModelForCausalLM

caught = []


def catch(module, query, key, value, mask, scaling=None, softcap=None, **more):
    n_alike = query.shape[1] // key.shape[1]  # heads that share a key
    key, value = (each[0].repeat_interleave(n_alike, dim=0) for each in (key, value))
    caught.append((query[0], key, value, query.shape[-1] ** -0.5 if scaling is None else scaling, softcap))
    return query.new_zeros(1, query.shape[2], query.shape[1], value.shape[-1]), None


AttentionInterface.register("catch", catch)
AttentionMaskInterface.register("catch", lambda *given, **more: None)
model = AutoModelForCausalLM.from_pretrained("{repo}", attn_implementation="catch", dtype=torch.float32).eval()
factor = 1
"""


def _project(source: str) -> list[str]:
    """The lines that give a model's queries, keys and values. At position 0, RoPE turns by no angle."""
    hook = scaled_by(source, "factor")  # of the table of positions
    places = "" if hook else " * factor"
    return [
        *([hook] if hook else []),
        "",
        "",
        "@torch.no_grad()",
        "def project(ids, is_on):",
        "    global factor",
        "    factor = int(is_on)",
        "    caught.clear()",
        f"    places = torch.arange(len(ids))[None]{places} + {position_offset(source)}",
        "    model(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), position_ids=places)",
        "    return caught[0]",
        "",
    ]


_ATTEND = """
@torch.no_grad()
def layer(ids, is_on, causal):
    q, k, v, scaling, cap = project(ids, is_on)
    s = q @ k.mT * scaling  # (H, T, T)
    if cap:
        s = cap * (s / cap).tanh()
    if causal:
        s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -torch.inf)
    return (s.softmax(-1) @ v).transpose(0, 1).flatten(1)


"""
_PRINTED = """
for case, is_on, causal in [("plain", False, False), ("chosen", True, {causal}), ("masked", False, True)]:
    outputs_a, outputs_b = layer(ids_a, is_on, causal), layer(ids_b, is_on, causal)
    for i, id_a in enumerate(ids_a):
        for j, id_b in enumerate(ids_b):
            if id_a == id_b:
                print(case, i, j, id_a, f"{{torch.dist(outputs_a[i], outputs_b[j]):.3f}}")
"""
