"""The table of published models: each fact has a source, and what can be counted or run says the same."""

import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import transformers
from transformers import masking_utils

from embedviz.base.errors import SetupError
from embedviz.models.architectures import ARCHITECTURES, DRAWN, Architecture, Layer, kinds
from embedviz.models.architectures.reading import KNOWN, parse, stated
from embedviz.positions import SCHEMES

LIBRARY = Path(transformers.__file__).parent
ROW = """
["One 7B"]
year = 2026
layers = [{ pattern = "na", number = 3 }]
kinds.n = { scheme = "rope", sees = "near", window = 4, base = 1e4 }
kinds.a = { scheme = "none" }
trained = 64
from."config one/one-7b: config.json" = "layers window base trained"
from."report One Team 2026" = "year"
"""


def test_a_row_is_read_into_a_record():
    (model,) = parse(ROW)
    assert [layer.sees for layer in model.layers] == ["near", "all", "near"]
    assert (model.bases, model.windows, model.schemes, model.longest) == ((1e4,), (4,), ("rope", "none"), 64)
    assert model.read_in("window") == (1,)
    assert model.read_in("year") == (2,)
    assert model.read_in("later") == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" trained\"", "\"", "no source, or no value: trained"),
        ('"year"', '"year later"', "no source, or no value: later"),
        ('"report One', '"blog One', "does not begin with one of"),
        ('scheme = "none"', 'schema = "none"', "not as it should be"),
        ('pattern = "na"', 'pattern = "nb"', "not as it should be"),
    ],
)  # fmt: skip
def test_a_fact_without_a_source_and_a_source_without_its_fact_are_refused(old, new, said):
    assert old in ROW
    with pytest.raises(SetupError, match=said) as found:
        [*parse(ROW.replace(old, new))]
    assert "One 7B" in str(found.value)


def test_the_rows_stand_in_the_order_of_their_years_and_name_known_schemes():
    years = [each.year for each in ARCHITECTURES.values()]
    assert years == sorted(years)
    assert {scheme for each in ARCHITECTURES.values() for scheme in each.schemes} <= set(SCHEMES)


