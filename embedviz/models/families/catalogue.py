"""The families of models whose input vectors are known, read in the classes of transformers 5.23.

The numbers are the defaults of the configuration classes, for a config.json that leaves them out.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from embedviz.models.families import schemes
from embedviz.models.families.config import mapping, one_of
from embedviz.models.families.family import TIED, Family, read
from embedviz.models.families.layout import Layout, Projection


def layout(config: Mapping[str, object]) -> Layout:
    """Where the vectors that enter the first layer come from, as a model's config.json says.

    Raises EmbedvizError if the family is not known, which lists those that are, or for a value that cannot be.
    """
    values = dict(mapping("config.json", config))
    family = FAMILIES[one_of("model_type", values.get("model_type"), tuple(FAMILIES))]
    if family.part:
        whole, values = values, dict(mapping(family.part, values.get(family.part)))
        one_of(f"{family.part}.model_type", values.get("model_type", family.part_type), (family.part_type,))
        values = values | {TIED: whole.get(TIED, family.tied)}  # it is the whole model that ties its head
    return read(family, values)


def _sizes(vocab_size: int, hidden_size: int, max_position_embeddings: int) -> dict[str, Any]:
    return {"vocab_size": vocab_size, "hidden_size": hidden_size, "max_position_embeddings": max_position_embeddings}


def _under(core: str, *aliases: str) -> dict[str, Any]:
    """The prefixes and aliases of a family whose models with a head hold their core under this name."""
    prefixes = ("", f"{core}.")
    return {"prefixes": prefixes, "aliases": tuple(prefix + name for name in aliases for prefix in prefixes)}


def _plain(title: str, sizes: dict[str, Any], scheme: schemes.FindScheme = schemes.rope, **defaults: Any) -> Family:
    """A model of the kind that is usual today: a table of tokens and nothing else, with RoPE inside attention."""
    defaults = {"rope_theta": 10_000.0} | sizes | defaults
    return Family(title, "embed_tokens.weight", scheme, defaults, tied=False)


_BERT_DEFAULTS = _sizes(30_522, 768, 512) | {
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "position_embedding_type": "absolute",
}  # fmt: skip
_BERT = Family(
    "BERT", "embeddings.word_embeddings.weight", schemes.absolute, _BERT_DEFAULTS, kind="encoder",
    position="embeddings.position_embeddings.weight", segment="embeddings.token_type_embeddings.weight",
    norm="embeddings.LayerNorm", epsilon="layer_norm_eps", **_under("bert", "cls.predictions.decoder.weight"),
)  # fmt: skip
_ROBERTA = replace(
    _BERT, title="RoBERTa", padded=True, defaults=_BERT_DEFAULTS | {"vocab_size": 50_265, "pad_token_id": 1},
    **_under("roberta", "lm_head.decoder.weight"),
)  # fmt: skip
_GEMMA_3 = replace(
    _plain(
        "Gemma 3", _sizes(262_208, 2304, 131_072),
        partial(schemes.rope_by_layer_type, base="rope_theta", local_base="rope_local_base_freq",
                rescaled=("full_attention",)),
        rope_theta=1_000_000.0, rope_local_base_freq=10_000.0,
    ),
    scaled=True, tied=True,
)  # fmt: skip

FAMILIES: Mapping[str, Family] = MappingProxyType({
    "gpt2": Family(
        "GPT-2", "wte.weight", schemes.learned, {"vocab_size": 50_257, "n_embd": 768, "n_positions": 1024},
        position="wpe.weight", width="n_embd", length="n_positions",
        other_names={"hidden_size": "n_embd", "max_position_embeddings": "n_positions"},
        **_under("transformer", "lm_head.weight"),
    ),
    "gpt_neo": Family(
        "GPT-Neo", "wte.weight", schemes.learned, _sizes(50_257, 2048, 2048), position="wpe.weight",
        **_under("transformer", "lm_head.weight"),
    ),
    "gpt_neox": Family(
        "GPT-NeoX", "embed_in.weight", partial(schemes.partial_rope, base="rotary_emb_base", share="rotary_pct"),
        _sizes(50_432, 6144, 2048) | {"num_attention_heads": 64, "rotary_emb_base": 10_000.0, "rotary_pct": 0.25},
        prefixes=("", "gpt_neox."), aliases=("embed_out.weight", "lm_head.weight", "gpt_neox.lm_head.weight"),
        tied=False,
    ),
    "opt": Family(
        "OPT", "decoder.embed_tokens.weight", schemes.learned, _sizes(50_272, 768, 2048),
        position="decoder.embed_positions.weight", rows_before=2, table_width="word_embed_proj_dim",
        projection=Projection("decoder.project_in.weight", None, after_sum=False),
    ),
    "bloom": Family(
        "BLOOM", "word_embeddings.weight", schemes.alibi,
        {"vocab_size": 250_880, "hidden_size": 64, "layer_norm_epsilon": 1e-5}, length="seq_length",
        norm="word_embeddings_layernorm", epsilon="layer_norm_epsilon", other_names={"n_embed": "hidden_size"},
        **_under("transformer", "lm_head.weight"),
    ),
    "bert": _BERT,
    "distilbert": replace(
        _BERT, title="DistilBERT", scheme=schemes.learned_or_sinusoidal, segment=None, epsilon=1e-12, width="dim",
        other_names={"hidden_size": "dim"},
        defaults={"vocab_size": 30_522, "dim": 768, "max_position_embeddings": 512, "sinusoidal_pos_embds": False},
        **_under("distilbert", "vocab_projector.weight"),
    ),
    "roberta": _ROBERTA,
    "xlm-roberta": replace(_ROBERTA, title="XLM-RoBERTa", defaults=_BERT_DEFAULTS | {"pad_token_id": 1}),
    "electra": replace(
        _BERT, title="ELECTRA", table_width="embedding_size",
        projection=Projection("embeddings_project.weight", "embeddings_project.bias", after_sum=True),
        defaults=_BERT_DEFAULTS | {"hidden_size": 256, "embedding_size": 128},
        **_under("electra", "generator_lm_head.weight"),
    ),
    "modernbert": Family(
        "ModernBERT", "embeddings.tok_embeddings.weight",
        partial(schemes.rope_by_layer_type, base="global_rope_theta", local_base="local_rope_theta",
                rescaled=("full_attention", "sliding_attention")),
        _sizes(50_368, 768, 8192)
        | {"norm_eps": 1e-5, "norm_bias": False, "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0},
        norm="embeddings.norm", epsilon="norm_eps", norm_bias="norm_bias", kind="encoder",
        **_under("model", "decoder.weight"),
    ),
    "t5": Family(
        "T5", "shared.weight", schemes.t5_biases,
        {"vocab_size": 32_128, "d_model": 512, "relative_attention_num_buckets": 32,
         "relative_attention_max_distance": 128, "num_heads": 8},
        bias="encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", width="d_model", length="",
        other_names={"hidden_size": "d_model", "num_attention_heads": "num_heads"}, tied=None, kind="encoder-decoder",
        **_under("transformer", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"),
    ),
    "llama": _plain("Llama", _sizes(32_000, 4096, 2048)),
    "mistral": _plain("Mistral", _sizes(32_000, 4096, 131_072)),
    "qwen2": _plain("Qwen2", _sizes(151_936, 4096, 32_768)),
    "qwen3": _plain("Qwen3", _sizes(151_936, 4096, 32_768)),
    "gemma": replace(_plain("Gemma", _sizes(256_000, 3072, 8192)), scaled=True, tied=True),
    "gemma2": replace(_plain("Gemma 2", _sizes(256_000, 2304, 8192)), scaled=True, tied=True),
    "gemma3_text": _GEMMA_3,
    "gemma3": replace(
        _GEMMA_3, part="text_config", part_type="gemma3_text",
        prefixes=tuple(f"{out}language_model.{core}" for out in ("", "model.") for core in ("", "model.")),
        aliases=("lm_head.weight", "model.lm_head.weight", "language_model.lm_head.weight"),
    ),
    "phi3": _plain(
        "Phi-3", _sizes(32_064, 3072, 4096),
        partial(schemes.partial_rope, renamed={"su": "longrope", "yarn": "longrope"}),
        num_attention_heads=32, partial_rotary_factor=1.0,
    ),
    "smollm3": replace(
        _plain("SmolLM3", _sizes(128_256, 2048, 32_768), schemes.rope_in_some_layers, num_hidden_layers=36,
               no_rope_layer_interval=4, rope_theta=2_000_000.0),
        tied=True,
    ),
    "olmo2": _plain("OLMo 2", _sizes(50_304, 4096, 2048)),
    "deepseek_v3": _plain(
        "DeepSeek-V3", _sizes(129_280, 7168, 4096), schemes.partial_rope_of_deepseek,
        qk_rope_head_dim=64, qk_nope_head_dim=128,
    ),
    "gpt_oss": _plain(
        "gpt-oss", _sizes(201_088, 2880, 131_072), rope_theta=150_000.0, rope_parameters={"rope_type": "yarn"}
    ),
    "mpt": Family(
        "MPT", "wte.weight", schemes.alibi_of_mpt, {"vocab_size": 50_368, "d_model": 2048, "max_seq_len": 2048},
        width="d_model", length="max_seq_len", other_names={"hidden_size": "d_model"},
        **_under("transformer", "lm_head.weight"),
    ),
    "falcon": Family(
        "Falcon", "word_embeddings.weight", schemes.rope_or_alibi,
        _sizes(65_024, 4544, 2048) | {"alibi": False, "rope_theta": 10_000.0}, other_names={"n_embed": "hidden_size"},
        **_under("transformer", "lm_head.weight"),
    ),
})  # fmt: skip
