"""Tables of absolute positions against independent calculations, and every sentence about them."""

import ast
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.positions import ADDING, sinusoidal
from embedviz.positions.common import first_and_second
from embedviz.programs.schemes import positions as export
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors import position_tables, with_position
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.sources import source_of
from pages.positions import table_words as words
from pages.positions.end import about_end
from tests import naive
from tests.models.tiny import made

TRAINED = TableSettings(32, 11, source="trained")
SIZES = st.builds(
    TableSettings,
    output_dim=st.integers(1, 40).map(lambda n: 2 * n),
    context_length=st.integers(2, 100),
    base=st.floats(1.5, 1e6),
    layout=st.sampled_from(["interleaved", "half"]),
)


def sine_table(n_positions: int, settings: TableSettings) -> np.ndarray:
    return naive.sine_table(n_positions, settings.output_dim, settings.base, settings.layout)


@given(settings=SIZES)
def test_sinusoids_are_the_papers(settings):
    rows = position_tables.table("sinusoidal", settings)
    assert np.abs(rows - sine_table(settings.context_length, settings)).max() <= 1e-6


def test_the_learned_table_is_pytorchs():
    torch.manual_seed(7)
    expected = torch.nn.Embedding(64, 64).weight.detach().numpy()
    assert np.array_equal(position_tables.table("learned", TableSettings(seed=7)), expected)


@given(settings=SIZES)
def test_a_wavelength_later_a_dimension_has_the_same_number(settings):
    waves = position_tables.wavelengths(settings)
    half = settings.output_dim // 2
    for dimension in (0, settings.output_dim - 1):
        k = dimension // 2 if settings.layout == "interleaved" else dimension % half
        assert waves[dimension] == pytest.approx(2 * math.pi * settings.base ** (2 * k / settings.output_dim))


def test_low_dimensions_have_short_waves():
    assert (np.diff(position_tables.wavelengths(TableSettings())[::2]) > 0).all()


@given(settings=SIZES, k=st.integers(1, 128))
def test_a_shift_is_a_rotation(settings, k):
    found = position_tables.shift(settings, k)
    assert np.abs(found.wanted - sine_table(settings.context_length + k, settings)[k:]).max() <= 1e-6
    assert found.largest_difference <= 1e-6


def test_without_the_cosines_no_matrix_shifts_the_sines():
    sines = position_tables.table("sinusoidal", TableSettings(output_dim=8))[:, 0::2].astype(np.float64)
    matrix, *_ = np.linalg.lstsq(sines[:-1], sines[1:], rcond=None)
    assert np.abs(sines[:-1] @ matrix - sines[1:]).max() > 0.01
    both = position_tables.table("sinusoidal", TableSettings(output_dim=8)).astype(np.float64)
    matrix, *_ = np.linalg.lstsq(both[:-1], both[1:], rcond=None)
    assert np.abs(both[:-1] @ matrix - both[1:]).max() < 1e-5


@given(settings=SIZES)
def test_the_cosine_of_sinusoids_is_of_distance_alone(settings):
    cosines = position_tables.cosines(position_tables.table("sinusoidal", settings))
    rows = sine_table(settings.context_length, settings)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.abs(cosines - unit @ unit.T).max() <= 1e-5
    for distance in range(settings.context_length):
        assert np.ptp(np.diagonal(cosines, distance)) <= 1e-5


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_sines_are_those_that_are_0_at_position_0(layout):
    settings = TableSettings(output_dim=8, layout=layout)
    first = position_tables.table("sinusoidal", settings)[0]
    sines, cosines = first_and_second(settings.output_dim, layout)
    assert (first[sines].tolist(), first[cosines].tolist()) == ([0] * 4, [1] * 4)


@pytest.mark.parametrize("odd", [3, 511])
def test_an_odd_width_is_refused_for_sinusoids_only(odd):
    with pytest.raises(ev.EmbedvizError, match=f"{odd} is odd. Try {odd + 1}"):
        position_tables.table("sinusoidal", TableSettings(output_dim=odd))
    assert position_tables.table("learned", TableSettings(output_dim=odd)).shape == (64, odd)


@pytest.mark.parametrize(
    "settings", [{"output_dim": 1}, {"context_length": 0}, {"context_length": 129}, {"base": 1.0}, {"layout": "thirds"}]
)
def test_settings_out_of_range(settings):
    with pytest.raises(ev.EmbedvizError):
        TableSettings(**settings)


