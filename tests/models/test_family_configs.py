"""What a config.json says, of any year and of anybody, and the names that files give to tensors."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoConfig

from embedviz.base.errors import EmbedvizError
from embedviz.models.families import FAMILIES, layout
from embedviz.positions.registry import SCHEMES


@pytest.mark.parametrize("name", FAMILIES)
def test_a_config_without_keys_gets_the_defaults_of_its_class(name):
    assert layout({"model_type": name}) == layout(AutoConfig.for_model(name).to_dict())


@pytest.mark.parametrize("name", FAMILIES)
def test_the_scheme_is_one_that_the_app_shows_and_the_words_name_the_model(name):
    described = layout({"model_type": name})
    assert described.scheme in SCHEMES
    assert described.title in described.about()
    assert described.about("Somebody's own").startswith("Somebody's own adds ")
    assert (described.position is not None) == (SCHEMES[described.scheme].kind == "add")


OLD_CONFIGS = {
    "GPT-2 with today's names": {"model_type": "gpt2", "hidden_size": 24, "max_position_embeddings": 30},
    "BLOOM's old width": {"model_type": "bloom", "n_embed": 24, "layer_norm_epsilon": 1e-3},
    "Falcon's old width, ALiBi": {"model_type": "falcon", "n_embed": 24, "alibi": True},
    "Falcon, null is no ALiBi": {"model_type": "falcon", "alibi": None, "rope_theta": 500.0},
    "T5 by the general name": {"model_type": "t5", "hidden_size": 24, "relative_attention_num_buckets": 8},
    "MPT by the general name": {"model_type": "mpt", "hidden_size": 24, "attn_config": {"alibi": True}},
    "DistilBERT by the general name": {"model_type": "distilbert", "hidden_size": 24},
    "NeoX's own names": {"model_type": "gpt_neox", "rotary_pct": 1.0, "rotary_emb_base": 700},
    "NeoX of today": {
        "model_type": "gpt_neox",
        "rope_parameters": {"rope_type": "default", "rope_theta": 700, "partial_rotary_factor": 0.5},
    },
    "Llama 3.1": {
        "model_type": "llama",
        "rope_theta": 500_000.0,
        "rope_scaling": {
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192,
            "rope_type": "llama3",
        },
        "max_position_embeddings": 131_072,
    },
    "Llama with a type of RoPE by its old key": {
        "model_type": "llama",
        "rope_scaling": {"type": "linear", "factor": 2.0},
    },
    "Llama with both": {
        "model_type": "llama",
        "rope_scaling": {"rope_type": "linear", "factor": 2.0},
        "rope_parameters": {"rope_type": "default", "rope_theta": 7.0},
    },
    "Phi-3 with yarn, which it takes for longrope": {
        "model_type": "phi3",
        "rope_parameters": {
            "rope_type": "yarn",
            "factor": 2.0,
            "short_factor": [1.0] * 48,
            "long_factor": [2.0] * 48,
            "original_max_position_embeddings": 4096,
        },
    },
    "ModernBERT rescaled": {
        "model_type": "modernbert",
        "rope_scaling": {"rope_type": "linear", "factor": 2.0, "rope_theta": 777.0},
    },
    "Qwen2 with nothing to rescale": {"model_type": "qwen2", "rope_theta": 1_000_000.0, "rope_scaling": None},
    "Phi-3 with long texts": {
        "model_type": "phi3",
        "hidden_size": 32,
        "num_attention_heads": 2,
        "rope_scaling": {
            "type": "su",
            "short_factor": [1.0] * 8,
            "long_factor": [2.0] * 8,
            "original_max_position_embeddings": 4096,
        },
    },
    "Phi-4-mini's share": {"model_type": "phi3", "partial_rotary_factor": 0.75},
    "gpt-oss": {
        "model_type": "gpt_oss",
        "rope_theta": 150_000,
        "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096},
    },
    "gpt-oss, null is yarn": {"model_type": "gpt_oss", "rope_parameters": None},
    "SmolLM3 with a list": {"model_type": "smollm3", "num_hidden_layers": 4, "no_rope_layers": [1, 0, 0, 1]},
    "SmolLM3 with a list too long": {"model_type": "smollm3", "num_hidden_layers": 3, "no_rope_layers": [1, 0, 1, 0]},
    "SmolLM3 with another interval": {"model_type": "smollm3", "no_rope_layer_interval": 5},
    "Gemma 3, 4 billion": {
        "model_type": "gemma3",
        "text_config": {
            "model_type": "gemma3_text",
            "hidden_size": 2560,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        },
    },
    "Gemma 3 of two bases": {"model_type": "gemma3_text", "rope_theta": 5e5, "rope_local_base_freq": 5e3},
    "Gemma 3 of today": {
        "model_type": "gemma3_text",
        "rope_parameters": {
            "full_attention": {"rope_type": "default", "rope_theta": 9e5},
            "sliding_attention": {"rope_type": "default", "rope_theta": 9e3},
        },
    },
    "ModernBERT": {"model_type": "modernbert", "global_rope_theta": 10_000.0, "norm_bias": True},
    "OPT-350m": {"model_type": "opt", "hidden_size": 1024, "word_embed_proj_dim": 512},
    "RoBERTa": {"model_type": "roberta", "max_position_embeddings": 514, "type_vocab_size": 1},
    "RoBERTa with another <pad>": {"model_type": "roberta", "pad_token_id": 0},
    "DeepSeek": {"model_type": "deepseek_v3", "qk_nope_head_dim": 32},
}


@pytest.mark.parametrize("name", OLD_CONFIGS)
def test_files_of_all_years_are_read_as_transformers_reads_them(name):
    config = OLD_CONFIGS[name]
    read = AutoConfig.for_model(**json.loads(json.dumps(config)))
    today = read.to_dict()
    assert layout(config) == layout(today)
    assert layout(config) != layout({"model_type": config["model_type"]}) or "gpt-oss" in name
    described, inner = layout(config), read.get_text_config()
    assert described.hidden_size == inner.hidden_size
    if described.scheme == "rope":
        settings = described.scheme_settings
        parameters = inner.rope_parameters
        whole = parameters.get("full_attention", parameters)
        assert settings["theta"] == whole["rope_theta"]
        assert settings["rope_type"] == whole["rope_type"]
        if "local_theta" in settings:
            assert settings["local_theta"] == parameters["sliding_attention"]["rope_theta"]
        if "without" in settings:
            assert settings["without"] == inner.no_rope_layers[: inner.num_hidden_layers].count(0)


def test_what_is_said_of_positions():
    assert layout({"model_type": "qwen3", "rope_theta": 1_000_000}).about() == (
        "Qwen3 adds nothing to the vectors: it turns queries and keys inside attention (RoPE, base 1,000,000)."
    )
    assert (
        layout({"model_type": "smollm3"})
        .about("SmolLM3-3B")
        .endswith("base 2,000,000). In 9 of 36 layers it leaves positions out.")
    )
    assert "leaves" not in layout({"model_type": "smollm3", "no_rope_layer_interval": 99}).about()
    assert layout({"model_type": "gpt_neox"}).about().endswith("It turns 24 of the 96 dimensions of each head.")
    assert "dimensions" not in layout({"model_type": "gpt_neox", "rotary_pct": 1}).about()
    assert (
        layout({"model_type": "gpt_oss"})
        .about()
        .endswith("Its angles are changed, so that it can read longer texts, by the rule “yarn”.")
    )
    assert layout({"model_type": "roberta", "max_position_embeddings": 514}).about() == (
        "RoBERTa adds a learned vector for each position; its table has 512 of them."
    )


def test_positions_end_where_the_table_ends():
    for config, offset, length in (
        ({"model_type": "gpt2"}, 0, 1024),
        ({"model_type": "opt"}, 2, 2048),
        ({"model_type": "roberta", "max_position_embeddings": 514}, 2, 512),
    ):
        described = layout(config)
        assert (described.offset, described.context_length) == (offset, length)
        assert described.shapes[described.position][0] == offset + length


def find_in(*names: str, model_type: str = "llama") -> str | None:
    described = layout({"model_type": model_type} | ({"text_config": {}} if model_type == "gemma3" else {}))
    return described.find(names, described.token)


def test_a_tensor_is_found_under_its_own_name_or_with_the_familys_prefix():
    for prefix in ("", "model."):
        assert find_in(f"{prefix}embed_tokens.weight", "lm_head.weight") == f"{prefix}embed_tokens.weight"
    for prefix in ("language_model.", "model.language_model.", "language_model.model."):
        found = find_in(f"{prefix}embed_tokens.weight", "lm_head.weight", model_type="gemma3")
        assert found == f"{prefix}embed_tokens.weight"
    assert find_in("gpt_neox.embed_in.weight", model_type="gpt_neox") == "gpt_neox.embed_in.weight"
    assert find_in("h.0.ln_1.weight", "wte.weight", model_type="gpt2") == "wte.weight"


@pytest.mark.parametrize(
    "names",
    [
        (),
        ("embed_tokens.weight_scale",),
        ("xmodel.embed_tokens.weight",),
        ("model.layers.61.embed_tokens.weight",),  # DeepSeek's layer that guesses the token after the next
        ("vision_tower.embed_tokens.weight", "model.vision_tower.embed_tokens.weight"),
        ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"),
        ("model.decoder.embed_tokens.weight",),
        ("model.embed_tokens.weight", "embed_tokens.weight"),  # either could be the wrong one
        ("language_model.embed_tokens.weight",),
        ("lm_head.weight",),  # Llama's is not tied
    ],
    ids=str,
)
def test_no_tensor_is_found_rather_than_a_wrong_one(names):
    assert find_in(*names) is None


def test_deepseeks_own_table_is_found_beside_that_of_its_last_layer():
    names = ("model.layers.61.embed_tokens.weight", "model.embed_tokens.weight")
    assert find_in(*names) == "model.embed_tokens.weight"


def test_t5_has_one_table_by_four_names():
    names = ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight")
    for n, name in enumerate(names):
        assert find_in(*names[n:], model_type="t5") == name


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, "model_type in config.json must be one of gpt2, gpt_neo, "),
        ({"model_type": "mamba"}, "must be one of .*, falcon, not 'mamba'"),
        ({"model_type": ["gpt2"]}, r"not \['gpt2'\]"),
        ([], r"config.json must be an object with names and values, not \[\]"),
        (
            {"model_type": "gpt2", "n_embd": 768.0},
            "n_embd in config.json must be a whole number from 1 to .*, not 768.0",
        ),
        ({"model_type": "gpt2", "n_embd": True}, "not True"),
        ({"model_type": "gpt2", "n_embd": None}, "not None"),
        ({"model_type": "gpt2", "n_embd": 0}, "not 0"),
        ({"model_type": "gpt2", "n_embd": 10**400}, "not a number of more than 20 digits"),
        ({"model_type": "gpt2", "n_embd": "7" * 99}, f"not '{'7' * 40}…'"),
        ({"model_type": "gpt2", "n_embd": 7, "hidden_size": 8}, "gives n_embd, hidden_size values that differ"),
        ({"model_type": "bert", "layer_norm_eps": float("nan")}, "a number above 0 and not above 1, not nan"),
        ({"model_type": "bert", "layer_norm_eps": -1e-12}, "layer_norm_eps"),
        (
            {"model_type": "bert", "position_embedding_type": "relative_key"},
            "must be one of absolute, not 'relative_key'",
        ),
        ({"model_type": "bert", "type_vocab_size": 0}, "type_vocab_size"),
        ({"model_type": "roberta", "pad_token_id": None}, "pad_token_id"),
        ({"model_type": "roberta", "max_position_embeddings": 2}, "from 3 to"),
        ({"model_type": "llama", "rope_theta": float("inf")}, "rope_theta"),
        (
            {"model_type": "llama", "rope_scaling": {"type": "spiral"}},
            "must be one of default, linear, .*, not 'spiral'",
        ),
        ({"model_type": "llama", "rope_scaling": {"full_attention": {}}}, "must be the same for all layers"),
        ({"model_type": "phi3", "num_attention_heads": 3073}, "num_attention_heads"),
        ({"model_type": "smollm3", "no_rope_layers": [1, 0]}, "one for each of 36 layers"),
        ({"model_type": "smollm3", "no_rope_layers": [2] * 36}, "zeros and ones"),
        ({"model_type": "falcon", "alibi": "no"}, "alibi in config.json must be true or false, not 'no'"),
        ({"model_type": "mpt", "attn_config": {"alibi": False}}, "has no ALiBi"),
        ({"model_type": "gemma3", "text_config": {"model_type": "llama"}}, "must be one of gemma3_text, not 'llama'"),
        ({"model_type": "gemma3", "text_config": 7}, "text_config in config.json must be an object"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said(config, said):
    with pytest.raises(EmbedvizError, match=said):
        layout(config)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["default", "yarn", "", "absolute"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = sorted(
    {key for family in FAMILIES.values() for key in (*family.defaults, *family.other_names)}
    | {"rope_scaling", "rope_parameters", "no_rope_layers", "attn_config", "text_config", "head_dim", "seq_length"}
    | {"word_embed_proj_dim", "pad_token_id"}
)
NAMES = ["rope_type", "type", "rope_theta", "partial_rotary_factor", "full_attention", "alibi", "", "ü", *KEYS]
LEAVES = [
    None, True, False, 0, 1, -1, 2, 3, 12, 64, 2**28, 2**28 + 1, 2**63, 10**100, -(10**100), 0.0, -0.0, 0.5, 1.0, 1.5,
    -3.25, 1e308, 5e-324, float("nan"), float("inf"), -float("inf"), "", "default", "yarn", "linear", "dynamic",
    "llama3", "longrope", "proportional", "absolute", "relative_key", "12", "\ud800", "g" * 1000, *FAMILIES,
]  # fmt: skip


def rubbish(random: Random, depth: int = 3) -> object:
    """Any value of JSON, with names and texts that a config has."""
    kind = random.random() if depth else 0
    if kind < 0.6:
        return random.choice(LEAVES)
    if kind < 0.75:
        return [rubbish(random, depth - 1) for _ in range(random.randrange(4))]
    return {random.choice(NAMES): rubbish(random, depth - 1) for _ in range(random.randrange(5))}


def test_rubbish_is_refused_and_never_crashes():
    """Drawn by Python itself: as many would take Hypothesis minutes."""
    random = Random(1)  # noqa: S311 - names and numbers, not secrets
    passed = 0
    for _ in range(10_000):
        config = {random.choice(KEYS): rubbish(random) for _ in range(random.randrange(7))}
        passed += is_sound_or_refused(config | {"model_type": random.choice([*FAMILIES, "mamba", None, 7])})
    assert 1000 < passed < 9000


def is_sound_or_refused(config: dict[str, object]) -> bool:
    try:
        described = layout(config)
    except EmbedvizError:
        return False
    assert described.about()
    assert described.scheme in SCHEMES
    assert all(1 <= size <= 2**28 for shape in described.shapes.values() for size in shape)
    assert described.context_length is None or described.context_length >= 1
    assert hash(described.token)
    return True


@given(JSON)
def test_no_value_is_a_config_by_chance(value):
    with pytest.raises(EmbedvizError):
        layout(value)
