"""Heads that turn a part of their dimensions, with the sizes of the table of models."""

import inspect

import numpy as np
from transformers.models.deepseek_v3 import modeling_deepseek_v3

from embedviz.attention.rope_parts import PARTS


def test_sizes_are_those_of_published_models():
    """Of GPT-NeoX-20B, a quarter of 6,144 / 64; of Phi-1, half of 2,048 / 32; of the others, what their files name."""
    assert [part.sizes for part in PARTS] == [(128, 128), (32, 64), (24, 96), (64, 192), (128, 512)]
    code = inspect.getsource(modeling_deepseek_v3)
    assert "torch.cat((q_pass, q_rot), dim=-1)" in code  # what is turned comes last
    turned, head_dim = PARTS[3].sizes
    assert PARTS[3].first == head_dim - turned


def test_the_turned_dimensions():
    turned = {part.model: np.flatnonzero(part.is_turned).tolist() for part in PARTS}
    assert turned["Llama 2 70B"] == list(range(128))
    assert turned["GPT-NeoX-20B"] == list(range(24))
    assert turned["DeepSeek-V3"] == list(range(128, 192))
    assert turned["Gemma 4 31B"] == [*range(64), *range(256, 320)]
