"""The program of the page "Models", against a model with windows whose first token is changed."""

import pytest
import torch
from transformers import MistralConfig, MistralModel

from embedviz.programs.schemes.architectures import pytorch_reach


def changed(n_layers: int, window: int) -> list[int]:
    """After each layer of a small model, the last position at which something else comes out if token 0 is another."""
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=50, hidden_size=16, intermediate_size=16, num_hidden_layers=n_layers, num_attention_heads=2,
        num_key_value_heads=2, head_dim=8, sliding_window=window,
    )  # fmt: skip
    network = MistralModel(config).double().eval()
    tokens = torch.arange(n_layers * window)[None] % 50
    other = tokens.clone()
    other[0, 0] = 49
    states = []
    for layer in network.layers:  # before the last norm, after each layer
        layer.register_forward_hook(
            lambda _layer, _given, out: states.append(out[0] if isinstance(out, tuple) else out)
        )
    with torch.no_grad():
        network(tokens)
        network(other)
    pairs = zip(states[:n_layers], states[n_layers:], strict=True)
    return [int((one != two).any(dim=-1).flatten().nonzero().max()) for one, two in pairs]


@pytest.mark.parametrize(("n_layers", "window"), [(1, 1), (3, 1), (1, 4), (3, 4), (4, 2)])
def test_what_a_token_says_comes_as_far_as_the_program_prints(n_layers, window, run):
    printed = [[*map(int, line.split())] for line in run(pytorch_reach("a model", n_layers, window))]
    assert printed == [[n, far] for n, far in enumerate(changed(n_layers, window), 1)]
    assert printed[-1] == [n_layers, n_layers * (window - 1)]
