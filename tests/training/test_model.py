"""The model against PyTorch's own layers and against plain NumPy, and where its numbers come from."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from embedviz.positions import rope
from embedviz.training.model import GPT, Block, Shape, turned
from tests.training.by_hand import read

SHAPE = Shape(vocab_size=11, context_length=7, output_dim=16, n_heads=4, n_layers=2)


def model(shape: Shape = SHAPE, seed: int = 5, spread: float = 0.5) -> GPT:
    """A model whose parameters are large enough, and unlike each other, for every part to show."""
    found = GPT(shape, torch.Generator().manual_seed(seed))
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for weights in found.parameters():
            weights.add_(torch.empty_like(weights).normal_(generator=generator), alpha=spread)
    return found


def ids(n_rows: int = 3, length: int = 7, seed: int = 0) -> torch.Tensor:
    return torch.randint(11, (n_rows, length), generator=torch.Generator().manual_seed(seed))


def test_a_block_is_pytorchs_encoder_layer():
    block = model().blocks[0]
    layer = nn.TransformerEncoderLayer(16, 4, 64, dropout=0, activation="gelu", batch_first=True, norm_first=True)
    names = {
        "self_attn.in_proj_": "queries_keys_values.", "self_attn.out_proj.": "attended.", "linear1.": "widen.",
        "linear2.": "narrow.", "norm1.": "norm_1.", "norm2.": "norm_2.",
    }  # fmt: skip
    ours = block.state_dict()
    layer.load_state_dict({a + end: ours[b + end] for a, b in names.items() for end in ("weight", "bias")})
    x = torch.empty(3, 7, 16).normal_(generator=torch.Generator().manual_seed(1))
    mask = nn.Transformer.generate_square_subsequent_mask(7)
    torch.testing.assert_close(block(x), layer(x, src_mask=mask), rtol=1e-4, atol=1e-5)


def logits_by_hand(found: GPT, row: list[int], places: np.ndarray | None = None) -> np.ndarray:
    """One sentence through the model, by hand and in float64."""
    weights = {name: value.numpy() for name, value in found.state_dict().items()}
    places = np.eye(found.shape.context_length)[: len(row)] if places is None else places
    return read(weights, row, places, found.shape.positions).logits


@pytest.mark.parametrize("positions", ["learned", "rope", "none"])
def test_the_whole_model_is_what_numpy_computes_by_hand(positions):
    found, row = model(replace(SHAPE, positions=positions)), ids(1)[0]
    expected = logits_by_hand(found, row.tolist())
    assert found(row[None])[0].detach().numpy() == pytest.approx(expected, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("positions", ["learned", "rope", "none"])
def test_each_text_can_have_places_of_its_own(positions):
    found, rows = model(replace(SHAPE, positions=positions)), ids(2, 5)
    places = np.random.default_rng(1).dirichlet(np.ones(7), (2, 5)).astype(np.float32)
    logits = found(rows, torch.tensor(places)).detach().numpy()
    for n, row in enumerate(rows.tolist()):
        assert logits[n] == pytest.approx(logits_by_hand(found, row, places[n]), rel=1e-3, abs=1e-3)


def test_rope_turns_as_the_scheme_of_this_name_does():
    x = torch.empty(2, 3, 5, 8).normal_(generator=torch.Generator().manual_seed(4))
    at = [0, 3, 1, 15, 2]
    ours = turned(x, torch.outer(torch.tensor(at), 10000.0 ** (-torch.arange(0, 8, 2) / 8)).double())
    for batch in range(2):
        for head in range(3):
            expected = rope.rotate(x[batch, head], at, layout="half")
            torch.testing.assert_close(ours[batch, head], expected, rtol=0, atol=1e-6)
    assert torch.equal(turned(x, torch.zeros(5, 4).double()), x)


def test_the_losses_are_the_surprises_at_the_next_tokens():
    found, rows = model(spread=0.1), ids(2, 8)
    surprises = []
    for row in rows.tolist():
        logits = logits_by_hand(found, row[:-1])
        surprises.append(
            [np.log(np.exp(line).sum()) - line[after] for line, after in zip(logits, row[1:], strict=True)]
        )
    losses = found.losses(rows)
    assert losses.shape == (2, 7)
    assert losses.detach().numpy() == pytest.approx(np.array(surprises), rel=1e-4)


def test_nobody_sees_what_comes_later():
    found, rows = model(), ids()
    changed = rows.clone()
    changed[:, 4:] = (changed[:, 4:] + 1) % 11
    before, after = found(rows), found(changed)
    assert torch.equal(before[:, :4], after[:, :4])
    assert not torch.equal(before[:, 4:], after[:, 4:])


def test_without_positions_the_order_of_earlier_words_is_lost_on_one_layer():
    shape = Shape(11, 7, 16, n_layers=1, positions="none")
    row = torch.tensor([[1, 2, 3, 4]])
    other = torch.tensor([[3, 1, 2, 4]])
    torch.testing.assert_close(model(shape)(row)[0, -1], model(shape)(other)[0, -1], rtol=1e-4, atol=1e-5)
    shape = Shape(11, 7, 16, n_layers=1, positions="learned")
    assert (model(shape)(row)[0, -1] - model(shape)(other)[0, -1]).abs().max() > 0.01


def test_a_tied_head_is_the_token_table():
    tied, untied = model(), model(Shape(11, 7, 16, tied=False))
    assert tied.head.weight is tied.token_embedding.weight
    assert untied.head.weight is not untied.token_embedding.weight


def test_first_parameters_follow_gpt_2s_rule():
    found = GPT(Shape(500, 64, 64, n_layers=4), torch.Generator().manual_seed(0))
    spread = {name: weights.std().item() for name, weights in found.named_parameters() if weights.dim() == 2}
    for name, value in spread.items():
        expected = 0.02 / math.sqrt(8) if "attended" in name or "narrow" in name else 0.02
        assert value == pytest.approx(expected, rel=0.05), name
    for name, weights in found.named_parameters():
        if weights.dim() == 1:
            assert torch.equal(weights, torch.full_like(weights, float("norm" in name and name.endswith("weight"))))


def test_the_global_generator_is_left_alone():
    state = torch.get_rng_state()
    one, two = (GPT(SHAPE, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), state)
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(a, b)


def test_the_sizes_are_those_of_the_shape():
    n_parameters = sum(weights.numel() for weights in GPT(SHAPE, torch.Generator()).parameters())
    block = 2 * 2 * 16 + (16 * 48 + 48) + (16 * 16 + 16) + (16 * 64 + 64) + (64 * 16 + 16)
    assert n_parameters == 11 * 16 + 7 * 16 + 2 * block + 2 * 16
    assert sum(weights.numel() for weights in Block(SHAPE).parameters()) == block
