"""What the table of architectures says is what transformers' own configuration classes and code say."""

import inspect
import re
from pathlib import Path

import pytest
import torch
import transformers
from transformers import masking_utils

from embedviz.models.architectures import ARCHITECTURES, DRAWN, Architecture, Layer, kinds
from embedviz.positions import SCHEMES

LIBRARY = Path(transformers.__file__).parent
HELD = [(name, fact) for name, each in ARCHITECTURES.items() for fact in each.held.split()]
CODED = [each for each in ARCHITECTURES.values() if each.config]
SEES = {
    "full_attention": "all", "sliding_attention": "near", "chunked_attention": "chunk", "linear_attention": "state",
    "global": "all", "local": "near",
}  # fmt: skip
# Of these the library's modelling code, and no configuration, leaves positions out where a layer sees everything.
NONE_WHERE_ALL_IS_SEEN = {"Cohere2Config", "Exaone4Config"}


def configuration(model: Architecture) -> object:
    return getattr(transformers, model.config)(**dict(model.size))


def first(config: object, *names: str) -> object:
    """The first of these attributes that has a value."""
    return next((value for name in names if (value := getattr(config, name, None)) is not None), None)


def rotations(config: object) -> list[dict]:
    """The parameters of RoPE, of each kind of layer if they differ."""
    found = config.rope_parameters
    return list(found.values()) if all(isinstance(each, dict) for each in found.values()) else [found]


def layers(config: object) -> list[tuple[str, bool]]:
    """What each layer sees, and whether its queries and keys turn, as the class says."""
    stated = first(config, "layer_types", "attention_layers")
    n_layers = len(stated) if stated else config.num_hidden_layers
    sees = [SEES[kind] for kind in stated] if stated else ["all"] * n_layers
    turns = first(config, "no_rope_layers") or [hasattr(config, "rope_parameters")] * n_layers
    if type(config).__name__ in NONE_WHERE_ALL_IS_SEEN:
        turns = [kind == "near" for kind in sees]
    return [(kind, bool(turn) and kind != "state") for kind, turn in zip(sees, turns, strict=True)]


def ours(model: Architecture, n_layers: int) -> list[tuple[str, bool]]:
    pattern = model.stacks[0].pattern
    found = [pattern[n % len(pattern)] for n in range(n_layers)]
    return [(layer.sees, layer.scheme == "rope") for layer in found]


def check_layers(model: Architecture, config: object) -> None:
    known = layers(config)
    assert ours(model, len(known)) == known
    drawn = {stack.n_layers for stack in model.stacks}
    assert drawn in ({0}, {len(known)})


def check_base(model: Architecture, config: object) -> None:
    assert model.bases == tuple(sorted({each["rope_theta"] for each in rotations(config)}))


def check_scaling(model: Architecture, config: object) -> None:
    (found,) = rotations(config)
    assert (model.scaling, model.factor) == (found["rope_type"], found["factor"])


def check_trained(model: Architecture, config: object) -> None:
    original = rotations(config)[0].get("original_max_position_embeddings") if model.scaling in SCALED else None
    assert model.trained == (original or first(config, "max_position_embeddings", "n_positions", "max_seq_len"))


SCALED = {"yarn", "llama3"}


def check_extended(model: Architecture, config: object) -> None:
    assert model.extended == config.max_position_embeddings


def check_window(model: Architecture, config: object) -> None:
    names = ("local_attention", "attention_chunk_size", "sliding_window", "window_size", "attention_window")
    assert model.windows == (first(config, *names),)


def check_rotated(model: Architecture, config: object) -> None:
    if hasattr(config, "qk_rope_head_dim"):
        share = config.qk_rope_head_dim / (config.qk_rope_head_dim + config.qk_nope_head_dim)
    elif hasattr(config, "rotary_dim"):
        share = config.rotary_dim / (config.n_embd // config.n_head)
    else:
        share = min(each.get("partial_rotary_factor", 1) for each in rotations(config))
    assert min(layer.rotated for layer in model.pattern) == share


CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}


@pytest.mark.parametrize(("name", "fact"), HELD)
def test_the_class_states_it(name, fact):
    model = ARCHITECTURES[name]
    CHECKS[fact](model, configuration(model))


