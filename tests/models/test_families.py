"""What a config.json says of a model's vectors, held against the models of transformers, one tiny one a family."""

import numpy as np
import pytest
from transformers import AutoConfig

from embedviz.models.families import FAMILIES, first_layer, layout
from embedviz.positions import SCHEMES
from tests.models.tiny import IDS, TINY, Seen, made, seen


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Each tiny model saved and looked into, once, with or without a head."""
    kept: dict[tuple[str, bool], Seen] = {}

    def get(name: str, with_head: bool = False) -> Seen:
        if (name, with_head) not in kept:
            kept[name, with_head] = seen(name, tmp_path_factory.mktemp("model"), made(name, with_head))
        return kept[name, with_head]

    return get


def inputs_of(looked: Seen, ids=IDS, dtype="F32"):
    described = layout(looked.config)
    tensors = looked.tensors(described)
    assert {name: array.shape for name, array in tensors.items()} == described.shapes
    positions = tensors[described.position][described.position_rows(ids)] if described.position else None
    weights = {name: tensors[name] for name in described.small}
    return first_layer(described, tensors[described.token][list(ids)], positions, weights, dtype)


def test_every_family_has_a_tiny_model():
    assert {tiny.model_type or name for name, tiny in TINY.items()} == set(FAMILIES)


@pytest.mark.parametrize("with_head", [False, True], ids=["core", "head"])
@pytest.mark.parametrize("name", TINY)
def test_what_enters_the_first_layer(saved, name, with_head):
    looked = saved(name, with_head)
    found = inputs_of(looked)
    described = layout(looked.config)
    assert described.model_type == looked.config["model_type"]
    assert found.first.dtype == np.float32
    if TINY[name].only_additions:
        assert found.first.tobytes() == looked.entered.tobytes()
    else:
        np.testing.assert_allclose(found.first, looked.entered, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", TINY)
def test_the_token_table_is_the_one_that_the_model_uses(saved, name):
    looked = saved(name)
    described = layout(looked.config)
    table = looked.tensors(described)[described.token]
    assert table.tobytes() == looked.token.tobytes()
    assert table.shape == (described.vocab_size, described.output_dim)


@pytest.mark.parametrize("name", TINY)
def test_the_positional_vectors_are_those_of_the_positional_module(saved, name):
    looked = saved(name)
    found = inputs_of(looked)
    assert (found.positions is None) == (looked.positional is None)
    if looked.positional is not None:
        assert found.positions.tobytes() == looked.positional.tobytes()


@pytest.mark.parametrize("name", TINY)
def test_a_config_without_keys_gets_the_defaults_of_its_class(name):
    model_type = TINY[name].model_type or name
    assert layout({"model_type": model_type}) == layout(AutoConfig.for_model(model_type).to_dict())


@pytest.mark.parametrize("name", FAMILIES)
def test_the_scheme_is_one_that_the_app_shows_and_the_words_name_the_model(name):
    described = layout({"model_type": name})
    assert described.scheme in SCHEMES
    assert described.title in described.about()
    assert described.about("Somebody's own").startswith("Somebody's own adds ")
    assert (described.position is not None) == (SCHEMES[described.scheme].kind == "add")
