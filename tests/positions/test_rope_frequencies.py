"""RoPE's frequencies against the papers' formulas and real models' own, for real configurations and for any numbers."""

import math
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import Gemma3TextConfig, GptOssConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding
from transformers.models.gemma4.configuration_gemma4 import Gemma4TextConfig
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXConfig, GPTNeoXRotaryEmbedding
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.phi3.modeling_phi3 import Phi3Config, Phi3RotaryEmbedding

import embedviz as ev
from embedviz.positions import rope_frequencies
from tests.positions import rope_formulas

frequencies = ev.positions.rope.frequencies

LLAMA_3_1 = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192, "max_position_embeddings": 131072,
}  # fmt: skip
QWEN_YARN = {
    "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "max_position_embeddings": 32768,
}  # fmt: skip
GPT_OSS = {
    "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
    "original_max_position_embeddings": 4096, "max_position_embeddings": 131072,
}  # fmt: skip
DEEPSEEK_V3 = {
    "type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 4096, "max_position_embeddings": 163840,
}  # fmt: skip
DEEPSEEK_V2 = DEEPSEEK_V3 | {"mscale": 1.0, "mscale_all_dim": 0.707}
PHI_LONG, PHI_SHORT = ([1 + most * k**2 / 47**2 for k in range(48)] for most in (64, 2))  # as wide as Phi-3.5's
PHI_3_5 = {
    "rope_type": "longrope", "long_factor": PHI_LONG, "short_factor": PHI_SHORT,
    "original_max_position_embeddings": 4096, "max_position_embeddings": 131072,
}  # fmt: skip
DYNAMIC = {"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": 2048}
GEMMA_3 = {"rope_type": "linear", "factor": 8.0, "max_position_embeddings": 131072}
GEMMA_4 = {"rope_type": "proportional", "partial_rotary_factor": 0.25, "max_position_embeddings": 131072}


def assert_same(ours, theirs):
    (inv_freq, attention_factor), (expected, expected_factor) = ours, theirs
    assert inv_freq.dtype == np.float32
    assert np.array_equal(inv_freq, expected)
    assert type(attention_factor) is float
    assert attention_factor == expected_factor


@pytest.mark.parametrize("seq_len", [None, 100, 4096, 4097, 200_000])
@pytest.mark.parametrize(
    ("head_dim", "base", "scaling"),
    [
        (128, 500_000.0, LLAMA_3_1),
        (64, 500_000.0, LLAMA_3_1 | {"factor": 32.0}),
        (128, 1_000_000.0, QWEN_YARN),
        (64, 150_000.0, GPT_OSS),
        (64, 10_000.0, DEEPSEEK_V3),
        (64, 10_000.0, DEEPSEEK_V2),
        (96, 10_000.0, PHI_3_5),
        (96, 10_000.0, PHI_3_5 | {"factor": 16.0}),
        (96, 10_000.0, PHI_3_5 | {"attention_factor": 1.5}),
        (128, 10_000.0, DYNAMIC),
        (256, 1_000_000.0, GEMMA_3),
        (512, 1_000_000.0, GEMMA_4),
        (80, 10_000.0, GEMMA_3 | {"partial_rotary_factor": 0.4}),
    ],
    ids=[
        "Llama 3.1", "Llama 3.2", "Qwen2.5", "gpt-oss", "DeepSeek-V3", "DeepSeek-V2", "Phi-3.5", "factor wins",
        "attention factor given", "dynamic", "Gemma 3", "Gemma 4", "a part",
    ],
)  # fmt: skip
def test_real_configurations(head_dim, base, scaling, seq_len):
    case = head_dim, base, scaling, seq_len
    assert_same(frequencies(*case), rope_formulas.frequencies(*case))


