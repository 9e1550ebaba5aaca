"""What published models keep of a text that they have read, as a program that makes these tensors on no device."""

import json
from collections.abc import Sequence

from embedviz.models.architectures import Architecture, Layer, kinds

_PROGRAM = '''import torch

# Of each model: how long a text, and for each kind of layer, how many there are and what one of them keeps of a token.
models = {{
{models}
}}

def tensors(n_tokens, kv=(), latent=0, index=0, state=(), window=0, pooled=0, beside=0):
    """What one layer keeps after so many tokens. On the device "meta" a tensor has a size, and takes no memory."""
    entries = min(n_tokens, window) if window else n_tokens // (pooled or 1)
    sizes = [state] if state else []
    sizes += [(entries, kv[0], head_dim) for head_dim in kv[1:]]  # keys, values
    sizes += [(entries + min(n_tokens, beside), latent)] if latent else []
    sizes += [(entries, index)] if index else []
    return [torch.empty(size, dtype=torch.bfloat16, device="meta") for size in sizes]

for name, (n_tokens, layers) in models.items():
    found = [(n, sum(tensor.nbytes for tensor in tensors(n_tokens, **layer))) for n, layer in layers]
    print(name, n_tokens, sum(n * n_bytes for n, n_bytes in found), sep=" | ")
'''
_FIELDS = {"kv": (), "latent": 0, "index": 0, "state": (), "window": 0, "pooled": 0, "beside": 0}


def known(models: Sequence[Architecture]) -> list[Architecture]:
    """Those of which the sources state all that a program needs."""
    return [model for model in models if model.longest and model.kept(model.longest) is not None]


def pytorch_kept(models: Sequence[Architecture]) -> str:
    """A program that prints for each of these models the length of its longest text, and the bytes that it then keeps.

    All of them must be `known`.
    """
    rows = (f"    {json.dumps(model.name)}: ({model.longest}, [{', '.join(_layers(model))}])," for model in models)
    return _PROGRAM.format(models="\n".join(rows))


def _layers(model: Architecture) -> list[str]:
    return [f"({n}, {_kept(layer)})" for layer, n in kinds(model.layers).items()]


def _kept(layer: Layer) -> dict[str, object]:
    found = {name: getattr(layer, name) for name in _FIELDS}
    return {name: value for name, value in found.items() if value != _FIELDS[name]}
