"""What the page "Positions" claims, computed again by other means: a claim that is false fails here."""

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.ui.inputs import controls
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.position_tables import TableSettings
from pages.positions.adding import Added, about_adding
from pages.positions.end import about_end
from pages.positions.table_words import about_table


def test_the_words_about_the_end_do_not_promise_that_a_model_copes():
    text = about_end(65, TableSettings(), pytorch_error(64, 64, range(65)))[1].text
    assert "Press et al. 2021" in text
    assert "rarely" in text


def test_the_dimensions_beside_the_table_are_told_of_with_their_waves_the_fast_one_first():
    settings = TableSettings()
    text = about_table("sinusoidal", settings, [20, 4])[0].text
    fast, slow = (2 * np.pi * 10000 ** (n / 64) for n in (4, 20))
    assert text == f"A wave takes {fast:.2f} positions in dimension 4, and {slow:,.0f} in dimension 20."


def test_untrained_rows_are_nn_embeddings_and_not_those_that_a_new_gpt_starts_with():
    """In openai/gpt-2, src/model.py, wpe has stddev=0.01 and wte 0.02; transformers starts both at 0.02."""
    text = about_table("learned", TableSettings())[0].text
    assert "nn.Embedding's default" in text
    assert torch.nn.Embedding(1000, 64).weight.std().item() == pytest.approx(1, rel=0.05)
    assert "GPT-2's own code" in text
    assert "standard deviation 0.01" in text


def test_why_tokens_are_multiplied_by_the_root_of_d_is_not_made_up():
    """With rows of standard deviation 1 the tokens dwarf positions; with GPT-2's 0.02 they would not."""
    about = controls.scaling_help()
    assert "gives no reason" in about
    assert "dwarf positions" in about
    found = ev.embed("the cat sat on the mat", ev.Spec(scale_embeddings=True, position="sinusoidal"))
    token, position = (np.linalg.norm(rows, axis=1) for rows in (found.token_embeddings, found.positional_embeddings))
    assert token == pytest.approx(256, rel=0.1)  # √d times √d
    assert position == pytest.approx(128**0.5)  # sines and cosines
    assert (token > 10 * position).all()
    assert (token * 0.02 < position).all()


@pytest.mark.parametrize(("scale", "is_near"), [(1.0, True), (4.0, False)])
def test_to_which_token_the_sum_is_nearer_is_what_the_numbers_say(scale, is_near):
    embedded = ev.embed("dog bites man", ev.Spec(output_dim=64, seed=7, position_scale=scale))
    card, _ = about_adding(Added(embedded, 1, "4"))
    total = embedded.input_embeddings[1, :4]
    own, other = (float(np.linalg.norm(total - embedded.token_embeddings[n, :4])) for n in (1, 2))
    assert (own < other) == is_near
    said = "still nearer to itself than to ␣man" if is_near else "nearer to ␣man than to itself"
    title = card.title.replace("\u2068", "").replace("\u2069", "")
    assert title == f"With position 1 added, ␣bites is {said}"
    assert card.text == f"In 4 numbers the input is {own:.3g} from its own token and {other:.3g} from another."
