"""One text through a model's layers: equal to transformers called by hand, for every kind, with any positions."""

import threading

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel, AutoModelForCausalLM

import embedviz as ev
from embedviz.base.concurrency import script_lock
from embedviz.layers import model_queue
from embedviz.models.families import FAMILIES
from tests.models.shelf import ids_of, on_shelf
from tests.models.tiny import TINY

TEXT = "the cat sat on the mat"
NAME = "own/model"
ENCODERS = ("bert", "distilbert", "roberta", "xlm-roberta", "electra", "electra, as wide", "modernbert")
WITHOUT_POSITIONS = ("bloom", "mpt", "falcon, alibi")
REFUSED = ("t5", "opt, projected")
KINDS = [name for name in TINY if name not in REFUSED]
CLOSE = {"rtol": 0, "atol": 1e-5}


@pytest.fixture
def shelf(models_folder):
    """Puts a tiny model into the folder of models, and gives it as transformers loads it from there."""

    def put(name: str, **changes: object) -> torch.nn.Module:
        changes = {"with_head": name not in ENCODERS} | changes
        on_shelf(name, models_folder / NAME, TEXT, **changes)
        auto = AutoModel if name in ENCODERS else AutoModelForCausalLM
        return auto.from_pretrained(models_folder / NAME, attn_implementation="eager", dtype=torch.float32).eval()

    return put


def by_hand(model: torch.nn.Module, ids: list[int], positions: list[float] | None = None):
    """What transformers says. positions: as the model's class takes them."""
    more = {} if positions is None else {"position_ids": torch.tensor([positions])}
    mask = torch.ones(1, len(ids), dtype=torch.long)
    with torch.no_grad():
        return model(
            torch.tensor([ids]), attention_mask=mask, output_hidden_states=True, output_attentions=True, **more
        )


def assert_same(found: ev.Forward, said, with_words: bool) -> None:
    hidden_states = torch.stack(said.hidden_states)[:, 0].numpy()
    np.testing.assert_allclose(found.hidden_states, hidden_states, **CLOSE)
    np.testing.assert_allclose(found.attentions, torch.stack(said.attentions)[:, 0].numpy(), **CLOSE)
    np.testing.assert_allclose(found.sentence, hidden_states[-1].mean(axis=0), **CLOSE)
    if with_words:
        np.testing.assert_allclose(found.next_word, said.logits[0, -1].softmax(-1).numpy(), **CLOSE)
        assert found.next_word.sum() == pytest.approx(1, abs=1e-5)
    else:
        assert found.next_word is None


def rows(name: str, positions: list[int], model: torch.nn.Module) -> list[int]:
    """Positions as the model's class takes them: RoBERTa counts from the row after that of <pad>."""
    return [each + model.config.pad_token_id + 1 for each in positions] if "roberta" in name else positions


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_the_same_as_transformers_by_hand(shelf, name):
    model = shelf(name)
    spec = ev.Spec(source=NAME)
    ids = ids_of(name, TEXT)
    n = len(ids)
    found = ev.forward(TEXT, spec)
    assert found.tokens.ids == ids
    assert_same(found, by_hand(model, ids), name not in ENCODERS)
    for each in (found.hidden_states, found.attentions, found.sentence):
        assert each.dtype == np.float32
        assert not each.flags.writeable
    if name in WITHOUT_POSITIONS:
        with pytest.raises(ev.EmbedvizError, match=r"^The layers of own/model cannot be run: it takes no positions\. "):
            ev.forward(TEXT, spec, [0] * n)
        return
    for positions in ([0] * n, [each + 2 for each in range(n)], [1, 0, *range(2, n)], [3] * n):
        said = by_hand(model, ids, rows(name, positions, model))
        assert_same(ev.forward(TEXT, spec, positions), said, name not in ENCODERS)
    np.testing.assert_allclose(ev.forward(TEXT, spec, np.arange(n)).hidden_states, found.hidden_states, **CLOSE)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("gpt2", {"tie_word_embeddings": False}),
        ("gpt2", {"n_layer": 3, "n_head": 1, "scale_attn_by_inverse_layer_idx": True}),
        ("gpt2", {"n_inner": 7, "activation_function": "relu", "bos_token_id": None, "eos_token_id": None}),
        ("gpt2", {"vocab_size": 900}),  # more than the tokenizer has
        ("llama", {"tie_word_embeddings": True, "num_hidden_layers": 1}),
        ("llama", {"head_dim": 10, "pad_token_id": None}),
        ("llama", {"num_key_value_heads": 2, "attention_bias": True, "mlp_bias": True}),
        ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 100.0}}),
        ("qwen2", {"tie_word_embeddings": True}),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}),
        ("qwen3", {"head_dim": 8, "num_hidden_layers": 3, "tie_word_embeddings": True}),
        ("gpt_neox", {"rotary_pct": 1.0, "use_parallel_residual": False, "tie_word_embeddings": True}),
        ("smollm3", {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0], "tie_word_embeddings": False}),
        ("mistral", {"sliding_window": 2}),
        ("opt", {"do_layer_norm_before": False, "pad_token_id": None}),
        ("opt", {"tie_word_embeddings": False, "enable_bias": False, "num_hidden_layers": 2}),
        ("bloom", {"n_head": 3, "n_layer": 1}),
        ("bloom", {"apply_residual_connection_post_layernorm": True, "tie_word_embeddings": False}),
        ("bert", {"num_hidden_layers": 3, "num_attention_heads": 4, "pad_token_id": None, "type_vocab_size": 1}),
        ("roberta", {"num_hidden_layers": 2}),
        ("distilbert", {"sinusoidal_pos_embds": True}),
    ],
    ids=lambda given: given if isinstance(given, str) else ", ".join(given),
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_models_of_other_settings_are_the_same_too(shelf, name, changes, dtype):
    model = shelf(name, dtype=dtype, **changes)
    ids = ids_of(name, TEXT)
    n, with_words = len(ids), name not in ENCODERS
    assert_same(ev.forward(TEXT, ev.Spec(source=NAME)), by_hand(model, ids), with_words)
    if name not in WITHOUT_POSITIONS:
        positions = [*range(2, n), 0, 1]
        said = by_hand(model, ids, rows(name, positions, model))
        assert_same(ev.forward(TEXT, ev.Spec(source=NAME), positions), said, with_words)