def test_of_the_models_themselves():
    """What the models' own modules hold, with the dictionaries that their configs carry."""
    gpt_oss = GptOssConfig()
    ours, factor = frequencies(gpt_oss.head_dim, scaling=gpt_oss.rope_parameters)
    module = LlamaRotaryEmbedding(gpt_oss)
    assert np.array_equal(ours, module.inv_freq)
    assert factor == module.attention_scaling == pytest.approx(1.3466, abs=1e-4)

    neox = GPTNeoXConfig()
    ours, factor = frequencies(neox.hidden_size // neox.num_attention_heads, scaling=neox.rope_parameters)
    assert np.array_equal(ours, GPTNeoXRotaryEmbedding(neox).inv_freq)
    assert (len(ours), factor) == (12, 1.0)

    phi = Phi3Config(
        hidden_size=96, num_attention_heads=1, num_key_value_heads=1, max_position_embeddings=131072,
        original_max_position_embeddings=4096,
        rope_scaling={"type": "longrope", "long_factor": PHI_LONG, "short_factor": PHI_SHORT},
    )  # fmt: skip
    module = Phi3RotaryEmbedding(phi)
    scaling = phi.rope_parameters | {"max_position_embeddings": 131072}
    ours, factor = frequencies(96, scaling=scaling)
    assert np.array_equal(ours, module.inv_freq)
    assert factor == module.attention_scaling == pytest.approx(math.sqrt(1 + 5 / 12))
    module(torch.zeros(1, 1, 96), torch.tensor([[5000]]))
    assert np.array_equal(frequencies(96, scaling=scaling, seq_len=5001)[0], module.inv_freq)

    gemma = Gemma4TextConfig()
    whole = gemma.rope_parameters["full_attention"]
    ours, factor = frequencies(512, scaling=whole)
    assert (len(ours), int((ours > 0).sum()), factor) == (256, 64, 1.0)
    assert ours[63] == pytest.approx(1e6 ** (-126 / 512))


def test_gemma_3_has_two_dictionaries():
    gemma = Gemma3TextConfig()
    module = Gemma3RotaryEmbedding(gemma)
    for layer in ("full_attention", "sliding_attention"):
        ours, factor = frequencies(gemma.head_dim, scaling=gemma.rope_parameters[layer])
        assert np.array_equal(ours, getattr(module, f"{layer}_inv_freq"))
        assert factor == 1.0
    with pytest.raises(ev.EmbedvizError, match=r"pass one of them: (sliding|full)_attention, (sliding|full)_attention"):
        frequencies(gemma.head_dim, scaling=gemma.rope_parameters)


# The papers' formulas, one pair at a time -----------------------------------------------------------


def test_without_scaling_it_is_the_paper():
    """Su et al. 2021, section 3.3, and the number that everybody knows: pair 0 turns by 1 radian a position."""
    found, factor = frequencies(8)
    np.testing.assert_allclose(found, [1.0, 0.1, 0.01, 0.001], rtol=1e-7)
    assert factor == 1.0
    assert np.array_equal(frequencies(8, scaling={})[0], found)
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 2


def test_yarn_is_its_paper():
    """Peng et al. 2023, equations 17 to 23, without the rounding that their code adds: the ramp over turns r(d)."""
    trained, s = 4096, 8.0
    found, factor = frequencies(128, scaling=GPT_OSS | {"factor": s})
    low, high = (64 * math.log(trained / (beta * 2 * math.pi)) / math.log(10_000) for beta in (32, 1))
    for k in range(64):
        theta = 10_000 ** (-2 * k / 128)
        gamma = 1 - min(max((k - low) / (high - low), 0), 1)
        assert found[k] == pytest.approx((1 - gamma) * theta / s + gamma * theta, rel=2e-6)
    assert factor == pytest.approx(0.1 * math.log(s) + 1)


def test_llama_3_keeps_short_wavelengths_and_stretches_long_ones():
    """Grattafiori et al. 2024 and the code beside it: 8,192 / 4 and 8,192 / 1 positions are the two borders."""
    found, _factor = frequencies(128, 500_000.0, LLAMA_3_1)
    for k in range(64):
        theta = 500_000.0 ** (-2 * k / 128)
        wave = 2 * math.pi / theta
        smooth = (8192 / wave - 1) / 3
        wanted = theta if wave < 2048 else theta / 8 if wave > 8192 else (1 - smooth) * theta / 8 + smooth * theta
        assert found[k] == pytest.approx(wanted, rel=2e-6)


def test_dynamic_slows_the_slowest_pair_as_much_as_the_text_is_longer():
    """bloc97's NTK-aware base: pair 0 is kept and the last one interpolated, here by 2 * 4096 / 2048 - 1 = 3."""
    plain, longer = frequencies(64)[0], frequencies(64, scaling=DYNAMIC, seq_len=4096)[0]
    assert longer[0] == plain[0]
    assert longer[-1] == pytest.approx(plain[-1] / 3, rel=1e-5)
    assert np.array_equal(frequencies(64, scaling=DYNAMIC, seq_len=2048)[0], plain)


# Any numbers ----------------------------------------------------------------------------------------

FACTOR = st.floats(1, 64)
LENGTH = st.integers(256, 2**17)
POSITIVE = st.floats(0.5, 4)


@st.composite
def scalings(draw):
    """A complete dictionary of any type, and the head that it is for."""
    n_pairs = draw(st.integers(2, 64))
    kind = draw(st.sampled_from(list(ROPE_INIT_FUNCTIONS)))
    lengths = {"original_max_position_embeddings": draw(LENGTH), "max_position_embeddings": draw(LENGTH)}
    given = {"rope_type": kind, "factor": draw(FACTOR), **lengths}
    if kind == "longrope":
        given |= {name: draw(st.lists(POSITIVE, min_size=n_pairs, max_size=n_pairs)) for name in _LISTS}
    if kind == "llama3":
        given["low_freq_factor"] = draw(POSITIVE)
        given["high_freq_factor"] = given["low_freq_factor"] + draw(POSITIVE)
    if kind == "yarn":
        more = {"beta_fast": st.floats(2, 64), "beta_slow": st.floats(0.1, 2), "truncate": st.booleans()}
        given |= draw(st.fixed_dictionaries({}, optional=more | {"mscale": POSITIVE, "mscale_all_dim": POSITIVE}))
    return 2 * n_pairs, draw(st.floats(100, 1e7)), given


_LISTS = ("long_factor", "short_factor")


@settings(max_examples=60, deadline=None)
@given(scalings(), st.none() | st.integers(1, 2**20))
def test_any_dictionary_gives_what_its_formula_gives(case, seq_len):
    assert_same(frequencies(*case, seq_len), rope_formulas.frequencies(*case, seq_len))


@settings(max_examples=60, deadline=None)
@given(scalings().filter(lambda case: case[2]["rope_type"] not in ("longrope", "dynamic")))
def test_no_pair_gets_faster_and_none_slower_than_the_factor(case):
    head_dim, base, scaling = case
    ratio = frequencies(*case)[0] / frequencies(head_dim, base)[0]
    assert (ratio <= 1 + 1e-5).all()
    assert (ratio >= (1 - 1e-5) / scaling["factor"]).all()


# What is refused ------------------------------------------------------------------------------------

COMPLETE = {
    "linear": {"factor": 2.0},
    "dynamic": {"factor": 2.0, "max_position_embeddings": 64},
    "yarn": {"factor": 2.0, "original_max_position_embeddings": 64},
    "longrope": {
        "factor": 2.0, "original_max_position_embeddings": 64, "long_factor": [1.0] * 4, "short_factor": [1.0] * 4,
    },
    "llama3": {
        "factor": 2.0, "original_max_position_embeddings": 64, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, given in COMPLETE.items() for key in given])
def test_a_missing_key_is_named(name, key):
    whole = {"rope_type": name, **COMPLETE[name]}
    frequencies(8, scaling=whole)
    needed = "max_position_embeddings" if (name, key) == ("longrope", "factor") else key  # for the ratio in its place
    with pytest.raises(ev.EmbedvizError, match=f"“{name}” needs “{needed}”"):
        frequencies(8, scaling={each: value for each, value in whole.items() if each != key})


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0])
@pytest.mark.parametrize(("name", "key"), [(name, key) for name, given in COMPLETE.items() for key in given])
def test_a_number_that_is_negative_or_not_finite_is_named(name, key, value):
    whole = {"rope_type": name, **COMPLETE[name], key: value}
    with pytest.raises(ev.EmbedvizError, match=f"{key} must be a finite positive number"):
        frequencies(8, scaling=whole)