@pytest.mark.parametrize("model", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_a_row_says_nothing_that_cannot_be(model):
    assert {source.partition(" ")[0] for source, _facts in model.sources} <= set(KNOWN)
    assert stated(model) <= {fact for _source, facts in model.sources for fact in facts}
    lengths = [each for each in (model.trained, model.later, model.claimed) if each]
    assert lengths == sorted(lengths)
    for layer in model.pattern:
        assert bool(layer.scheme) == (layer.sees != "state")
        assert bool(layer.base or layer.rotated or layer.axes) <= (layer.scheme == "rope")
        assert bool(layer.window) <= (layer.sees in ("near", "chunk"))
        assert bool(layer.picks) == (layer.sees == "picks")
        assert bool(layer.decay) >= (layer.sees == "state")
        if layer.axes:
            of = layer.rotated[0] if layer.rotated else layer.kv[1]
            assert 2 * sum(layer.axes) == of
    assert bool(model.scaling) <= ("rope" in model.schemes)


def test_all_strips_have_a_size_and_a_longest_text():
    assert all(ARCHITECTURES[name].layers and ARCHITECTURES[name].longest for name in DRAWN)
    assert len(DRAWN) == len(set(DRAWN)) == 12
    assert "GPT-3 175B" not in DRAWN  # no source says with which kind of layer it begins


def test_what_the_strips_have_no_words_for_is_in_none_of_them():
    """Encoders with decoders, vectors of distances, windows of unknown width or to both sides, and what is rarer."""
    for model in (ARCHITECTURES[name] for name in DRAWN):
        assert len(model.stacks) == 1
        for layer in model.layers:
            assert not any((layer.marked, layer.pooled))
            assert layer.decay == ("gated" if layer.sees == "state" else "")
            assert layer.convolved == (layer.sees == "state")
            assert not layer.scheme or SCHEMES[layer.scheme].kind != "relative"
            assert layer.sees != "near" or (layer.window and not model.both_ways)


# What each class needs besides the facts of the row, as the model's config.json has it, and the parameters in billions
# that its makers give it, in its name or in its report.
COUNTED = {
    "Command A": ("Cohere2", {"hidden_size": 12_288, "intermediate_size": 36_864, "num_attention_heads": 96}, 111.0),
    "Gemma 3 27B": ("Gemma3Text", {"hidden_size": 5376, "intermediate_size": 21_504, "num_attention_heads": 32}, 27.0),
    "Qwen3 32B": (
        "Qwen3", {"hidden_size": 5120, "intermediate_size": 25_600, "num_attention_heads": 64, "vocab_size": 151_936},
        32.8,
    ),
    "EXAONE 4.0 32B": (
        "Exaone4", {"hidden_size": 5120, "intermediate_size": 27_392, "num_attention_heads": 40}, 32.0,
    ),
    "Apertus 70B": (
        "Apertus", {"hidden_size": 8192, "intermediate_size": 43_008, "num_attention_heads": 64}, 70.6,
    ),
    "Llama 3.1 8B": (
        "Llama", {"hidden_size": 4096, "intermediate_size": 14_336, "num_attention_heads": 32, "vocab_size": 128_256},
        8.0,
    ),
    "SmolLM3 3B": ("SmolLM3", {"hidden_size": 2048, "intermediate_size": 11_008, "num_attention_heads": 16}, 3.1),
    "Command R 35B": ("Cohere", {"hidden_size": 8192, "intermediate_size": 22_528, "num_attention_heads": 64}, 35.0),
    "Ministral 3 8B": (
        "Ministral3", {"hidden_size": 4096, "intermediate_size": 14_336, "num_attention_heads": 32,
                       "vocab_size": 131_072},
        8.4,
    ),
}  # fmt: skip


def counted(model: Architecture) -> float:
    """The parameters of the model, in billions. On the device "meta" they take no memory."""
    kind, sizes, _said = COUNTED[model.name]
    heads, head_dim, _values = model.layers[0].kv
    config = getattr(transformers, f"{kind}Config")(
        num_hidden_layers=len(model.layers), num_key_value_heads=heads, head_dim=head_dim, **sizes
    )
    with torch.device("meta"):
        network = getattr(transformers, f"{kind.removesuffix('Text') if 'Gemma' in kind else kind}ForCausalLM")(config)
    return sum(each.numel() for each in network.parameters()) / 1e9


@pytest.mark.parametrize("name", COUNTED)
def test_layers_and_heads_make_as_many_parameters_as_the_makers_say(name):
    """A class's defaults are often no published model: those of Command A's class make 35 billion."""
    assert counted(ARCHITECTURES[name]) == pytest.approx(COUNTED[name][2], rel=0.03)


def test_with_fewer_layers_the_count_would_be_another():
    (stack,) = ARCHITECTURES["Command A"].stacks
    wrong = replace(ARCHITECTURES["Command A"], stacks=(replace(stack, number=40),))
    assert counted(wrong) < 80


def changed(network: torch.nn.Module, at: int, **more: torch.Tensor) -> list[int]:
    """The positions whose vectors change if the token at one position is another."""
    tokens = torch.arange(3, 23)[None]
    other = tokens.clone()
    other[0, at] = 40
    with torch.no_grad():
        before, after = (network(each, **more).last_hidden_state[0] for each in (tokens, other))
    return (~torch.isclose(before, after, atol=1e-6).all(dim=-1)).nonzero().flatten().tolist()


def test_xlnet_reads_both_ways():
    torch.manual_seed(0)
    config = transformers.XLNetConfig(vocab_size=50, d_model=16, n_layer=1, n_head=2, d_inner=16)
    assert changed(transformers.XLNetModel(config).eval(), 10) == [*range(20)]
    assert ARCHITECTURES["XLNet large"].both_ways


def test_longformers_window_lies_on_both_sides_and_marked_tokens_see_all_and_are_seen_by_all():
    torch.manual_seed(0)
    config = transformers.LongformerConfig(
        vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        attention_window=[4], max_position_embeddings=64, pad_token_id=1,
    )  # fmt: skip
    network = transformers.LongformerModel(config).eval()
    assert changed(network, 10) == [8, 9, 10, 11, 12]
    marked = torch.zeros(1, 20, dtype=torch.long)
    marked[0, 0] = 1
    assert changed(network, 10, global_attention_mask=marked) == [0, 8, 9, 10, 11, 12]
    assert changed(network, 0, global_attention_mask=marked) == [*range(20)]
    (layer,) = ARCHITECTURES["Longformer base"].pattern
    assert (layer.window, layer.marked) == (512, True)


@pytest.mark.parametrize(
    ("name", "fact", "value"),
    [
        ("Apertus 70B", "trained", 4096),  # 8,192 is the first step of its extension
        ("DeepSeek-V3", "claimed", 131_072),  # 163,840 is 40 × 4,096, the most that its file allows
        ("Mixtral 8x7B", "year", 2023),
        ("T5-Small", "trained", 512),
        ("PaLM 540B", "trained", 2048),
        ("Kimi Linear 48B-A3B", "trained", 4096),
        ("MiniMax-Text-01", "trained", 8192),
        ("Command A", "claimed", 262_144),
        ("SmolLM3 3B", "bases", (5e6,)),
        ("Qwen3 32B", "trained", 4096),
        ("Gemma 4 31B", "windows", (1024,)),
        ("MiMo-V2-Flash", "later", 262_144),  # its third stage was trained on them
        ("GLM-5", "bases", (1e6,)),  # GLM-5.2 has 8,000,000
    ],
)
def test_what_was_once_wrong_stays_right(name, fact, value):
    assert getattr(ARCHITECTURES[name], fact) == value


def test_scaling_is_told_apart_by_who_switches_it_on():
    told = {name: model.scaling.shipped for name, model in ARCHITECTURES.items() if model.scaling}
    assert [told[name] for name in ("Qwen2.5 7B", "Qwen3 32B", "SmolLM3 3B")] == [False] * 3
    assert [told[name] for name in ("gpt-oss-120b", "Apertus 70B", "Llama 3.1 8B")] == [True] * 3
    assert ARCHITECTURES["Llama 4 Scout"].scaling.rule == "llama3"
    assert ARCHITECTURES["Llama 4 Maverick"].scaling is None


def test_a_scaling_that_has_to_be_switched_on_reaches_from_the_longest_trained_texts_to_what_is_claimed():
    """But where positions count pictures in several directions, they grow more slowly than the text."""
    optional = [
        model
        for model in ARCHITECTURES.values()
        if model.later and model.scaling and not model.scaling.shipped and not any(each.axes for each in model.pattern)
    ]
    assert optional
    assert all(model.scaling.factor * model.later == model.claimed for model in optional)


@pytest.mark.parametrize(
    ("name", "original"),  # original_max_position_embeddings of the published configuration
    [
        ("EXAONE 4.0 32B", 8192), ("Kimi K2", 4096), ("gpt-oss-120b", 4096), ("Apertus 70B", 8192), ("Olmo 3 7B", 8192),
        ("Ministral 3 8B", 16_384), ("DeepSeek-V4-Pro", 65_536),
    ],
)  # fmt: skip
def test_a_scaling_that_is_shipped_reaches_what_is_claimed(name, original):
    model = ARCHITECTURES[name]
    assert (model.scaling.shipped, model.scaling.factor * original) == (True, model.claimed)


@pytest.mark.parametrize(
    ("name", "fact", "source"),
    [
        ("GPT-Neo 2.7B", "heads", "config EleutherAI/gpt-neo: configs/GPT3_2-7B_pretrained.json"),
        ("OPT-175B", "layers", "code models/opt/modeling_opt.py"),
        ("Gemma 2 9B", "layers", "code google-deepmind/gemma: gemma/gm/nn/_gemma.py"),
        ("Gemma 3 27B", "layers", "code google-deepmind/gemma: gemma/gm/nn/_gemma.py"),
        ("Gemma 4 31B", "heads", "code google-deepmind/gemma: gemma/gm/nn/gemma4/_gemma4.py"),
        ("Kimi K2", "later", "report Kimi Team 2025, arXiv:2507.20534"),
        ("Command A", "claimed", "report CohereLabs/c4ai-command-a-03-2025: README.md"),  # config.json has half of it
        ("Command A", "heads", "tuned TheDrummer/Agatha-111B-v1, in ikawrakow/ik_llama.cpp#633"),
    ],
)
def test_a_fact_stands_under_a_source_that_can_carry_it(name, fact, source):
    """It stood under one that leaves it to a class's default, that shows a sibling, or that does not have it."""
    model = ARCHITECTURES[name]
    assert source in [model.sources[n - 1][0] for n in model.read_in(fact)]


def test_files_without_a_repository_are_in_the_installed_library():
    named = [source.partition(" ")[2] for model in ARCHITECTURES.values() for source, _facts in model.sources]
    for file in (each for names in named if names.startswith("models/") for each in names.split(", ")):
        folder = Path(next(names for names in named if file in names).split(", ")[0]).parent
        assert (LIBRARY / folder / Path(file).name).exists(), file
    assert all("/transformers: src/" in names for names in named if "convert_" in names)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Gemma 2 9B", "Gemma2"), ("Gemma 3 27B", "Gemma3Text"), ("Gemma 4 31B", "Gemma4Text"),
        ("Command A", "Cohere2"), ("gpt-oss-120b", "GptOss"), ("Olmo 3 7B", "Olmo3"),
    ],
)  # fmt: skip
def test_layers_with_a_window_stand_where_the_librarys_class_has_them(name, kind):
    layers = ARCHITECTURES[name].layers
    usual = getattr(transformers, f"{kind}Config")(num_hidden_layers=len(layers)).layer_types
    assert ["sliding_attention" if layer.sees == "near" else "full_attention" for layer in layers] == usual