def linear(x: torch.Tensor, module: torch.nn.Module) -> torch.Tensor:
    bias = 0 if module.bias is None else module.bias
    return x @ (module.weight if type(module).__name__ == "Conv1D" else module.weight.T) + bias


VALUES = {  # of a layer, from what enters it
    "bert": lambda layer, x: linear(x, layer.attention.self.value),
    "roberta": lambda layer, x: linear(x, layer.attention.self.value),
    "distilbert": lambda layer, x: linear(x, layer.attention.v_lin),
    "gpt2": lambda layer, x: linear(layer.ln_1(x), layer.attn.c_attn)[..., 2 * x.shape[-1] :],
    "opt": lambda layer, x: linear(layer.self_attn_layer_norm(x), layer.self_attn.v_proj),
    "llama": lambda layer, x: linear(layer.input_layernorm(x), layer.self_attn.v_proj),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_lengths_of_the_value_vectors_of_each_head(shelf, name):
    model = shelf(name, **({"num_key_value_heads": 2} if name == "llama" else {}))
    found = ev.forward(TEXT, ev.Spec(source=NAME))
    (layers,) = [each for each in model.modules() if isinstance(each, torch.nn.ModuleList)]
    n_layers, n_heads, n_tokens = found.attentions.shape[:3]
    assert found.value_lengths.shape == (n_layers, n_heads, n_tokens)
    for lengths, layer, states in zip(found.value_lengths, layers, found.hidden_states, strict=False):
        with torch.no_grad():
            values = VALUES[name](layer, torch.tensor(states))  # (T, heads with values times numbers)
        n_own = 2 if name == "llama" else n_heads
        for head, row in enumerate(lengths):
            own = values.chunk(n_own, -1)[head * n_own // n_heads]
            np.testing.assert_allclose(row, own.square().sum(-1).sqrt(), **CLOSE)


def test_where_values_are_made_with_queries_and_keys_their_lengths_are_not_known(shelf):
    shelf("gpt_neox")
    assert ev.forward(TEXT, ev.Spec(source=NAME)).value_lengths is None


@pytest.mark.parametrize("name", ["gpt2", "opt", "llama", "gpt_neox", "bloom", "bert", "roberta"])
@pytest.mark.parametrize("text", ["", "a", "cat"])
def test_the_shortest_texts_are_read_too(shelf, name, text):
    model = shelf(name)
    ids = ev.tokenize(text, NAME).ids
    if not ids:
        with pytest.raises(ev.EmbedvizError, match="needs one token at least"):
            ev.forward(text, ev.Spec(source=NAME))
        return
    assert_same(ev.forward(text, ev.Spec(source=NAME)), by_hand(model, ids), name not in ENCODERS)


def test_every_family_is_run_or_refused():
    assert {name.partition(",")[0] for name in (*KINDS, *REFUSED)} == set(FAMILIES)


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert"])
def test_positions_out_of_order_hide_no_token(shelf, name):
    """Without a mask, transformers takes a position that doesn't follow the one before for another text's first."""
    shelf(name)
    n = len(ids_of(name, TEXT))
    found = ev.forward(TEXT, ev.Spec(source=NAME), [0] * n)
    seen = np.ones((n, n)) if name == "bert" else np.tril(np.ones((n, n)))
    assert ((found.attentions > 0) == seen.astype(bool)).all()


@pytest.mark.parametrize("name", ["bert", "roberta", "distilbert"])
def test_an_encoder_whose_tokens_are_moved_with_their_positions_says_the_same(shelf, name):
    """Order is in the positions, not in the list: the oracle is the definition of attention without a mask."""
    shelf(name)
    a, b = ("the cat sat on the mat", "on the mat the cat sat")
    spec = ev.Spec(source=NAME, special_tokens=False)
    first = ev.forward(a, spec)
    n = len(first.tokens)
    places = {}
    for place, id_ in enumerate(first.tokens.ids):
        places.setdefault(id_, []).append(place)
    moved = [places[id_].pop(0) for id_ in ev.tokenize(b, NAME, special_tokens=False).ids]
    second = ev.forward(b, spec, moved)
    assert sorted(moved) == list(range(n))
    assert moved != list(range(n))
    np.testing.assert_allclose(second.hidden_states, first.hidden_states[:, moved], **CLOSE)
    np.testing.assert_allclose(second.sentence, first.sentence, **CLOSE)


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2", "opt", "electra"])
@pytest.mark.parametrize("scale", [0.0, 0.25, 1.0])
def test_the_share_of_the_positions_enters_as_in_embed(shelf, name, scale):
    """What enters the first layer is what `embed` computes by itself, in NumPy."""
    shelf(name)
    spec = ev.Spec(source=NAME, position_scale=scale)
    found = ev.forward(TEXT, spec)
    np.testing.assert_allclose(found.hidden_states[0], ev.embed(TEXT, spec).first_layer, **CLOSE)
    np.testing.assert_array_equal(
        ev.forward(TEXT, ev.Spec(source=NAME, position="none")).hidden_states[0],
        ev.forward(TEXT, ev.Spec(source=NAME, position_scale=0.0)).hidden_states[0],
    )


def test_with_rope_a_share_turns_by_a_share_of_the_angles(shelf):
    model = shelf("llama")
    ids = ids_of("llama", TEXT)
    halves = by_hand(model, ids, [0.5 * each for each in range(len(ids))])
    assert_same(ev.forward(TEXT, ev.Spec(source=NAME, position_scale=0.5)), halves, True)
    off = ev.forward(TEXT, ev.Spec(source=NAME, position_scale=0.0))
    np.testing.assert_allclose(off.hidden_states, ev.forward(TEXT, ev.Spec(source=NAME), [0] * len(ids)).hidden_states)


def test_a_share_is_refused_for_alibi(shelf):
    shelf("bloom")
    with pytest.raises(ev.EmbedvizError, match="it takes no positions"):
        ev.forward(TEXT, ev.Spec(source=NAME, position_scale=0.5))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", ["bert", "gpt2", "qwen3"])
def test_files_with_half_the_bits_and_in_several_parts_are_run_in_float32(shelf, models_folder, name, dtype):
    model = shelf(name, dtype=dtype, max_shard_size="4KB")
    assert len([*(models_folder / NAME).glob("*.safetensors")]) > 1
    assert_same(ev.forward(TEXT, ev.Spec(source=NAME)), by_hand(model, ids_of(name, TEXT)), name not in ENCODERS)


@pytest.mark.parametrize("name", ["bert", "distilbert", "roberta", "modernbert"])
def test_an_encoders_file_with_another_head_is_run(shelf, name):
    model = shelf(name, with_head=True)
    said = by_hand(model, ids_of(name, TEXT))
    assert_same(ev.forward(TEXT, ev.Spec(source=NAME)), said, False)


def test_special_tokens_are_those_that_the_spec_asks_for(shelf):
    model = shelf("bert")
    with_them, without = (ev.forward(TEXT, ev.Spec(source=NAME, special_tokens=each)) for each in (True, False))
    assert with_them.tokens.ids == [2, *without.tokens.ids, 3]
    assert_same(without, by_hand(model, without.tokens.ids), False)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([0], r"^positions must be {n} whole numbers, one for each token, not 1\.$"),
        ([], r"^positions must be {n} whole numbers, one for each token, not 0\.$"),
        ([-1] * 8, r"^positions must be a whole number from 0 to 16,777,216, not -1\.$"),
        ([2**24 + 1] * 8, r"not 16777217\.$"),
        ([0.5] * 8, r"not 0\.5\.$"),
        ([True] * 8, r"not True\.$"),
        ([[0]] * 8, r"not \[0\]\.$"),
        (["0"] * 8, r"not '0'\.$"),
        ([None] * 8, r"not None\.$"),
    ],
)
def test_positions_that_are_none_are_refused(shelf, positions, said):
    shelf("qwen3")
    n = len(ids_of("qwen3", TEXT))
    with pytest.raises(ev.EmbedvizError, match=said.replace("{n}", str(n))):
        ev.forward(TEXT, ev.Spec(source=NAME), positions)


