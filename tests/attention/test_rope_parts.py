"""Heads that turn a part of their dimensions, against the models' own configurations."""

import numpy as np
from transformers import DeepseekV3Config, GPTNeoXConfig, LlamaConfig, PhiConfig
from transformers.models.gemma4.configuration_gemma4 import Gemma4TextConfig

from embedviz.attention.rope_parts import PARTS


def test_sizes_are_those_of_the_configurations():
    llama, phi, neox, deepseek = LlamaConfig(), PhiConfig(), GPTNeoXConfig(), DeepseekV3Config()
    gemma = Gemma4TextConfig()
    whole = gemma.rope_parameters["full_attention"]
    assert whole["rope_type"] == "proportional"
    head_dim = gemma.per_layer_config["full_attention"].head_dim
    heads = [
        (llama.head_dim, llama.head_dim),
        _part(phi),
        _part(neox),
        (deepseek.qk_head_dim, deepseek.qk_rope_head_dim),
        (head_dim, head_dim * whole["partial_rotary_factor"]),
    ]
    assert [(part.head_dim, part.turned) for part in PARTS] == heads
    assert PARTS[3].first == deepseek.qk_nope_head_dim


def _part(config) -> tuple:
    head_dim = config.hidden_size // config.num_attention_heads
    return head_dim, int(head_dim * config.rope_parameters["partial_rotary_factor"])


def test_the_turned_dimensions():
    turned = {part.model: np.flatnonzero(part.is_turned).tolist() for part in PARTS}
    assert turned["Llama 2"] == list(range(128))
    assert turned["GPT-NeoX"] == list(range(24))
    assert turned["DeepSeek-V3"] == list(range(128, 192))
    assert turned["Gemma 4"] == [*range(64), *range(256, 320)]
