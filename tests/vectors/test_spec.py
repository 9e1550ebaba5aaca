"""Spec: its defaults, and what it refuses in which words."""

import dataclasses
import math

import pytest

import embedviz as ev


def test_defaults():
    assert dataclasses.asdict(ev.Spec()) == {
        "tokenizer": "gpt2",
        "prefix_space": True,
        "source": "random",
        "output_dim": 256,
        "seed": 123,
        "position": "learned",
        "context_length": 1024,
        "position_scale": 1.0,
        "scale_embeddings": False,
        "special_tokens": True,
        "lower_case": False,
        "vocabulary": (),
    }


def test_the_name_of_a_model_is_a_tokenizer():
    assert ev.Spec(tokenizer="owner/name").tokenizer == "owner/name"


def test_a_spec_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ev.Spec().seed = 1


def test_equal_specs_have_one_hash():
    assert len({ev.Spec(), ev.Spec(seed=123), ev.Spec(seed=124)}) == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tokenizer": "bert"}, "tokenizer must be one of words, gpt2, cl100k_base, o200k_base, not 'bert'."),
        ({"tokenizer": None}, "tokenizer must be one of words, gpt2, cl100k_base, o200k_base, not None."),
        ({"tokenizer": ["gpt2"]}, "tokenizer must be one of"),
        (
            {"source": "glove"},
            "source must be one of random, trained, gpt2, gpt2-medium, gpt2-large, gpt2-xl, distilgpt2, not 'glove'.",
        ),
        ({"position": "rotary"}, "position must be one of none, learned, sinusoidal"),
        ({"output_dim": 0}, "output_dim must be a whole number from 1 to 8,192, not 0."),
        ({"output_dim": 8193}, "output_dim must be a whole number from 1 to 8,192, not 8193."),
        ({"output_dim": 256.0}, "output_dim must be a whole number from 1 to 8,192, not 256.0."),
        ({"output_dim": True}, "output_dim must be a whole number from 1 to 8,192, not True."),
        ({"output_dim": "8"}, "output_dim must be a whole number from 1 to 8,192, not '8'."),
        ({"seed": -1}, "seed must be a whole number from 0 to 4,294,967,295, not -1."),
        ({"seed": 2**32}, "seed must be a whole number from 0 to 4,294,967,295, not 4294967296."),
        ({"context_length": 0}, "context_length must be a whole number from 1 to 8,192, not 0."),
        ({"context_length": 8193}, "context_length must be a whole number from 1 to 8,192, not 8193."),
        ({"prefix_space": 1}, "prefix_space must be True or False, not 1."),
        ({"scale_embeddings": None}, "scale_embeddings must be True or False, not None."),
        ({"lower_case": "yes"}, "lower_case must be True or False, not 'yes'."),
        ({"position_scale": -0.1}, "position_scale must be a number from 0 to 100, not -0.1."),
        ({"position_scale": 100.1}, "position_scale must be a number from 0 to 100, not 100.1."),
        ({"position_scale": math.nan}, "position_scale must be a number from 0 to 100, not nan."),
        ({"position_scale": math.inf}, "position_scale must be a number from 0 to 100, not inf."),
        ({"position_scale": True}, "position_scale must be a number from 0 to 100, not True."),
        ({"position_scale": "1"}, "position_scale must be a number from 0 to 100, not '1'."),
        ({"position_scale": 10**400}, "position_scale must be a number from 0 to 100"),
        ({"vocabulary": ["a"]}, "vocabulary must be a tuple of words, not ['a']."),
        ({"vocabulary": ("a", 1)}, "vocabulary must be a tuple of words, not ('a', 1)."),
        ({"vocabulary": ("a", "a")}, "vocabulary must not hold a word twice."),
        (
            {"position": "sinusoidal", "output_dim": 255},
            "Sinusoidal positions need an even output_dim, a sine and a cosine each; 255 is odd. Try 256.",
        ),
    ],
)
def test_bad_values_are_refused_with_what_would_be_right(settings, message):
    with pytest.raises(ev.EmbedvizError) as error:
        ev.Spec(**settings)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("source", "output_dim"),
    [("gpt2", 768), ("gpt2-medium", 1024), ("gpt2-large", 1280), ("gpt2-xl", 1600), ("distilgpt2", 768)],
)
def test_a_pretrained_model_decides_the_sizes_and_the_tokenizer(source, output_dim):
    spec = ev.Spec(source=source)
    assert (spec.tokenizer, spec.output_dim, spec.context_length) == ("gpt2", output_dim, 1024)
    assert ev.Spec(source=source, output_dim=output_dim) == spec
    for name, value in (("tokenizer", "cl100k_base"), ("output_dim", 64), ("context_length", 512)):
        with pytest.raises(ev.EmbedvizError, match=f"The source {source} has {name} "):
            ev.Spec(**{"source": source, name: value})


@pytest.mark.parametrize(
    "settings",
    [
        {"output_dim": 1},
        {"output_dim": 1600},
        {"seed": 0},
        {"seed": 2**32 - 1},
        {"context_length": 1},
        {"context_length": 8192},
        {"position_scale": 0},
        {"position_scale": 100},
        {"position": "learned", "output_dim": 255},
    ],
)
def test_the_limits_themselves_are_allowed(settings):
    spec = ev.Spec(**settings)
    assert {name: getattr(spec, name) for name in settings} == settings


def test_an_embedviz_error_is_a_value_error():
    assert issubclass(ev.EmbedvizError, ValueError)