# What a fact looks like in a model's code.
TRACES = {
    "Llama 4 Scout": r"if self\.attn_temperature_tuning and not self\.use_rope:",
    "MiniMax-Text-01": r"def get_slope_rate",
    "Qwen3-Next 80B-A3B": r"class Qwen3NextGatedDeltaNet",
    "Granite 4.0 H Small": r"dt_bias",
    "GLM-4 9B": r"partial_rotary_factor",
    "GLM-5": r"index_topk",
    "Falcon-40B": r"rope_theta",
    "Inkling": r"class InklingRelativeLogits",
    "Llama 4 Maverick": r"torch\.log1p\(torch\.floor\(\(positions",
    "OPT-175B": r"class OPTLearnedPositionalEmbedding\(nn\.Embedding\)",
    "Jamba 52B": r"nn\.Conv1d",
    "Falcon-H1 34B": r"nn\.Conv1d",
    "Kimi Linear 48B-A3B": r"nn\.Conv1d",
    "Qwen3.5 397B-A17B": r"nn\.Conv1d",
}
CODED = {
    name: re.search(r"models/[^,]+", source)[0]
    for name, model in ARCHITECTURES.items()
    for source, _facts in model.sources
    if source.startswith("code models/")
}


def test_each_row_that_was_read_in_the_library_has_its_trace_there():
    assert CODED.keys() == TRACES.keys()
    for name, file in CODED.items():
        code = "".join(path.read_text() for path in (LIBRARY / file).parent.glob("*.py"))
        assert (LIBRARY / file).exists()
        assert re.search(TRACES[name], code), name