@pytest.mark.parametrize(
    ("family", "table", "offset"),
    [
        ("gpt2", "wpe", 0),
        ("bert", "embeddings.position_embeddings", 0),
        ("opt", "decoder.embed_positions", 2),
        ("roberta", "embeddings.position_embeddings", 2),
    ],
)
def test_the_rows_of_a_model_are_those_of_its_positions(family, table, offset, hub_server, tmp_path):
    model = made(family, with_head=True)
    model.save_pretrained(tmp_path)
    hub_server.files[f"tiny/{family}"] = tmp_path
    weight = model.base_model.get_submodule(table).weight.detach().numpy()[offset:]
    source = source_of(f"tiny/{family}")
    settings = TableSettings(source.decided["output_dim"], 5, source=source.name)
    assert position_tables.table("learned", settings).tobytes() == weight[:5].tobytes()
    assert source.first_positions(256, 0, 0).tobytes() == weight.tobytes()  # no more than there are


# How alike positions are by their distance ------------------------------------------------------------


def circle(turns: float, n: int = 128) -> position_tables.ByDistance:
    angles = 2 * np.pi * turns * np.arange(n) / n
    return position_tables.by_distance(np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def test_the_mean_cosines_are_those_of_torch():
    rows = np.random.default_rng(1).standard_normal((20, 7)).astype(np.float32)
    expected = torch.nn.functional.cosine_similarity(
        *(torch.tensor(rows).double()[k] for k in (np.s_[:, None], None)), 2
    )
    found = position_tables.by_distance(rows)
    for n, mean in enumerate(found.cosines):
        cosines = np.array([expected[k, k + n] for k in range(20 - n)])
        assert mean == pytest.approx(cosines.mean())
        if len(cosines) > 1:
            assert found.errors[n] == pytest.approx((cosines.var(ddof=1) / len(cosines)) ** 0.5, abs=1e-9)
    assert (found.near, found.there, found.far) == (found.cosines[1], found.cosines[10], 10)


def test_positions_on_a_circle_come_back():
    found = circle(4)  # a turn takes 32 positions
    assert found.cosines == pytest.approx(np.cos(2 * np.pi * np.arange(128) / 32), abs=1e-6)
    assert not found.nearer_is_more_alike  # 64 apart they are the same again


def test_positions_on_an_arc_only_go_away():
    found = circle(0.4)
    assert found.nearer_is_more_alike
    assert found.near_is_alike


@pytest.mark.parametrize("output_dim", [2, 8, 64, 512])
def test_of_random_rows_nobody_says_that_near_ones_are_more_alike(output_dim):
    for seed in range(20):
        rows = position_tables.table("learned", TableSettings(output_dim=output_dim, seed=seed))
        assert not position_tables.by_distance(rows).nearer_is_more_alike


def test_the_neighbours_of_the_small_gpt_are_not_more_alike():
    """Its items all begin at position 0, and neighbours have different tasks in them."""
    found = position_tables.by_distance(position_tables.table("learned", TRAINED))
    assert -0.15 < found.near < -0.05
    assert not found.nearer_is_more_alike
    assert not found.near_is_alike


# Each row shares a little with the next one, and nothing with all others.
A_LITTLE = np.array([[{n: 3, n + 1: 1}.get(k, 0) for k in range(12)] for n in range(11)], np.float32)


def test_neighbours_can_be_a_little_alike():
    found = position_tables.by_distance(A_LITTLE)
    assert (found.near, found.there) == (pytest.approx(0.3), 0)
    assert found.nearer_is_more_alike
    assert not found.near_is_alike


@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_of_a_short_table_nothing_is_said(n):
    alike = position_tables.by_distance(np.eye(8, dtype=np.float32)[:n])
    assert len(words.about_distance(alike, "learned", TableSettings())) == (n > 7)


# What adding does ------------------------------------------------------------------------------------


@given(scale=st.floats(0, 4), position=st.sampled_from(ADDING), seed=st.integers(0, 2**32 - 1))
def test_the_distances_of_a_sum_are_those_of_torch(scale, position, seed):
    spec = ev.Spec(output_dim=8, seed=seed, position=position, position_scale=scale)
    sentence = ev.embed("the cat the", spec)
    found = with_position.with_position(sentence, 2)
    t, x, other = (torch.tensor(row).double() for row in (
        sentence.token_embeddings[2], sentence.input_embeddings[2], sentence.token_embeddings[1]))  # fmt: skip
    assert np.array_equal(found.total, sentence.input_embeddings[2])
    assert found.own_distance == pytest.approx(torch.dist(x, t).item())
    assert found.other_distance == pytest.approx(torch.dist(x, other).item())
    assert found.first(3).other_distance == pytest.approx(torch.dist(x[:3], other[:3]).item())


@pytest.mark.parametrize(("text", "n", "place"), [("the cat the", 0, 1), ("the cat cat", 1, 0), ("cat cat", 0, None)])
def test_the_yardstick_is_the_next_token_with_another_id(text, n, place):
    sentence = ev.embed(text, ev.Spec(output_dim=8))
    assert with_position.other_than(sentence, n) == place
    assert (with_position.with_position(sentence, n).other_distance is None) == (place is None)


def test_the_shadows_of_token_and_position_add_up_and_lie_where_pca_puts_their_ends():
    sentence = ev.embed("the cat sat on the mat", ev.Spec(output_dim=32))
    flat, explained = with_position.shadow(sentence, 1)
    rows = torch.tensor(np.concatenate([
        sentence.token_embeddings, sentence.positional_embeddings, sentence.input_embeddings])).double()  # fmt: skip
    mean = rows.mean(0)
    _u, sizes, axes = torch.linalg.svd(rows - mean, full_matrices=False)
    assert explained == pytest.approx((sizes**2 / (sizes**2).sum())[:2].numpy())
    zero = -(axes[:2] @ mean)
    for part, row in ((flat.token, 1), (flat.position, 7), (flat.total, 13)):
        expected = axes[:2] @ (rows[row] - mean) - zero
        assert np.abs(part) == pytest.approx(np.abs(expected.numpy()), abs=1e-4)  # an axis may point either way


def test_concatenating_with_one_matrix_twice_is_adding():
    generator = np.random.default_rng(0)
    matrix, token, place = (generator.normal(size=size) for size in ((8, 8), 8, 8))
    assert np.allclose(np.concatenate([token, place]) @ np.concatenate([matrix, matrix]), (token + place) @ matrix)


# The words -------------------------------------------------------------------------------------------


def test_the_words_about_wavelengths():
    fast, base = words.about_table("sinusoidal", TableSettings())
    assert fast.text == "A wave takes 6.28 positions in dimension 0, and 47,117 in dimension 62."
    assert "9 of 32 pairs complete a wave within 64 positions" in base.text
    rows = sine_table(64, TableSettings())
    assert sum(2 * math.pi * 10000 ** (2 * k / 64) <= 63 for k in range(32)) == 9
    assert rows[0, 0] == 0


@pytest.mark.parametrize(
    ("kind", "settings", "title", "is_learned"),
    [
        ("sinusoidal", TableSettings(), "Near positions are alike", False),
        ("learned", TableSettings(), "Near positions are not more alike", False),
        ("learned", TRAINED, "Near positions are not more alike", False),
        ("sinusoidal", TRAINED, "Near positions are alike", False),
    ],
)
def test_the_words_about_distance(kind, settings, title, is_learned):
    alike = position_tables.by_distance(position_tables.table(kind, settings))
    (card,) = words.about_distance(alike, kind, settings)
    assert card.title == title
    near, there = (f"{value:.2f}".replace("-", "−") for value in (alike.near, alike.there))
    assert card.text.startswith(
        f"The mean cosine is {near} between neighbours and {there} between positions that are "
        f"{settings.context_length // 2} apart."
    )
    assert ("Nobody told the model" in card.text) == is_learned


@pytest.mark.parametrize(("settings", "is_learned"), [(TableSettings(), False), (TRAINED, True)])
def test_the_words_about_neighbours_that_are_a_little_alike(settings, is_learned):
    (card,) = words.about_distance(position_tables.by_distance(A_LITTLE), "learned", settings)
    assert card.title == "Near positions are a little alike"
    assert card.text.startswith(
        "The mean cosine is 0.30 between neighbours and 0.00 between positions that are 5 apart."
    )
    assert ("Nobody told the model" in card.text) == is_learned


def test_gpt2_has_1024_learned_rows():
    assert "1,024 such rows" in words.about_table("learned", TableSettings())[1].text
    assert ev.Spec().context_length == 1024


@pytest.mark.parametrize(("length", "title"), [(64, "every position has a row"), (65, "an error, no row 64")])
def test_the_words_about_the_end(length, title):
    error = pytorch_error(64, 64, range(length))
    assert title in about_end(length, TableSettings(), error)[0].title


# The programs ----------------------------------------------------------------------------------------

SMALL = TableSettings(output_dim=8, context_length=6)
HALF = TableSettings(output_dim=8, context_length=6, layout="half", base=100.0, seed=5)


def test_the_trained_table_is_that_of_the_finished_run():
    assert np.array_equal(position_tables.table("learned", TRAINED), bundled(BUNDLED["learned"]).positions[-1])
    assert np.array_equal(position_tables.table("sinusoidal", TRAINED), sinusoidal.table(11, 32))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"output_dim": 64}, "The source trained has output_dim 32, not 64."),
        ({"output_dim": 32, "context_length": 12}, "context_length must be a whole number from 1 to 11"),
        ({"source": "bert"}, "source must be one of random, trained"),
    ],
)
def test_what_the_source_does_not_have_is_refused(wrong, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        TableSettings(**({"source": "trained", "context_length": 11} | wrong))


def numbers(line: str) -> list[float]:
    return [float(number) for number in line.split()]


@pytest.mark.parametrize(
    ("kind", "along", "places"), [("sinusoidal", "position", [3]), ("learned", "dimension", [2, 5])]
)
def test_the_program_of_lines(kind, along, places, run):
    rows = position_tables.table(kind, HALF)
    lines = run(export.pytorch_lines(HALF, kind, along, places))
    for line, at in zip(lines, places, strict=True):
        assert np.allclose(numbers(line), rows[at] if along == "position" else rows[:, at], atol=1e-4)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_the_program_of_the_curve_by_distance(kind, run):
    (means,) = run(export.pytorch_by_distance(HALF, kind))
    rows = position_tables.table(kind, HALF)
    assert means.split() == [f"{mean:.4f}" for mean in position_tables.by_distance(rows).cosines]


def test_the_program_of_trained_positions(run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    (line,) = run(export.pytorch_lines(TRAINED, "learned", "position", [3]))
    (means,) = run(export.pytorch_by_distance(TRAINED, "learned"))
    rows = position_tables.table("learned", TRAINED)
    assert np.allclose(numbers(line), rows[3], atol=1e-4)
    assert means.split() == [f"{mean:.4f}" for mean in position_tables.by_distance(rows).cosines]


@pytest.mark.parametrize("settings", [SMALL, HALF], ids=["interleaved", "half"])
def test_the_program_of_a_shift(settings, run):
    waves, difference = run(export.pytorch_shift(settings, 5))
    expected = 2 * np.pi * settings.base ** (np.arange(0, 8, 2) / 8)
    assert np.allclose(numbers(waves), expected, rtol=1e-3)
    assert float(difference) == pytest.approx(position_tables.shift(settings, 5).largest_difference, abs=2e-7)


def test_the_program_past_the_end(run):
    shape, error = run(export.pytorch_past_the_end(SMALL, 7))
    assert ast.literal_eval(shape) == (7, 8)
    assert error == pytorch_error(6, 8, range(7))


@pytest.mark.parametrize("settings", [{}, {"position": "sinusoidal", "position_scale": 0.5}])
@pytest.mark.parametrize("other", [0, None])
def test_the_program_of_adding(settings, other, run):
    sentence = ev.embed("the cat sat", ev.Spec(output_dim=8, **settings))
    found = with_position.with_position(sentence, 1).first(4)
    *rows, distances = run(export.pytorch_adding(sentence, 1, other, 4))
    for row, expected in zip(rows, (found.token, found.position, found.total), strict=True):
        assert np.allclose(numbers(row), expected, atol=0.006)
    assert numbers(distances)[0] == pytest.approx(found.own_distance, abs=1e-3)
    assert len(numbers(distances)) == (1 if other is None else 2)


def test_the_program_of_two_arrows(run):
    held = with_position.WithPosition(*np.array([[1.0, -0.5], [3.0, 4.0], [4.0, 3.25]], np.float32))
    total, distances = run(export.pytorch_sum(held))
    assert numbers(total) == [4.0, 3.5]
    assert numbers(distances) == [held.own_distance, held.other_distance] == [5.0, 0.25]
