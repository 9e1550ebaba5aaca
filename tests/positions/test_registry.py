"""What the registry says of each scheme is so."""

from importlib import import_module
from pkgutil import iter_modules

import numpy as np
import pytest

import embedviz as ev
from embedviz.positions import SCHEMES, none

SIX = "the cat sat on the mat"


def test_the_registry_is_complete_and_only_what_is_added_reaches_the_vectors():
    modules = [import_module(f"embedviz.positions.{file.name}") for file in iter_modules(ev.positions.__path__)]
    assert {module.SCHEME for module in modules if hasattr(module, "SCHEME")} == {*ev.positions.SCHEMES.values()}
    assert {scheme.kind for scheme in SCHEMES.values()} <= {"none", "add", "rotate", "bias", "relative"}
    for name, scheme in SCHEMES.items():
        assert scheme.name == name
        embedded = ev.embed("the cat sat", ev.Spec(position=name, output_dim=4))
        assert embedded.positional_embeddings.any() == (scheme.kind == "add")
        same = embedded.input_embeddings.tobytes() == embedded.token_embeddings.tobytes()
        assert same == (scheme.kind != "add")


def test_what_shows_a_scheme_and_who_wrote_of_it_is_told_of_all():
    for scheme in SCHEMES.values():
        assert all((scheme.seen_in, scheme.paper))


def test_none_is_zeros():
    table = none.table(3, 5)
    assert (table.shape, table.dtype, table.any()) == ((3, 5), np.float32, False)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_has_an_end_just_if_the_registry_says_so(scheme):
    spec = ev.Spec(position=scheme.name, output_dim=4, context_length=5)
    assert len(ev.embed("the cat sat on the", spec).tokens) == 5
    if scheme.has_end:
        with pytest.raises(ev.EmbedvizError, match=r"6 tokens need 6 positions.*ends at context_length 5"):
            ev.embed(SIX, spec)
    else:
        assert ev.embed(SIX, spec).positional_embeddings.shape == (6, 4)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_needs_pairs_just_if_the_registry_says_so(scheme):
    if scheme.even_output_dim:
        with pytest.raises(ev.EmbedvizError, match=r"3 is odd\. Try 4\."):
            ev.Spec(position=scheme.name, output_dim=3)
    else:
        assert ev.embed("the", ev.Spec(position=scheme.name, output_dim=3)).input_embeddings.shape == (1, 3)