@pytest.mark.parametrize("value", [0, 10**400, "2", [2.0]])
@pytest.mark.parametrize("name", ["linear", "yarn", "llama3"])
def test_a_factor_that_is_none_is_refused(name, value):
    with pytest.raises(ev.EmbedvizError, match="These numbers give"):
        frequencies(8, scaling={"rope_type": name, **COMPLETE[name], "factor": value})


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"head_dim": 7}, "7 rotated dimensions of 7 do not make whole pairs"),
        ({"head_dim": 0}, "head_dim must be a whole number"),
        ({"head_dim": 64.0}, "head_dim must be a whole number"),
        ({"scaling": {"partial_rotary_factor": 0.1}}, "0 rotated dimensions of 8"),
        ({"scaling": {"partial_rotary_factor": 0.4}}, "3 rotated dimensions of 8"),
        ({"scaling": {"partial_rotary_factor": 1.5}}, "12 rotated dimensions of 8"),
        ({"head_dim": 7, "scaling": {"rope_type": "proportional"}}, "7 rotated dimensions of 7"),
        ({"head_dim": 2, "scaling": DYNAMIC}, "give no frequencies"),
        ({"scaling": {"rope_type": "ntk"}}, "rope_type must be one of default, linear, dynamic, yarn, longrope"),
        ({"scaling": {"rope_type": None}}, "rope_type must be one of"),
        ({"scaling": ["yarn"]}, "dictionary or None"),
        ({"scaling": PHI_3_5}, "give no frequencies"),
        ({"scaling": QWEN_YARN, "base": 1.0}, "give no frequencies"),
        ({"base": math.nan}, "rope_theta must be a finite positive number"),
        ({"base": 0}, "negative, or too large for float32"),
        ({"scaling": {"rope_theta": -1.0}}, "rope_theta must be a finite positive number"),
        ({"seq_len": 0}, "seq_len must be a whole number"),
        ({"seq_len": 2.5}, "seq_len must be a whole number"),
    ],
)  # fmt: skip
def test_what_is_refused(how, said):
    with pytest.raises(ev.EmbedvizError, match=said):
        frequencies(**({"head_dim": 8} | how))


def test_only_a_scaling_needs_transformers(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers.modeling_rope_utils", None)  # which makes its import fail
    assert len(frequencies(8)[0]) == 4
    with pytest.raises(ImportError):
        frequencies(8, scaling={"rope_type": "linear", "factor": 2.0})
    monkeypatch.delitem(sys.modules, "transformers.modeling_rope_utils")
    assert [rope_frequencies.is_ready(name) for name in ("none", "linear")] == [True, False]
