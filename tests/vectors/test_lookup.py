"""The embedding layer against PyTorch's own."""

import inspect
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.errors import EmbedvizError
from embedviz.vectors.lookup import (
    MAX_IDS,
    MODELS,
    ModelSize,
    check_ids,
    look_up,
    lookup_cost,
    one_hot_cost,
    parse_ids,
    pytorch_error,
)
from embedviz.vectors.spec import Spec
from embedviz.vectors.tables import token_table

# The worked example that the field's readers know, to four decimals.
ROWS = [
    [0.3374, -0.1778, -0.1690],
    [0.9178, 1.5810, 1.3010],
    [1.2753, -0.2010, -0.1606],
    [-0.4015, 0.9666, -1.1481],
    [-1.1589, 0.3255, -0.6315],
    [-2.8400, -0.7849, -1.4096],
]


def small_table():
    return token_table(6, Spec(output_dim=3))


def test_the_default_table_has_the_numbers_of_the_worked_example():
    np.testing.assert_allclose(small_table(), ROWS, atol=5.1e-5, rtol=0)


def test_ids_pick_rows_in_their_order():
    expected = [ROWS[id_] for id_ in (2, 3, 5, 1)]
    np.testing.assert_allclose(look_up([2, 3, 5, 1], small_table()).rows, expected, atol=5.1e-5, rtol=0)


def test_the_same_id_gives_the_same_row_wherever_it_stands():
    rows = look_up([5, 1, 5], small_table()).rows
    assert rows[0].tobytes() == rows[2].tobytes()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_lookup_one_hot_and_pytorch_agree(ids, output_dim, seed):
    found = look_up(ids, token_table(6, Spec(output_dim=output_dim, seed=seed)))
    torch.manual_seed(seed)
    layer = torch.nn.Embedding(6, output_dim)
    with torch.no_grad():
        assert found.rows.tolist() == layer(torch.tensor(ids)).tolist()
        assert found.one_hot.tolist() == torch.nn.functional.one_hot(torch.tensor(ids), 6).float().tolist()
    assert found.largest_difference == 0


def test_costs_at_gpt2_size():
    gpt2 = ModelSize("GPT-2", 50257, 768)
    assert lookup_cost(4, gpt2).multiplications == 0
    assert lookup_cost(4, gpt2).bytes_read == 4 * 768 * 4 + 4 * 8
    assert one_hot_cost(4, gpt2).multiplications == 4 * 50257 * 768
    assert one_hot_cost(4, gpt2).bytes_read == (4 * 50257 + 50257 * 768) * 4


def test_sizes_of_real_models():
    sizes = {model.name: model for model in MODELS}
    assert sizes["This app, unless changed"].parameters == 12_865_792
    assert (sizes["GPT-2"].output_dim, sizes["GPT-3"].output_dim) == (768, 12_288)
    on_meta = torch.nn.Embedding(50257, 768, device="meta").weight
    assert sizes["GPT-2"].parameters == on_meta.numel()
    assert sizes["GPT-2"].nbytes(4) == on_meta.numel() * torch.float32.itemsize
    assert sizes["GPT-2"].nbytes(2) == on_meta.numel() * torch.float16.itemsize


# The model that the configuration class of each family in transformers says it describes.
DESCRIBED = {
    "T5 small": "google-t5/t5-small", "BERT base": "google-bert/bert-base-uncased", "GPT-2": "openai-community/gpt2",
    "RoBERTa base": "FacebookAI/roberta-base", "ModernBERT base": "answerdotai/ModernBERT-base",
    "Phi-3 mini": "microsoft/Phi-3-mini-4k-instruct", "Llama 2 7B": "meta-llama/Llama-2-7b-hf",
    "SmolLM3 3B": "HuggingFaceTB/SmolLM3-3B", "Falcon 7B": "tiiuae/falcon-7b", "gpt-oss 20B": "openai/gpt-oss-20b",
    "Qwen3 8B": "Qwen/Qwen3-8B",
}  # fmt: skip


@pytest.mark.parametrize("model", [model for model in MODELS if model.family], ids=lambda model: model.name)
def test_sizes_are_those_of_transformers(model):
    config = transformers.AutoConfig.for_model(model.family)
    assert (model.vocab_size, model.output_dim) == (config.vocab_size, config.hidden_size)
    source = Path(inspect.getfile(type(config))).read_text(encoding="utf-8")
    assert f'checkpoint="{DESCRIBED[model.name]}"' in source


def test_sizes_stand_in_order():
    assert [model.parameters for model in MODELS] == sorted(model.parameters for model in MODELS)


@pytest.mark.parametrize("text", ["2, 3, 5, 1", "2 3 5 1", "[2, 3, 5, 1]", "2;3;5;1,", " 2,3,\t5\n1 "])
def test_ids_are_read_from_many_spellings(text):
    assert parse_ids(text) == (2, 3, 5, 1)


@pytest.mark.parametrize("text", ["2, x", "1.5", "1e3", "0x10", "²", "--1", "1 + 1"])
def test_what_is_no_whole_number_is_named(text):
    with pytest.raises(EmbedvizError, match="is not a whole number"):
        parse_ids(text)


def test_an_id_that_no_integer_type_holds_is_too_large():
    with pytest.raises(EmbedvizError, match="too large"):
        parse_ids("9" * 30)


def test_no_ids_and_too_many_ids():
    with pytest.raises(EmbedvizError, match="at least one ID"):
        parse_ids(" ,, ")
    with pytest.raises(EmbedvizError, match=f"the limit is {MAX_IDS}"):
        parse_ids("1 " * (MAX_IDS + 1))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        ids = parse_ids(text)
    except EmbedvizError:
        return
    assert 0 < len(ids) <= MAX_IDS


@pytest.mark.parametrize("id_", [-1, 6, 10**12])
def test_an_id_outside_the_table_is_refused_as_pytorch_refuses_it(id_):
    with pytest.raises(EmbedvizError, match="the IDs 0 to 5"):
        check_ids([0, id_], 6)
    assert "IndexError" in pytorch_error(6, 3, [0, id_])


def test_pytorch_says_nothing_while_every_id_is_small_enough():
    assert pytorch_error(4, 3, [0, 3]) is None