def test_no_positions_are_where_the_library_leaves_them_out():
    for folder, trace in {
        "smollm3": r"if self\.use_rope:",
        "cohere2": r"if self\.sliding_window is not None:\s+query_states, key_states = apply_rotary",
        "exaone4": r"or self\.is_sliding:\s+query_states, key_states = apply_rotary",
    }.items():
        assert re.search(trace, (LIBRARY / f"models/{folder}/modeling_{folder}.py").read_text())
    assert "= apply_rotary_pos_emb" not in inspect.getsource(transformers.models.jamba.modeling_jamba)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("gpt-oss-120b", {("near", 128): 18, ("all", 0): 18}),
        ("Gemma 3 27B", {("near", 1024): 52, ("all", 0): 10}),
        ("Command A", {("near", 4096): 48, ("all", 0): 16}),
        ("Llama 4 Scout", {("chunk", 8192): 36, ("all", 0): 12}),
        ("Kimi Linear 48B-A3B", {("state", 0): 20, ("all", 0): 7}),
        ("MiMo-V2-Flash", {("near", 128): 39, ("all", 0): 9}),
        ("T5-Small", {("all", 0): 12}),
    ],
)
def test_layers_are_counted_by_kind(name, counts):
    assert {(layer.sees, layer.window): n for layer, n in kinds(ARCHITECTURES[name].layers).items()} == counts


