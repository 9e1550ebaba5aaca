"""Tiny models of every family, made by transformers with random weights, and what they do inside."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
)

from embedviz.models.families import Layout

IDS = (5, 1, 7, 5, 0, 30, 2, 7)  # ID 5 and ID 7 twice; 0 and 1, which are <pad> in many families, among them
_ROPE = {
    "vocab_size": 31,
    "hidden_size": 12,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 40,
    "pad_token_id": 0,
}
_BERT = {
    "vocab_size": 31,
    "hidden_size": 12,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": 20,
    "layer_norm_eps": 1e-3,  # unlike the default, so that it shows
}
_VISION = {
    "hidden_size": 8,
    "intermediate_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 8,
    "patch_size": 4,
}
HEADS = {
    "causal": AutoModelForCausalLM,
    "masked": AutoModelForMaskedLM,
    "seq2seq": AutoModelForSeq2SeqLM,
    "pictures": AutoModelForImageTextToText,
}


@dataclass(frozen=True)
class Tiny:
    """A family's tiny model. first: its first layer; positional: the module that makes the positional vectors.

    norm: the module that the sum goes through. config: what its config.json would say.
    """

    config: dict[str, object]
    first: str
    positional: str = ""
    head: str = "causal"
    norm: str = ""

    @property
    def only_additions(self) -> bool:
        """True if nothing is done to the vectors before the first layer but adding and multiplying by a number."""
        return not self.norm and "word_embed_proj_dim" not in self.config


@dataclass(frozen=True)
class Seen:
    """A saved model and what was seen in it. entered: float32 (T, H), what entered its first layer.

    looked_up: float32 (T, D), what its input embeddings gave. positional, summed: float32 (T, W), what its positional
    module gave and what its norm got. token: float32 (V, D), its whole token table.
    """

    folder: Path
    config: dict[str, object]
    entered: np.ndarray
    looked_up: np.ndarray
    positional: np.ndarray | None
    summed: np.ndarray | None
    token: np.ndarray
    model: torch.nn.Module = field(repr=False)

    def tensors(self, layout: Layout) -> dict[str, np.ndarray]:
        """The tensors that the layout names, whole, as float32, by the names that `find` finds in the files."""
        files = {}
        for path in self.folder.glob("*.safetensors"):
            with safe_open(path, "pt") as file:
                files |= dict.fromkeys(file.keys(), path)
        found = {name: layout.find(files, name) for name in layout.shapes}
        return {name: _read(files[full], full) for name, full in found.items()}


def _plain(**settings: object) -> Tiny:
    return Tiny(_ROPE | settings, "layers.0")


def _bert(**settings: object) -> Tiny:
    return Tiny(
        _BERT | settings,
        "encoder.layer.0",
        "embeddings.position_embeddings",
        head="masked",
        norm="embeddings.LayerNorm",
    )


_GPT = {"vocab_size": 31, "n_embd": 12, "n_layer": 1, "n_head": 2, "n_positions": 20}
_OPT = {
    "vocab_size": 31,
    "hidden_size": 12,
    "ffn_dim": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": 20,
}
_FALCON = {"vocab_size": 31, "hidden_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2}
_GEMMA = {"head_dim": 6, "query_pre_attn_scalar": 6, "layer_types": ["sliding_attention", "full_attention"]}
_FAMILIES = {
    "gpt2": Tiny(_GPT, "h.0", "wpe"),
    "gpt_neo": Tiny(
        {
            "vocab_size": 31,
            "hidden_size": 12,
            "num_layers": 1,
            "num_heads": 2,
            "attention_types": [[["global"], 1]],
            "max_position_embeddings": 20,
        },
        "h.0",
        "wpe",
    ),
    "gpt_neox": _plain(hidden_size=16, rotary_pct=0.6, rotary_emb_base=500.0),
    "opt": Tiny(_OPT, "decoder.layers.0", "decoder.embed_positions"),
    "opt, projected": Tiny(_OPT | {"word_embed_proj_dim": 10}, "decoder.layers.0", "decoder.embed_positions"),
    "bloom": Tiny(
        {"vocab_size": 31, "hidden_size": 12, "n_layer": 1, "n_head": 2, "layer_norm_epsilon": 1e-3},
        "h.0",
        norm="word_embeddings_layernorm",
    ),
    "bert": _bert(),
    "distilbert": Tiny(
        {"vocab_size": 31, "dim": 12, "hidden_dim": 16, "n_layers": 1, "n_heads": 2, "max_position_embeddings": 20},
        "transformer.layer.0",
        "embeddings.position_embeddings",
        head="masked",
        norm="embeddings.LayerNorm",
    ),
    "roberta": _bert(type_vocab_size=1, pad_token_id=1),
    "xlm-roberta": _bert(pad_token_id=2),
    "electra": _bert(embedding_size=10, type_vocab_size=3),
    "electra, as wide": _bert(embedding_size=12),
    "modernbert": Tiny(
        _BERT | {"norm_eps": 1e-3, "norm_bias": True, "pad_token_id": 0, "num_hidden_layers": 2},
        "layers.0",
        head="masked",
        norm="embeddings.norm",
    ),
    "t5": Tiny(
        {"vocab_size": 31, "d_model": 12, "d_kv": 6, "d_ff": 8, "num_layers": 1, "num_heads": 2},
        "encoder.block.0",
        head="seq2seq",
    ),
    "llama": _plain(rope_theta=5000.0),
    "mistral": _plain(),
    "qwen2": _plain(rope_theta=1_000_000.0),
    "qwen3": _plain(head_dim=6, rope_theta=1_000_000.0),
    "gemma": _plain(head_dim=6),
    "gemma2": _plain(**_GEMMA),
    "gemma3_text": _plain(**_GEMMA, rope_theta=70_000.0, rope_local_base_freq=7000.0),
    "gemma3": Tiny(
        {"text_config": _ROPE | _GEMMA, "vision_config": _VISION | {"model_type": "siglip_vision_model"}},
        "language_model.layers.0",
        head="pictures",
    ),
    "phi3": _plain(hidden_size=16, partial_rotary_factor=0.5),
    "smollm3": _plain(num_hidden_layers=5, no_rope_layer_interval=2),
    "olmo2": _plain(),
    "deepseek_v3": _plain(
        num_key_value_heads=2,
        moe_intermediate_size=8,
        n_routed_experts=4,
        n_group=1,
        topk_group=1,
        num_experts_per_tok=2,
        first_k_dense_replace=1,
        kv_lora_rank=4,
        q_lora_rank=4,
        qk_rope_head_dim=4,
        qk_nope_head_dim=6,
        v_head_dim=4,
    ),
    "gpt_oss": _plain(head_dim=6, num_local_experts=2, num_experts_per_tok=1),
    "mpt": Tiny({"vocab_size": 31, "d_model": 12, "n_heads": 2, "n_layers": 1, "max_seq_len": 20}, "blocks.0"),
    "falcon": Tiny(_FALCON | {"rope_theta": 3000.0}, "h.0"),
    "falcon, alibi": Tiny(_FALCON | {"alibi": True}, "h.0"),
}
TINY: dict[str, Tiny] = {
    name: replace(tiny, config={"model_type": name.split(",")[0]} | tiny.config) for name, tiny in _FAMILIES.items()
}


def made(name: str, with_head: bool = False, **changes: object) -> torch.nn.Module:
    """The tiny model, with random numbers in all its tensors, those of norms and biases too.

    changes: settings of its text part that differ from those in TINY.
    """
    tiny = TINY[name]
    settings = tiny.config | changes
    if part := tiny.config.get("text_config"):
        settings = tiny.config | {"text_config": part | changes}
    config = AutoConfig.for_model(**settings)
    model = (HEADS[tiny.head] if with_head else AutoModel).from_config(config, dtype=torch.float32)
    generator = torch.Generator().manual_seed(len(name))
    with torch.no_grad():
        for each in model.parameters():
            each.copy_(torch.randn(each.shape, generator=generator) * 0.5 + 0.1)
    return model.eval()


def seen(name: str, folder: Path, model: torch.nn.Module, ids: Sequence[int] = IDS, **how: object) -> Seen:
    """Save the model and look into it while it reads the token IDs."""
    tiny = TINY[name]
    model.save_pretrained(folder, **how)
    core = model.base_model
    caught: dict[str, torch.Tensor] = {}

    def entering(_module, args, named):
        caught["entered"] = (args[0] if args else named["hidden_states"])[0]

    def positioned(_module, _args, given):
        caught["positional"] = given[0]

    def summing(_module, args):
        caught["summed"] = args[0][0]

    hooks = [core.get_submodule(tiny.first).register_forward_pre_hook(entering, with_kwargs=True)]
    if tiny.norm:
        hooks.append(core.get_submodule(tiny.norm).register_forward_pre_hook(summing))
    if tiny.positional:
        hooks.append(core.get_submodule(tiny.positional).register_forward_hook(positioned))
    more = {"decoder_input_ids": torch.tensor([[0]])} if tiny.head == "seq2seq" else {}
    with torch.no_grad():
        model(input_ids=torch.tensor([list(ids)]), **more)
        caught["looked_up"] = model.get_input_embeddings()(torch.tensor(list(ids)))
    for hook in hooks:
        hook.remove()
    arrays = {key: value.float().numpy() for key, value in caught.items()}
    table = model.get_input_embeddings().weight.detach().float().numpy()
    config = json.loads((folder / "config.json").read_text())
    rows = (arrays["entered"], arrays["looked_up"], arrays.get("positional"), arrays.get("summed"))
    return Seen(folder, config, *rows, table, model)


def _read(path: Path, name: str) -> np.ndarray:
    with safe_open(path, "pt") as file:
        return file.get_tensor(name).float().numpy()