def test_positions_end_where_a_table_ends(shelf):
    shelf("bert")
    spec = ev.Spec(source=NAME)
    n = len(ids_of("bert", TEXT))
    assert ev.forward(TEXT, spec, [19] * n).hidden_states.shape[1] == n
    with pytest.raises(ev.EmbedvizError, match=r"^positions must be a whole number from 0 to 19, not 20\.$"):
        ev.forward(TEXT, spec, [20] * n)
    with pytest.raises(ev.EmbedvizError, match="the learned table ends at context_length 20"):
        ev.forward("cat " * 20, spec)


def test_positions_of_another_scheme_are_refused(shelf):
    shelf("bert")
    with pytest.raises(ev.EmbedvizError, match=r"^own/model was trained with the positions learned\. Take these "):
        ev.forward(TEXT, ev.Spec(source=NAME, position="sinusoidal"))
    with pytest.raises(ev.EmbedvizError, match="positions must be a whole number from 0 to 19, not 61"):
        ev.forward("cat " * 60, ev.Spec(source=NAME, position="none"))


def test_a_text_without_tokens_is_refused(shelf):
    shelf("gpt2")
    with pytest.raises(ev.EmbedvizError, match=r"^A model needs one token at least\. Write a word\.$"):
        ev.forward("", ev.Spec(source=NAME, special_tokens=False))