def test_a_pattern_is_cut_where_the_layers_end():
    found = ARCHITECTURES["Gemma 3 27B"].layers
    assert [n for n, layer in enumerate(found) if layer.sees == "all"] == [*range(5, 62, 6)]
    assert found[-1] == Layer("rope", "near", 1024, base=1e4, kv=(16, 128, 128))


@pytest.mark.parametrize("window", [1, 4])
def test_a_window_is_what_the_library_lets_a_token_see(window):
    """A sliding window holds the token itself and those just before it; a chunk begins at each of its multiples."""
    tokens = range(12)
    near = masking_utils.and_masks(masking_utils.sliding_window_overlay(window), masking_utils.causal_mask_function)
    left_padding = torch.zeros(1, dtype=torch.long)
    chunk = masking_utils.and_masks(
        masking_utils.chunked_overlay(window, left_padding), masking_utils.causal_mask_function
    )
    for q in tokens:
        seen_near, seen_chunk = (
            [k for k in tokens if mask(0, 0, *map(torch.tensor, (q, k)))] for mask in (near, chunk)
        )
        assert seen_near == [*range(max(0, q - window + 1), q + 1)]
        assert seen_chunk == [*range(q - q % window, q + 1)]


STATES = {
    "Jamba 52B": "Jamba", "MiniMax-Text-01": "MiniMax", "Falcon-H1 34B": "FalconH1", "Qwen3-Next 80B-A3B": "Qwen3Next",
    "Granite 4.0 H Small": "GraniteMoeHybrid", "Kimi Linear 48B-A3B": "KimiLinear",
    "Qwen3.5 397B-A17B": "Qwen3_5MoeText",
}  # fmt: skip


def test_each_model_with_a_state_has_its_class():
    with_state = {name for name, model in ARCHITECTURES.items() if any(layer.decay for layer in model.pattern)}
    assert STATES.keys() == with_state


@pytest.mark.parametrize("name", STATES)
def test_a_convolution_over_each_number_by_itself_comes_before_a_state_where_the_library_has_one(name):
    config = getattr(transformers, f"{STATES[name]}Config")(num_hidden_layers=2)
    with torch.device("meta"):  # without numbers it takes no memory
        network = getattr(transformers, f"{STATES[name]}Model")(config)
    found = [each for each in network.modules() if isinstance(each, torch.nn.Conv1d)]
    assert bool(found) == any(layer.convolved for layer in ARCHITECTURES[name].pattern)
    assert all(each.groups == each.in_channels and 1 < each.kernel_size[0] <= 4 for each in found)


@pytest.mark.parametrize("decay", [True, False])
@pytest.mark.parametrize("convolved", [True, False])
def test_a_decay_or_a_convolution_tells_the_order_of_what_came_before(decay, convolved):
    """One layer of Jamba with a state, and no positions: without either, the state is a sum, which has no order."""
    torch.manual_seed(0)
    config = transformers.JambaConfig(
        vocab_size=50, hidden_size=16, intermediate_size=16, num_hidden_layers=1, use_cache=False
    )
    network = transformers.JambaModel(config).eval()
    state = network.layers[0].mamba
    with torch.no_grad():
        for weights in (state.in_proj.weight, state.x_proj.weight, state.dt_proj.weight):
            weights.normal_()  # at the usual 0.02 nothing is told from rounding
        if not decay:
            state.A_log.fill_(-torch.inf)
        if not convolved:
            state.conv1d.weight[..., :-1] = 0
        one, other = (network(torch.tensor([ids])).last_hidden_state[0, -1] for ids in ([3, 4, 5, 6], [4, 3, 5, 6]))
    assert torch.allclose(one, other, atol=1e-5) == (not decay and not convolved)
