"""The biases that a T5 has learned: those that transformers adds, and what is said of them."""

import numpy as np
import pytest
import torch

from embedviz.attention.t5_biases import REACH, LearnedBiases, learned_biases
from embedviz.base.errors import EmbedvizError
from embedviz.models import Layout, hub_model
from embedviz.models.families import layout
from embedviz.programs.schemes.relative import pytorch_distance
from tests.models.tiny import made

ENCODER = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
STEPS = np.arange(-REACH, REACH + 1)


@pytest.fixture
def tiny(hub_server, tmp_path):
    """A server with a tiny T5, encoder and decoder, and GPT-2; the T5."""
    model = made("t5", with_head=True)
    model.save_pretrained(tmp_path / "t5")
    hub_server.files["tiny/t5"] = tmp_path / "t5"
    return model


def test_the_biases_are_those_that_the_encoder_adds(tiny):
    attention = tiny.encoder.block[0].layer[0].SelfAttention
    with torch.no_grad():
        added = attention.compute_bias(REACH + 1, REACH + 1)[0].numpy()  # (H, query, key)
    found = learned_biases(hub_model("tiny/t5"))
    assert np.array_equal(found.distances, STEPS)
    assert found.by_distance[:, REACH:].tobytes() == added[:, 0].tobytes()  # keys after the first query
    assert found.by_distance[:, : REACH + 1].tobytes() == added[:, -1].tobytes()  # keys before the last
    assert found.table.tobytes() == attention.relative_attention_bias.weight.detach().numpy().tobytes()


def test_the_decoders_biases_are_never_taken(tiny):
    decoder = tiny.decoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight.detach().numpy()
    assert not np.array_equal(hub_model("tiny/t5").position_biases(), decoder)
    find = layout({"model_type": "t5"}).find
    assert find([ENCODER, ENCODER.replace("encoder", "decoder")], ENCODER) == ENCODER
    assert find([ENCODER.replace("encoder", "decoder")], ENCODER) is None


def test_only_t5_has_the_table():
    sizes = {"relative_attention_num_buckets": 6, "num_heads": 3}
    assert layout({"model_type": "t5"} | sizes).shapes[ENCODER] == (6, 3)
    assert ENCODER not in layout({"model_type": "t5"} | sizes).small
    assert layout({"model_type": "t5", "num_attention_heads": 5}).heads == 5
    assert layout({"model_type": "gpt2"}).bias is None


def test_a_model_without_such_biases_has_none(hub_server):
    assert learned_biases(hub_model("gpt2")) is None
    with pytest.raises(EmbedvizError, match="adds a learned vector for each position"):
        hub_model("gpt2").position_biases()


def test_what_was_known_to_an_earlier_version_is_read_again(tiny, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(Layout, "shapes", property(_without))
        assert hub_model("tiny/t5").token_rows([3]).shape == (1, 12)
    hub_model.cache_clear()  # a new process
    assert hub_model("tiny/t5").position_biases().shape == (32, 2)


def _without(described):
    return {described.token: (described.vocab_size, described.output_dim)}


def test_which_heads_fall_with_distance():
    """A table by hand: one head falls, one rises, one hardly falls, and one favours only the token itself."""
    near = np.isin(np.arange(32) % 16, range(1, 9))
    far = np.isin(np.arange(32) % 16, range(13, 16))
    table = np.stack([2 * near, 3 * far, 0.5 * near, 9.0 * (np.arange(32) == 0)], axis=1).astype(np.float32)
    found = LearnedBiases("t", STEPS, table, table.T, 128)
    assert found.fall == pytest.approx([2, -3, 0.5, 0])
    assert found.ways.tolist() == [-1, 1, 0, 0]


@pytest.mark.parametrize("reach", [1, 40, 500])
def test_what_falls_does_not_depend_on_how_far_one_looks(tiny, reach):
    found, usual = learned_biases(hub_model("tiny/t5"), reach), learned_biases(hub_model("tiny/t5"))
    assert found.fall.tolist() == usual.fall.tolist()
    assert found.by_distance.shape == (2, 2 * reach + 1)
    apart = np.abs(usual.distances)
    expected = usual.by_distance[:, (apart >= 1) & (apart <= 8)].mean(1) - usual.by_distance[:, apart >= 65].mean(1)
    assert usual.fall == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("n_buckets", "max_distance"), [(32, 128), (16, 40), (9, 20)])
def test_other_sizes_are_those_of_transformers(tiny, hub_server, tmp_path, n_buckets, max_distance):
    config = tiny.config.__class__(
        **tiny.config.to_dict()
        | {"relative_attention_num_buckets": n_buckets, "relative_attention_max_distance": max_distance}
    )
    other = type(tiny)(config).eval()
    other.save_pretrained(tmp_path / "other")
    hub_server.files["tiny/other"] = tmp_path / "other"
    with torch.no_grad():
        added = other.encoder.block[0].layer[0].SelfAttention.compute_bias(REACH + 1, REACH + 1)[0].numpy()
    found = learned_biases(hub_model("tiny/other"))
    assert found.by_distance[:, REACH:].tobytes() == added[:, 0].tobytes()
    assert found.by_distance[:, : REACH + 1].tobytes() == added[:, -1].tobytes()


def test_the_program_prints_the_biases(tiny, hub_server, run, tmp_path):
    found = learned_biases(hub_model("tiny/t5"))
    program = pytorch_distance(REACH, found)
    home = str(tmp_path / "home of the program")
    printed = run(program, HF_ENDPOINT=hub_server.address, HF_HOME=home, NO_PROXY="127.0.0.1", anew=True)
    assert printed[REACH + 1 :] == [
        " ".join([str(head), *(f"{number:.4f}" for number in row)]) for head, row in enumerate(found.by_distance, 1)
    ]