def test_a_source_without_layers_is_refused():
    with pytest.raises(ev.EmbedvizError, match=r"^The source random has no layers"):
        ev.forward("dog", ev.Spec())


def test_the_same_again_costs_nothing_and_new_files_count(shelf, models_folder):
    shelf("gpt2")
    spec = ev.Spec(source=NAME)
    first = ev.forward(TEXT, spec)
    assert ev.forward(TEXT, spec) is first
    assert ev.forward(TEXT, spec, [0] * len(first.tokens)) is not first
    shelf("gpt2", n_layer=2)
    assert len(ev.forward(TEXT, spec).hidden_states) == 3


def test_a_page_that_waits_for_a_model_lets_others_run(shelf, monkeypatch):
    shelf("gpt2")
    ran = threading.Event()

    def other() -> None:
        script_lock.acquire()
        ran.set()
        script_lock.release()

    def run(*given):
        threading.Thread(target=other).start()
        assert ran.wait(60)
        return before(*given)

    before = model_queue.compute
    monkeypatch.setattr(model_queue, "compute", run)
    script_lock.acquire()
    try:
        ev.forward(TEXT, ev.Spec(source=NAME))
    finally:
        script_lock.release()


@given(st.permutations(range(6)), st.integers(0, 40))
def test_rope_sees_distances_alone(rope, order, shift):
    spec = ev.Spec(source=rope, special_tokens=False)
    text = "catmat"
    n = len(ev.tokenize(text, rope, special_tokens=False))
    positions = [each for each in order if each < n]
    found, moved = (ev.forward(text, spec, [each + by for each in positions]) for by in (0, shift))
    np.testing.assert_allclose(found.hidden_states, moved.hidden_states, rtol=0, atol=2e-4)
    np.testing.assert_array_equal(found.hidden_states[0], ev.embed(text, spec).first_layer)


@pytest.fixture(scope="module")
def rope(tmp_path_factory):
    """A tiny Llama in a folder of models, for all examples of a test."""
    folder = tmp_path_factory.mktemp("models")
    on_shelf("llama", folder / "own/rope", TEXT, with_head=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDVIZ_MODELS", str(folder))
        ev.base.settings.configured.cache_clear()
        yield "own/rope"
    ev.base.settings.configured.cache_clear()
