"""What the view "Order" of the page "Training" says follows from the losses of its runs, whatever they are."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from pages.training.order_words import about_order
from pages.training.stage import wanted_runs

LOSSES = st.lists(st.floats(0.01, 5.0), min_size=4, max_size=4)


def runs(losses: list[float], **settings: object) -> list[Run]:
    """Four runs of the view that ended at these losses."""
    of = wanted_runs(TrainingSettings(**settings), "order")
    kept = bundled(BUNDLED["rhymes"])
    return [
        replace(kept, settings=each, held_out=np.array([4.0, loss], np.float32))
        for each, loss in zip(of, losses, strict=True)
    ]


def test_the_runs_differ_in_order_and_positions_and_nothing_else_and_the_control_is_there():
    of = wanted_runs(TrainingSettings(seed=9, shuffled=True), "order")
    assert [(each.shuffled, each.positions) for each in of] == [
        (False, "learned"), (False, "none"), (True, "learned"), (True, "none"),
    ]  # fmt: skip
    assert len({replace(each, shuffled=False, positions="learned") for each in of}) == 1
    assert all(each.kind == "rhymes" for each in of)
    assert not any(each.kind == "rhymes" for each in wanted_runs(TrainingSettings(text="a b c. " * 60), "order"))


@given(LOSSES)
def test_each_number_is_the_difference_of_two_runs_that_differ_in_one_thing(losses):
    plain, without, shuffled, neither = np.array(losses, np.float32).astype(float)
    cards = about_order(runs(losses))
    worth = [float(re.search(r"worth (−?[\d.]+)$", card.title)[1].replace("−", "-")) for card in cards[:3]]
    assert worth == pytest.approx([without - plain, neither - shuffled, neither - without], abs=0.0051)
    assert f"is {without:.2f} without positional embeddings and {plain:.2f} with them" in cards[0].text
    assert f"{math.exp(without):.1f} words without and {math.exp(plain):.1f} with" in cards[0].text
    little = "positions have little to tell" in cards[1].text
    assert little == (abs(neither - shuffled) < (without - plain) / 2)


def test_what_one_layer_knows_is_said_of_one_layer_alone():
    said = "which they were, not in what order"
    assert said in about_order(runs([1, 2, 3, 3]))[2].text
    assert said not in about_order(runs([1, 2, 3, 3], n_layers=2))[2].text


def test_the_sentences_of_the_other_views_are_told_apart_from_the_rhymes_and_from_ones_own_text():
    cost = bundled(BUNDLED["no_positions"]).held_out[-1] - bundled(BUNDLED["default"]).held_out[-1]
    assert f"worth {cost:.2f} there" in about_order(runs([1, 2, 3, 3]))[3].text
    assert len(about_order(runs([1, 2, 3, 3], text="a b c. " * 60))) == 3
