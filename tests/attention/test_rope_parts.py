"""Heads that turn a part of their dimensions, against the models' own configurations and rotations."""

import numpy as np
import pytest
import torch
from transformers import DeepseekV3Config, GPTNeoXConfig, LlamaConfig, PhiConfig, Qwen3NextConfig
from transformers.models.deepseek_v3.modeling_deepseek_v3 import apply_rotary_pos_emb as rotate_deepseek
from transformers.models.gemma4.configuration_gemma4 import Gemma4TextConfig
from transformers.models.gemma4.modeling_gemma4 import apply_rotary_pos_emb as rotate_gemma
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as rotate_neox

import embedviz as ev
from embedviz.attention.rope_parts import PARTS, REACH, SEED, part_scores


def test_sizes_are_those_of_the_configurations():
    llama, phi, neox, deepseek = LlamaConfig(), PhiConfig(), GPTNeoXConfig(), DeepseekV3Config()
    gemma, qwen = Gemma4TextConfig(), Qwen3NextConfig()
    whole = gemma.rope_parameters["full_attention"]
    assert whole["rope_type"] == "proportional"
    head_dim = gemma.per_layer_config["full_attention"].head_dim
    heads = {
        "all": (llama.head_dim, llama.head_dim, llama.rope_parameters["rope_theta"]),
        "half": _part(phi),
        "quarter": _part(neox),
        "split": (deepseek.qk_head_dim, deepseek.qk_rope_head_dim, deepseek.rope_parameters["rope_theta"]),
        "proportional": (head_dim, head_dim * whole["partial_rotary_factor"], whole["rope_theta"]),
    }
    assert {name: (part.head_dim, part.turned, part.base) for name, part in PARTS.items()} == heads
    assert PARTS["split"].first == deepseek.qk_nope_head_dim
    assert qwen.head_dim * qwen.rope_parameters["partial_rotary_factor"] == 64  # of 256, as a card says


def _part(config) -> tuple:
    head_dim = config.hidden_size // config.num_attention_heads
    settings = config.rope_parameters
    return head_dim, int(head_dim * settings["partial_rotary_factor"]), settings["rope_theta"]


def test_the_turned_dimensions():
    turned = {name: np.flatnonzero(part.is_turned).tolist() for name, part in PARTS.items()}
    assert turned["all"] == list(range(128))
    assert turned["quarter"] == list(range(24))
    assert turned["split"] == list(range(128, 192))
    assert turned["proportional"] == [*range(64), *range(256, 320)]


@pytest.mark.parametrize("name", PARTS)
def test_scores_are_those_of_the_models_rotations(name):
    part, found = PARTS[name], part_scores(name)
    torch.manual_seed(SEED)
    query, key = torch.randn(2, part.head_dim)
    queries, keys = _rotated(name, query, REACH), _rotated(name, key, 0)
    root = part.head_dim**0.5
    scores = torch.stack([_rotated(name, key, REACH - n) @ queries for n in range(REACH + 1)]) / root
    np.testing.assert_allclose(found.total, scores, rtol=0, atol=2e-4)
    still = ~torch.from_numpy(part.is_turned.copy())
    assert found.still == pytest.approx(float(query[still] @ key[still]) / root, abs=1e-5)
    assert torch.equal(keys[still], key[still])
    assert torch.equal(queries[still], query[still])
    np.testing.assert_allclose(found.turned + found.still, found.total, rtol=0, atol=1e-6)


def _rotated(name: str, x: torch.Tensor, position: int) -> torch.Tensor:
    """One vector, turned by the functions of the model's own file, with cosines in the way that it makes them."""
    part = PARTS[name]
    row = x[None, None, None].double()
    if name == "proportional":
        speeds = torch.zeros(256)
        speeds[:64] = part.base ** (-torch.arange(0, 128, 2) / 512)
        return rotate_gemma(row, *_waves(speeds, position)).flatten().float()
    speeds = part.base ** (-torch.arange(0, part.turned, 2) / part.turned)
    if name == "split":
        turned, _again = rotate_deepseek(row[..., 128:], row[..., 128:], *_waves(speeds, position))
        return torch.cat([x[:128], turned.flatten().float()])
    turned, _again = rotate_neox(row, row, *_waves(speeds, position))
    return turned.flatten().float()


def _waves(speeds: torch.Tensor, position: int) -> tuple[torch.Tensor, torch.Tensor]:
    angles = position * torch.cat([speeds, speeds]).double()[None, None]
    return angles.cos(), angles.sin()


def test_another_name_is_refused():
    with pytest.raises(ev.EmbedvizError, match="partial must be one of all, half, quarter, split, proportional"):
        part_scores("third")