def test_most_rows_and_all_strips_are_held_against_the_library():
    assert len(ARCHITECTURES) >= 30
    assert {fact for _, fact in HELD} == set(CHECKS)
    assert len(HELD) > 90
    assert all("layers" in ARCHITECTURES[name].held for name in DRAWN)
    assert len(DRAWN) == len(set(DRAWN)) == 12


def test_the_rows_stand_in_the_order_of_their_years_and_name_known_schemes():
    years = [each.year for each in ARCHITECTURES.values()]
    assert years == sorted(years)
    assert {scheme for each in ARCHITECTURES.values() for scheme in each.schemes} <= set(SCHEMES)


@pytest.mark.parametrize("model", ARCHITECTURES.values(), ids=ARCHITECTURES)
def test_a_row_says_nothing_that_cannot_be(model):
    assert model.sources
    assert not model.extended or model.extended > model.trained
    assert bool(model.held) <= bool(model.config)
    for layer in model.pattern:
        assert bool(layer.base) <= (layer.scheme == "rope")
        assert (layer.rotated != 1) <= (layer.scheme == "rope")
        assert bool(layer.window) <= (layer.sees in ("near", "chunk"))
    assert bool(model.scaling) <= ("rope" in model.schemes)


@pytest.mark.parametrize("model", CODED, ids=lambda model: model.name)
def test_the_sources_that_the_package_holds_are_there(model):
    folder = Path(inspect.getfile(getattr(transformers, model.config))).parent
    files = [source for source in model.sources if source.startswith("models/")]
    assert all((LIBRARY / file).exists() or "/convert_" in file for file in files)
    assert any((LIBRARY / file).parent == folder for file in files) or not model.held


# What stands for a scheme in a model's code. Where positions are left out, each folder has its own way to do it.
TRACES = {
    "rope": r"[Rr]otary", "alibi": r"alibi", "learned": r"position_embedding|\bwpe\b|positions_embed",
    "t5": r"relative_attention_bias", "deberta": r"rel_embeddings|pos_proj", "transformer_xl": r"rel_shift",
}  # fmt: skip
LEAVE_OUT = {
    "llama4": r"if self\.use_rope:", "smollm3": r"if self\.use_rope:",
    "cohere2": r"if self\.sliding_window is not None:\s+query_states, key_states = apply_rotary",
    "exaone4": r"or self\.is_sliding:\s+query_states, key_states = apply_rotary",
}  # fmt: skip
NEVER_CALLED = r"= apply_rotary_pos_emb"  # in Jamba and Kimi Linear


@pytest.mark.parametrize("model", CODED, ids=lambda model: model.name)
def test_the_code_of_a_model_has_its_schemes(model):
    folder = Path(inspect.getfile(getattr(transformers, model.config))).parent
    code = "".join(path.read_text() for path in sorted(folder.glob("*.py")))
    for scheme in model.schemes:
        if scheme != "none":
            assert re.search(TRACES[scheme], code)
        elif folder.name in LEAVE_OUT:
            assert re.search(LEAVE_OUT[folder.name], code)
        else:
            assert not re.search(NEVER_CALLED, code)


@pytest.mark.parametrize("model", CODED, ids=lambda model: model.name)
def test_sinks_are_where_the_code_has_them(model):
    folder = Path(inspect.getfile(getattr(transformers, model.config))).parent
    code = (folder / f"modeling_{folder.name}.py").read_text()
    assert any(layer.sinks for layer in model.pattern) == bool(re.search(r"self\.sinks = nn\.Parameter", code))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("gpt-oss", {("near", 128): 18, ("all", 0): 18}),
        ("Gemma 3", {("near", 1024): 29, ("all", 0): 5}),
        ("Llama 4 Scout", {("chunk", 8192): 36, ("all", 0): 12}),
        ("Qwen3-Next", {("state", 0): 36, ("all", 0): 12}),
        ("T5", {("all", 0): 12}),
    ],
)
def test_layers_are_counted_by_kind(name, counts):
    assert {(layer.sees, layer.window): n for layer, n in kinds(ARCHITECTURES[name].layers).items()} == counts


def test_a_pattern_is_cut_where_the_layers_end():
    found = ARCHITECTURES["Gemma 3"].layers
    assert [n for n, layer in enumerate(found) if layer.sees == "all"] == [5, 11, 17, 23, 29]
    assert found[-1] == Layer("rope", "near", 1024, 1e4)


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
